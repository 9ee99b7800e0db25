/** The programs that install packages. */
export const packageManagers = ['npm', 'pnpm', 'yarn', 'bun'] as const

export type PackageManager = (typeof packageManagers)[number]

/** Returns the program that runs this process, by the variable that all of them set, such as `pnpm/10.4.1 npm/? node/v22.14.0`. */
export function runningManager(environment: Readonly<Record<string, string | undefined>>): PackageManager | null {
  const [name] = (environment['npm_config_user_agent'] ?? '').split('/')
  return packageManagers.find((manager) => manager === name) ?? null
}

/** Returns the command that runs a script of package.json. */
export function scriptCall(manager: PackageManager, script: string): string {
  // `bun test` and `yarn test` may run other programs than the script.
  return manager === 'npm' && (script === 'test' || script === 'start') ? `npm ${script}` : `${manager} run ${script}`
}

/** Returns the command that adds packages to a project. */
export function addCall(
  manager: PackageManager,
  packages: readonly string[],
  { isDev = false }: { readonly isDev?: boolean } = {},
): string {
  const verb = manager === 'npm' ? 'install' : 'add'
  return [manager, verb, ...(isDev ? [manager === 'bun' ? '--dev' : '-D'] : []), ...packages].join(' ')
}
