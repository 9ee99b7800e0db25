/**
 * Returns the first part of a quotation that a text does not have, in order; `null` if it has them all. Parts are separated by lines of
 * `// …` or `# …`. They may be indented less than in the text, all of their lines alike.
 */
export function missingPiece(quotation: string, text: string): string | null {
  const lines = text.split('\n')
  let from = 0
  for (const piece of piecesOf(quotation)) {
    const found = placeOf(piece, lines, from)
    if (found === null) return piece.join('\n')
    from = found + piece.length
  }
  return null
}

function piecesOf(quotation: string): readonly (readonly string[])[] {
  return quotation
    .split(/^\s*(?:\/\/|#) …$/m)
    .map((piece) => piece.split('\n'))
    .map((piece) => piece.slice(piece.findIndex(hasWords), piece.findLastIndex(hasWords) + 1))
    .filter((piece) => piece.length > 0)
}

function placeOf(piece: readonly string[], lines: readonly string[], from: number): number | null {
  const wanted = outdented(piece)
  for (let at = from; at + piece.length <= lines.length; at += 1) {
    if (outdented(lines.slice(at, at + piece.length)) === wanted) return at
  }
  return null
}

function outdented(lines: readonly string[]): string {
  const indent = Math.min(...lines.filter(hasWords).map((line) => line.search(/\S/)))
  return lines.map((line) => line.slice(indent)).join('\n')
}

function hasWords(line: string): boolean {
  return line.trim() !== ''
}
