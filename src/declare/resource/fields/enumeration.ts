import { isPlainObject } from '../../../core/util/deep-freeze.js'

/**
 * A named set of values with their descriptions, as {@link enumeration} returns it. It is a separate component in every
 * API description (OpenAPI).
 */
export interface Enumeration<Value = unknown> {
  readonly name: string | null
  readonly values: readonly Value[]
  /** In the order of `values`; `null` for a value without a description. */
  readonly descriptions: readonly (string | null)[]
  /** The names of the values in programs, in the order of `values`. Default: they have none. */
  readonly names?: readonly string[]
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
    names: Object.freeze(namesOf(entries.map(([value]) => value))),
  })
}

/** Returns an identifier for each text: `in-stock` becomes `InStock`. Texts that would have the same one get a number. */
function namesOf(values: readonly string[]): readonly string[] {
  const taken = new Set<string>()
  return values.map((value) => {
    const words = value.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '')
    const joined = words.map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`).join('')
    const base = /^\p{L}/u.test(joined) ? joined : `_${joined}`
    let name = base
    for (let count = 2; taken.has(name); count += 1) name = `${base}${count}`
    taken.add(name)
    return name
  })
}

/** Returns the enumeration for the argument of `enum()`: an `enumeration()`, a list, or a TypeScript enum object. */
export function enumerationOf(
  source: Enumeration | readonly unknown[] | Readonly<Record<string, unknown>>,
): Enumeration {
  if (isEnumeration(source)) return source
  if (Array.isArray(source)) return unnamed(source)
  const members = source as Readonly<Record<string, unknown>>
  const names = enumKeys(members)
  return Object.freeze({ ...unnamed(names.map((name) => members[name])), names: Object.freeze(names) })
}

function unnamed(values: readonly unknown[]): Enumeration {
  return Object.freeze({ name: null, values: Object.freeze([...values]), descriptions: values.map(() => null) })
}

function isEnumeration(value: unknown): value is Enumeration {
  return isPlainObject(value) && 'descriptions' in value && 'values' in value
}

/** Returns the names of the values of a TypeScript enum. A numeric enum also maps its numbers to names; the numbers are not names. */
function enumKeys(object: Readonly<Record<string, unknown>>): readonly string[] {
  return Object.keys(object).filter((key) => typeof object[String(object[key])] !== 'number')
}
