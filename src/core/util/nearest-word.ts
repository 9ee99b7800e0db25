/** Returns the word that is most similar to a mistyped one; null if none is similar. */
export function nearestWord(typed: string, words: readonly string[]): string | null {
  const limit = Math.max(1, Math.floor(typed.length / 3))
  const near = words
    .map((word) => ({ word, edits: editsBetween(typed.toLowerCase(), word.toLowerCase()) }))
    .filter(({ word, edits }) => edits <= limit || (typed.length > 2 && word.startsWith(typed)))
    .toSorted((a, b) => a.edits - b.edits)
  return near[0]?.word ?? null
}

/** Counts insertions, deletions, replacements and swaps of neighbours: the optimal string alignment distance. */
function editsBetween(one: string, other: string): number {
  let [before, last]: [number[], number[]] = [[], Array.from({ length: other.length + 1 }, (_, column) => column)]
  for (let row = 1; row <= one.length; row++) {
    const current = [row]
    for (let column = 1; column <= other.length; column++) {
      const isSame = one[row - 1] === other[column - 1]
      const isSwap = row > 1 && column > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1]
      current[column] = Math.min(
        Number(last[column]) + 1,
        Number(current[column - 1]) + 1,
        Number(last[column - 1]) + (isSame ? 0 : 1),
        isSwap ? Number(before[column - 2]) + 1 : Number.POSITIVE_INFINITY,
      )
    }
    ;[before, last] = [last, current]
  }
  return Number(last[other.length])
}
