/** Quoted names, which stay unchanged, and then the literals: texts, texts between dollar signs, and numbers. */
const literals = /("(?:[^"]|"")*")|'(?:[^']|'')*'|\$([a-z_]*)\$[^]*?\$\2\$|(?<![\w$?])\d+(?:\.\d+)?(?![\w$])/gi

/**
 * Returns the text of a statement with `?` instead of literals. Statements of the store have values in their parameters only. The
 * application may write values into the text of its own statements.
 */
export function withoutLiterals(sql: string): string {
  return sql.replaceAll(literals, (_, name: string | undefined) => name ?? '?')
}
