/** Matches texts, quoted names and comments, whose content is ignored; then words, and single characters. */
const scanner = /'(?:[^']|'')*'|"(?:[^"]|"")*"|`[^`]*`|\[[^\]]*\]|--[^\n]*|\/\*[^]*?\*\/|[\p{L}_][\p{L}\p{N}_$]*|[^]/gu

/** Returns the expressions of the checks in a `create table` statement, because SQLite does not list them elsewhere. */
export function checksIn(statement: string): readonly string[] {
  const tokens = statement.match(scanner) ?? []
  return tokens.flatMap((token, index) => {
    if (token.toLowerCase() !== 'check') return []
    const start = tokens.findIndex((other, at) => at > index && other === '(')
    const isNext = tokens.slice(index + 1, start).every((between) => between.trim() === '')
    return start === -1 || !isNext ? [] : [contentFrom(tokens, start)]
  })
}

/** Returns the text between the parenthesis at a position and the one that closes it. */
function contentFrom(tokens: readonly string[], start: number): string {
  let depth = 0
  for (let end = start; end < tokens.length; end++) {
    if (tokens[end] === '(') depth++
    if (tokens[end] === ')') depth--
    if (depth === 0)
      return tokens
        .slice(start + 1, end)
        .join('')
        .trim()
  }
  return ''
}
