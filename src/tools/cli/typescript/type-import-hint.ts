/**
 * Returns a sentence for an import in TypeScript that names no export, else an empty text. The name is often that of a type:
 * a file is compiled without the files that it imports, so that types must be marked.
 */
export function typeImportHint({ message, stack = '' }: Error): string {
  const [, name] = / does not provide an export named '([^']+)'/.exec(message) ?? []
  // Node writes the importing file above the name of the error.
  const isTypeScript = /^\S.*\.m?ts:\d+\n/.test(stack)
  return name === undefined || !isTypeScript ? '' : ` If '${name}' is a type, mark it: 'import type' or 'export type'.`
}
