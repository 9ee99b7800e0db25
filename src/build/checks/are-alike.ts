/** Whether two names differ by at most two letters, so that one may be a misspelling of the other. */
export function areAlike(one: string, other: string): boolean {
  return Math.abs(one.length - other.length) <= 2 && distance(one, other) <= 2
}

/** The number of letters to insert, delete or replace. https://en.wikipedia.org/wiki/Levenshtein_distance */
function distance(one: string, other: string): number {
  let previousRow = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (let row = 1; row <= one.length; row += 1) {
    const currentRow = [row]
    for (let column = 1; column <= other.length; column += 1) {
      const replaced = (previousRow[column - 1] ?? 0) + (other[column - 1] === one[row - 1] ? 0 : 1)
      currentRow.push(Math.min(replaced, (previousRow[column] ?? 0) + 1, (currentRow[column - 1] ?? 0) + 1))
    }
    previousRow = currentRow
  }
  return previousRow[other.length] ?? 0
}
