import { comparableOf, compareInOrder } from './stored-value.js'

const comparable = comparableOf(null)

/** Compares two keys. Composite keys are compared by their first columns, then by the next ones. */
export function compareKeys(a: unknown, b: unknown): number {
  if (!Array.isArray(a) || !Array.isArray(b)) return compareInOrder(comparable(a), comparable(b))
  for (let index = 0; index < Math.max(a.length, b.length); index++) {
    const order = compareInOrder(comparable(a[index]), comparable(b[index]))
    if (order !== 0) return order
  }
  return 0
}
