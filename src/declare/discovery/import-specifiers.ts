/** Matches the specifiers of static and dynamic imports, of re-exports, and of calls of `require`. */
const imported = /\b(?:from|import|import\s*\(|require\s*\()\s*(['"])((?:\\.|(?!\1)[^\\\n])+)\1/g

/**
 * Returns the specifiers that a module imports, if they are string literals. Comments that look like imports are included too: an
 * additional file does no harm.
 */
export function importSpecifiers(module: string): readonly string[] {
  return [...module.matchAll(imported)].map(([, , specifier = '']) => specifier.replaceAll(/\\(.)/g, '$1'))
}
