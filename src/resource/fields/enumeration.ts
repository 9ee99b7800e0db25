import { isPlainObject } from '../../util/frozen.js'

/** A named set of values, each with what it means: a component of its own in every contract. */
export interface Enumeration<Value = unknown> {
  readonly name: string | null
  readonly values: readonly Value[]
  /** By position; `null` where a value is not described. */
  readonly descriptions: readonly (string | null)[]
}

/**
 * Names a set of values and documents each.
 *
 * @example
 * ```ts
 * const AlbumStatus = enumeration('AlbumStatus', { upcoming: 'Announced, not out yet.', released: 'Out.' })
 * ```
 */
export function enumeration<const Value extends string>(
  name: string,
  values: Readonly<Record<Value, string>> | readonly Value[],
): Enumeration<Value> {
  const entries: [Value, string | null][] = Array.isArray(values)
    ? values.map((value: Value) => [value, null])
    : (Object.entries(values) as [Value, string][])
  return Object.freeze({
    name,
    values: Object.freeze(entries.map(([value]) => value)),
    descriptions: Object.freeze(entries.map(([, description]) => description)),
  })
}

/** The enumeration behind whatever `enum()` was given: one of ours, a list, or a TypeScript enum object. */
export function enumerationOf(
  given: Enumeration | readonly unknown[] | Readonly<Record<string, unknown>>,
): Enumeration {
  if (isEnumeration(given)) return given
  const values = Array.isArray(given) ? given : enumValues(given as Readonly<Record<string, unknown>>)
  return Object.freeze({ name: null, values: Object.freeze([...values]), descriptions: values.map(() => null) })
}

function isEnumeration(given: unknown): given is Enumeration {
  return isPlainObject(given) && 'descriptions' in given && 'values' in given
}

/** A numeric TypeScript enum also maps its numbers back to names; those are not values. */
function enumValues(object: Readonly<Record<string, unknown>>): unknown[] {
  return Object.keys(object)
    .filter((key) => typeof object[String(object[key])] !== 'number')
    .map((key) => object[key])
}
