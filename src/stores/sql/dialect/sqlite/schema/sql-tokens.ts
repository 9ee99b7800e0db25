/** Matches texts, quoted names and comments, whose content is ignored; then words, and single characters. */
const scanner = /'(?:[^']|'')*'|"(?:[^"]|"")*"|`[^`]*`|\[[^\]]*\]|--[^\n]*|\/\*[^]*?\*\/|[\p{L}_][\p{L}\p{N}_$]*|[^]/gu

export function tokensOf(text: string): readonly string[] {
  return text.match(scanner) ?? []
}

/** Returns the text between the parenthesis that tokens begin with and the one that closes it. */
export function contentOf(tokens: readonly string[]): string {
  let depth = 0
  const end = tokens.findIndex((token) => {
    if (token === '(') depth++
    if (token === ')') depth--
    return depth === 0
  })
  return tokens.slice(1, Math.max(end, 1)).join('').trim()
}
