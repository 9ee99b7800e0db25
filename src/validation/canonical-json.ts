import { isPlainObject } from '../util/frozen.js'

/** JSON text in which equal values are equal texts: members in the order of their names. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_name, member: unknown) =>
    isPlainObject(member)
      ? Object.fromEntries(Object.entries(member).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  )
}
