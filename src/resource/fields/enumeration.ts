import { isPlainObject } from '../../util/deep-freeze.js'

/**
 * A named set of values with their descriptions, as {@link enumeration} returns it. It is a separate component in every
 * API description (OpenAPI).
 */
export interface Enumeration<Value = unknown> {
  readonly name: string | null
  readonly values: readonly Value[]
  /** In the order of `values`; `null` for a value without a description. */
  readonly descriptions: readonly (string | null)[]
}

/**
 * Creates a named set of values, with a description of each value.
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

/** Returns the enumeration for the argument of `enum()`: an `enumeration()`, a list, or a TypeScript enum object. */
export function enumerationOf(
  source: Enumeration | readonly unknown[] | Readonly<Record<string, unknown>>,
): Enumeration {
  if (isEnumeration(source)) return source
  const values = Array.isArray(source) ? source : enumValues(source as Readonly<Record<string, unknown>>)
  return Object.freeze({ name: null, values: Object.freeze([...values]), descriptions: values.map(() => null) })
}

function isEnumeration(value: unknown): value is Enumeration {
  return isPlainObject(value) && 'descriptions' in value && 'values' in value
}

/** Returns the values of a TypeScript enum. A numeric enum also maps its numbers to names; the names are not values. */
function enumValues(object: Readonly<Record<string, unknown>>): unknown[] {
  return Object.keys(object)
    .filter((key) => typeof object[String(object[key])] !== 'number')
    .map((key) => object[key])
}
