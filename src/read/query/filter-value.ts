import { answeredAtOnce } from '../../errors/ignore-rejection.js'
import { fail, JsonApiError } from '../../errors/json-api-error.js'
import type { FilterValue } from '../../operation/query-parameters.js'
import type { FilterSpec } from '../../resource/filters/filter-spec.js'
import type { Side } from './filter-bound.js'
import { readBound } from './filter-bound.js'
import type { AimedFilter, TextReading } from './filter-text.js'
import { readText, unheld } from './filter-text.js'

/** What a filter is given: what a client sent, or a value of the author's. */
export type Given =
  | { readonly kind: 'sent'; readonly value: FilterValue; readonly parameter: string }
  | { readonly kind: 'own'; readonly value: unknown }

/** The values of a filter by its shape, as they were sent; `misshapen` is what the shape has no room for. */
export type SentTexts =
  | { readonly kind: 'texts'; readonly texts: readonly string[] }
  /** A bound that is not there is open. */
  | { readonly kind: 'bounds'; readonly bounds: readonly (readonly [side: Side, text: string])[] }
  | { readonly kind: 'misshapen'; readonly message: string }

/** One value, or `unheld`. */
export function valueOf(filter: AimedFilter, given: Given): unknown {
  if (given.kind === 'own') return ownValue(given.value, filter)
  return typeof given.value === 'string' ? sentValue(given.value, filter, given.parameter) : unheld
}

/** The members of a set; those that no row holds are left out, and so is null, which is equal to nothing. */
export function valuesOf(filter: AimedFilter, given: Given): readonly unknown[] {
  const values = given.kind === 'own' ? ownValues(given.value, filter) : sentValues(given, filter)
  return values.filter((value) => value !== unheld && value !== null && value !== undefined)
}

export interface Bounds {
  readonly min: unknown
  readonly max: unknown
  /** Whether the maximum is the first value that is too large. */
  readonly maxExcluded: boolean
}

/** The bounds of a range, `null` for those that are open; `null` where there are none at all. */
export function boundsOf(filter: AimedFilter, given: Given): Bounds | null {
  const { min = null, max = null } = given.kind === 'sent' ? sentBounds(given, filter) : {}
  if (min === null && max === null) return null
  return { min: min?.value ?? null, max: max?.value ?? null, maxExcluded: max?.excluded ?? false }
}

/** A value without a column, as the author's own code gets it. */
export function plainValue(spec: FilterSpec, given: Given): unknown {
  if (given.kind === 'own') return given.value
  const plain = plainForm(given.value)
  return spec.deserialize === null ? plain : deserialized(plain, spec.deserialize, given.parameter)
}

/** The texts of a value that was sent, where the filter takes values of that shape. */
export function sentTexts({ shape, delimiter, test }: FilterSpec, value: FilterValue): SentTexts {
  switch (shape) {
    case 'presence':
      return { kind: 'texts', texts: [] }
    case 'set':
      if (isMap(value)) return { kind: 'misshapen', message: 'This must be a list of values.' }
      return { kind: 'texts', texts: members(value, delimiter) }
    case 'range':
      return boundTexts(value)
    case 'value':
      if (test.kind === 'custom' || test.kind === 'all' || test.kind === 'any') {
        return { kind: 'texts', texts: leaves(value) }
      }
      if (typeof value !== 'string') return { kind: 'misshapen', message: 'This must be a single value.' }
      return { kind: 'texts', texts: [value] }
  }
}

/** What is blank is open, and what has no bounds at all asks for nothing. */
function boundTexts(value: FilterValue): SentTexts {
  const bounds: [Side, string][] = []
  for (const side of ['min', 'max'] as const) {
    const bound = isMap(value) ? (value.get(side) ?? '') : ''
    if (typeof bound !== 'string') return { kind: 'misshapen', message: 'A bound must be a single value.' }
    if (bound.trim() !== '') bounds.push([side, bound])
  }
  return { kind: 'bounds', bounds }
}

/** A text is split and its members trimmed; a list is taken as it is. */
function members(value: string | readonly string[], delimiter: string): readonly string[] {
  return typeof value === 'string' ? value.split(delimiter).map((member) => member.trim()) : value
}

function leaves(value: FilterValue): readonly string[] {
  if (typeof value === 'string') return [value]
  return isMap(value) ? [...value.values()].flatMap(leaves) : value
}

function plainForm(value: FilterValue): unknown {
  if (!isMap(value)) return value
  return Object.fromEntries([...value].map(([key, member]) => [key, plainForm(member)]))
}

function isMap(value: FilterValue): value is ReadonlyMap<string, FilterValue> {
  return value instanceof Map
}

function sentValue(text: string, filter: AimedFilter, parameter: string): unknown {
  const { deserialize } = filter.spec
  if (deserialize !== null) return deserialized(text, deserialize, parameter)
  return storedIn(readText(text, filter), unheld)
}

function sentValues({ value, parameter }: Extract<Given, { kind: 'sent' }>, filter: AimedFilter): readonly unknown[] {
  if (isMap(value)) return []
  return members(value, filter.spec.delimiter).map((text) => sentValue(text, filter, parameter))
}

type FoundBounds = { readonly [S in Side]?: { readonly value: unknown; readonly excluded: boolean } }

function sentBounds({ value, parameter }: Extract<Given, { kind: 'sent' }>, filter: AimedFilter): FoundBounds {
  const sent = boundTexts(value)
  if (sent.kind !== 'bounds') return {}
  const { deserialize } = filter.spec
  return Object.fromEntries(
    sent.bounds.map(([side, text]) => {
      if (deserialize !== null) {
        return [side, { value: deserialized(text, deserialize, parameter) ?? unheld, excluded: false }]
      }
      const { reading, excluded } = readBound(text, side, filter)
      return [side, { value: storedIn(reading, unheld), excluded }]
    }),
  )
}

/** A text of the author's is read like a client's, and stays a text where it cannot be. */
function ownValue(value: unknown, filter: AimedFilter): unknown {
  if (typeof value !== 'string') return value
  const { deserialize } = filter.spec
  return deserialize === null ? storedIn(readText(value, filter), value) : atOnce(deserialize(value))
}

function ownValues(value: unknown, filter: AimedFilter): readonly unknown[] {
  const own = typeof value === 'string' ? members(value, filter.spec.delimiter) : value
  return (Array.isArray(own) ? own : [own]).map((member) => ownValue(member, filter))
}

function storedIn(reading: TextReading, otherwise: unknown): unknown {
  return reading.kind === 'fit' ? reading.stored : otherwise
}

/** A text of the client's that makes the author's function throw is the client's fault; an answer that comes later is not. */
function deserialized(value: unknown, deserialize: (value: unknown) => unknown, parameter: string): unknown {
  return atOnce(attempted(() => deserialize(value), parameter))
}

function attempted(read: () => unknown, parameter: string): unknown {
  try {
    return read()
  } catch (thrown) {
    if (JsonApiError.is(thrown)) throw thrown
    return fail('FILTER_VALUE_INVALID', { message: 'This cannot be read.' }, { source: { parameter }, cause: thrown })
  }
}

function atOnce(answer: unknown): unknown {
  return answeredAtOnce('deserializeUsing() of a filter', answer)
}
