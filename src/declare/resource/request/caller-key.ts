import { isPlainObject } from '../../../core/util/deep-freeze.js'

/** Members that distinguish callers with the same `id` or `sub`. */
const distinguishing = ['iss', 'kind', 'type'] as const

/**
 * Returns a text that identifies a caller: by its `id` or `sub`, else by all its members. Two callers never have the same text:
 * throws if a member is not plain data, because JSON could omit the difference between two callers.
 */
export function defaultCallerKey(caller: NonNullable<unknown>): string {
  if (typeof caller === 'object') {
    const members = caller as Readonly<Record<string, unknown>>
    for (const name of ['id', 'sub']) {
      const value = members[name]
      if (!isIdentifying(value)) continue
      const others = distinguishing.flatMap((other) => (isIdentifying(members[other]) ? [[other, members[other]]] : []))
      return plainJson([[name, value], ...others])
    }
  }
  return plainJson(caller)
}

function isIdentifying(value: unknown): boolean {
  return (typeof value === 'string' && value !== '') || typeof value === 'number' || typeof value === 'bigint'
}

/** Writes plain data as JSON, with the members of objects in the order of their names. */
function plainJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(plainJson).join(',')}]`
  if (isPlainObject(value)) {
    const members = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
    return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${plainJson(member)}`).join(',')}}`
  }
  if (value instanceof Date) return `date ${value.getTime()}`
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return JSON.stringify(value)
    case 'number':
    case 'bigint':
    case 'undefined':
      return `${typeof value} ${String(value)}`
    default:
      if (value === null) return 'null'
      throw new TypeError(
        "The caller has no 'id' and no 'sub', and members that are not plain data: give a function that returns its key, 'callerKey' of the setting 'idempotency', 'key' of rateLimit().",
      )
  }
}
