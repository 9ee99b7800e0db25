import { isPlainObject } from '../../../core/util/deep-freeze.js'

/** An object of a JSON document. */
export type JsonObject = Readonly<Record<string, unknown>>

const nothing: JsonObject = Object.freeze({})

/** Returns the value if it is an object, else an empty one: documents may have been changed by hand. */
export function objectIn(value: unknown): JsonObject {
  return isPlainObject(value) ? value : nothing
}

export function listIn(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

/** Returns the texts of a list. */
export function textsIn(value: unknown): readonly string[] {
  return listIn(value).filter((item) => typeof item === 'string')
}

export function textIn(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}

/** Returns the JSON of a value with sorted members, so that equal values have equal texts. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_name, member: unknown) =>
    isPlainObject(member)
      ? Object.fromEntries(Object.entries(member).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  )
}

export function numberIn(value: unknown): number | null {
  return typeof value === 'number' ? value : null
}
