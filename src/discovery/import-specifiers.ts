/** Matches the specifiers of static and dynamic imports, of re-exports, and of calls of `require`. */
const imported = /\b(?:from|import|import\s*\(|require\s*\()\s*(['"])((?:\\.|(?!\1)[^\\\n])+)\1/g

/**
 * Returns the specifiers that a module imports, as far as they are written as text. Comments that look like imports count too: the
 * callers can live with a file too many.
 */
export function importSpecifiers(module: string): readonly string[] {
  return [...module.matchAll(imported)].map(([, , specifier = '']) => specifier.replaceAll(/\\(.)/g, '$1'))
}
