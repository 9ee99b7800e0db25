/** Returns a number with its noun: `1 type`, `2 types`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}
