/** Whether two names are at most two letters apart, so that one may be the other misspelt. */
export function areAlike(one: string, other: string): boolean {
  return Math.abs(one.length - other.length) <= 2 && distance(one, other) <= 2
}

/** How many letters have to be put in, taken out or changed. https://en.wikipedia.org/wiki/Levenshtein_distance */
function distance(one: string, other: string): number {
  let above = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (let row = 1; row <= one.length; row += 1) {
    const line = [row]
    for (let column = 1; column <= other.length; column += 1) {
      const changed = (above[column - 1] ?? 0) + (other[column - 1] === one[row - 1] ? 0 : 1)
      line.push(Math.min(changed, (above[column] ?? 0) + 1, (line[column - 1] ?? 0) + 1))
    }
    above = line
  }
  return above[other.length] ?? 0
}
