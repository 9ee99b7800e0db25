/** A line of a difference: `+` was added, `-` was removed, a blank is in both. */
export interface DiffLine {
  readonly sign: '+' | '-' | ' '
  readonly text: string
}

const context = 2

/** Returns the lines in which two texts differ, with the lines around them; a line `…` represents omitted lines. */
export function diffLines(before: string, after: string): readonly DiffLine[] {
  const all = comparedLines(linesOf(before), linesOf(after))
  const isNear = (index: number): boolean =>
    all.slice(Math.max(0, index - context), index + context + 1).some(({ sign }) => sign !== ' ')
  const shown: DiffLine[] = []
  for (const [index, line] of all.entries()) {
    if (isNear(index)) shown.push(line)
    else if (shown.length > 0 && shown.at(-1)?.text !== '…') shown.push({ sign: ' ', text: '…' })
  }
  return shown.at(-1)?.text === '…' ? shown.slice(0, -1) : shown
}

function linesOf(text: string): readonly string[] {
  return text === '' ? [] : text.replace(/\n$/, '').split('\n')
}

/** Compares by the longest common subsequence. */
function comparedLines(before: readonly string[], after: readonly string[]): readonly DiffLine[] {
  const lengths = Array.from({ length: before.length + 1 }, () => new Uint32Array(after.length + 1))
  const at = (row: number, column: number): number => lengths[row]?.[column] ?? 0
  for (let row = before.length - 1; row >= 0; row--) {
    for (let column = after.length - 1; column >= 0; column--) {
      const value =
        before[row] === after[column] ? at(row + 1, column + 1) + 1 : Math.max(at(row + 1, column), at(row, column + 1))
      lengths[row]?.fill(value, column, column + 1)
    }
  }
  const lines: DiffLine[] = []
  let [row, column] = [0, 0]
  while (row < before.length || column < after.length) {
    if (row < before.length && before[row] === after[column]) {
      lines.push({ sign: ' ', text: before[row++] ?? '' })
      column++
    } else if (column >= after.length || (row < before.length && at(row + 1, column) >= at(row, column + 1))) {
      lines.push({ sign: '-', text: before[row++] ?? '' })
    } else lines.push({ sign: '+', text: after[column++] ?? '' })
  }
  return lines
}
