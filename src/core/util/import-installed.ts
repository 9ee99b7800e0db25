/** Imports a package that may not be installed. Returns null if it is not. */
export async function importInstalled<Module extends object>(name: string): Promise<Module | null> {
  try {
    return (await import(name)) as Module
  } catch (thrown) {
    const { code } = thrown as { readonly code?: unknown }
    if (code === 'ERR_MODULE_NOT_FOUND' || code === 'ERR_UNKNOWN_BUILTIN_MODULE') return null
    throw thrown
  }
}
