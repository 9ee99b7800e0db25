import { requireSynchronous } from '../../../core/errors/ignore-rejection.js'
import { fail, JsonApiError } from '../../../core/errors/json-api-error.js'
import type { Sentence } from '../../../core/errors/sentence.js'
import { sentence } from '../../../core/errors/sentence.js'
import type { FilterValue } from '../../operation/query-parameters.js'
import type { FilterSpec } from '../../../declare/resource/filters/filter-spec.js'
import { isPlainObject } from '../../../core/util/deep-freeze.js'
import type { BoundSide } from './filter-bound.js'
import { readBound } from './filter-bound.js'
import type { TargetedFilter, TextReading } from './filter-text.js'
import { readText, valueOfNoRow } from './filter-text.js'

/** The input of a filter: a value that a client sent, or a value that the application declared. */
export type FilterInput =
  | { readonly kind: 'sent'; readonly value: FilterValue; readonly parameter: string }
  /** Composed filters pass the value of a client on, with its parameter. */
  | { readonly kind: 'declared'; readonly value: unknown; readonly parameter?: string | undefined }

/** The texts of a sent value, by the shape of the filter; `misshapen` if the value does not have that shape. */
export type SentTexts =
  | { readonly kind: 'texts'; readonly texts: readonly string[] }
  /** A missing bound is open. */
  | { readonly kind: 'bounds'; readonly bounds: readonly (readonly [side: BoundSide, text: string])[] }
  | { readonly kind: 'misshapen'; readonly message: Sentence }

/** Returns the value to compare with; `valueOfNoRow` if no row has it. */
export function comparedValue(filter: TargetedFilter, input: FilterInput): unknown {
  if (input.kind === 'declared') return declaredValue(input.value, filter)
  return typeof input.value === 'string' ? sentValue(input.value, filter, input.parameter) : valueOfNoRow
}

/** Returns the members of a set, without null, which equals nothing, and without values that no row has. */
export function comparedValues(filter: TargetedFilter, input: FilterInput): readonly unknown[] {
  const values = input.kind === 'declared' ? declaredValues(input.value, filter) : sentValues(input, filter)
  return values.filter((value) => value !== valueOfNoRow && value !== null && value !== undefined)
}

export interface FilterBounds {
  readonly min: unknown
  readonly max: unknown
  /** Whether the maximum itself is too large. */
  readonly maxExcluded: boolean
}

/**
 * Returns the bounds of a range, with `null` for an open bound; `null` if both are open. A composed filter passes its value to a range.
 * If that is not an object, no row is in the range.
 */
export function comparedBounds(filter: TargetedFilter, input: FilterInput): FilterBounds | null {
  const { min = null, max = null } =
    input.kind === 'sent' ? sentBounds(input, filter) : declaredBounds(input.value, filter)
  if (min === null && max === null) return null
  return { min: min?.value ?? null, max: max?.value ?? null, maxExcluded: max?.excluded ?? false }
}

/** Returns a value that is not compared with a column, in the form that user-defined code gets. */
export function plainFilterValue(spec: FilterSpec, input: FilterInput): unknown {
  if (input.kind === 'declared') return input.value
  const plain = plainForm(input.value)
  return spec.deserialize === null ? plain : deserialized(plain, spec.deserialize, input.parameter)
}

/** Returns the texts of a sent value, if it has the shape that the filter accepts. */
export function sentTexts({ shape, delimiter, test }: FilterSpec, value: FilterValue): SentTexts {
  switch (shape) {
    case 'presence':
      return { kind: 'texts', texts: [] }
    case 'set':
      if (isMap(value)) return { kind: 'misshapen', message: sentence('listOfValues') }
      return { kind: 'texts', texts: members(value, delimiter) }
    case 'range':
      return boundTexts(value)
    case 'value':
      if (test.kind === 'custom' || test.kind === 'composed' || test.kind === 'all' || test.kind === 'any') {
        return { kind: 'texts', texts: leaves(value) }
      }
      if (typeof value !== 'string') return { kind: 'misshapen', message: sentence('singleValue') }
      return { kind: 'texts', texts: [value] }
  }
}

/** Returns the bounds of a sent range. A blank bound is open. Refuses a value that is not a map: it would match every row. */
function boundTexts(value: FilterValue): SentTexts {
  if (!isMap(value)) {
    return { kind: 'misshapen', message: sentence('bounds') }
  }
  const unknown = [...value.keys()].find((key) => key !== 'min' && key !== 'max')
  if (unknown !== undefined) {
    return { kind: 'misshapen', message: sentence('knownBounds', { bound: unknown }) }
  }
  const bounds: [BoundSide, string][] = []
  for (const side of ['min', 'max'] as const) {
    const bound = value.get(side) ?? ''
    if (typeof bound !== 'string') return { kind: 'misshapen', message: sentence('singleBound') }
    if (bound.trim() !== '') bounds.push([side, bound])
  }
  return { kind: 'bounds', bounds }
}

/** Splits a text at the delimiter and trims its members; a list stays as it is. */
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

function sentValue(text: string, filter: TargetedFilter, parameter: string): unknown {
  const { deserialize } = filter.spec
  if (deserialize !== null) return deserialized(text, deserialize, parameter)
  return storedValueOf(readText(text, filter), valueOfNoRow)
}

function sentValues(
  { value, parameter }: Extract<FilterInput, { kind: 'sent' }>,
  filter: TargetedFilter,
): readonly unknown[] {
  if (isMap(value)) return []
  return members(value, filter.spec.delimiter).map((text) => sentValue(text, filter, parameter))
}

type FoundBounds = { readonly [S in BoundSide]?: { readonly value: unknown; readonly excluded: boolean } }

function sentBounds({ value, parameter }: Extract<FilterInput, { kind: 'sent' }>, filter: TargetedFilter): FoundBounds {
  const sent = boundTexts(value)
  if (sent.kind !== 'bounds') return {}
  const { deserialize } = filter.spec
  return Object.fromEntries(
    sent.bounds.map(([side, text]) => {
      if (deserialize !== null) {
        return [side, { value: deserialized(text, deserialize, parameter) ?? valueOfNoRow, excluded: false }]
      }
      const { reading, excluded } = readBound(text, side, filter)
      return [side, { value: storedValueOf(reading, valueOfNoRow), excluded }]
    }),
  )
}

function declaredBounds(value: unknown, filter: TargetedFilter): FoundBounds {
  if (!isPlainObject(value)) return { min: { value: valueOfNoRow, excluded: false } }
  const sides = (['min', 'max'] as const).filter((side) => {
    const bound: unknown = value[side] ?? ''
    return typeof bound !== 'string' || bound.trim() !== ''
  })
  return Object.fromEntries(sides.map((side) => [side, declaredBound(value[side], side, filter)]))
}

function declaredBound(bound: unknown, side: BoundSide, filter: TargetedFilter): NonNullable<FoundBounds[BoundSide]> {
  if (typeof bound !== 'string' || filter.spec.deserialize !== null) {
    return { value: declaredValue(bound, filter), excluded: false }
  }
  const { reading, excluded } = readBound(bound, side, filter)
  return { value: storedValueOf(reading, valueOfNoRow), excluded }
}

/** Parses a declared text like one from a client. It stays a text if it cannot be parsed. */
function declaredValue(value: unknown, filter: TargetedFilter): unknown {
  if (typeof value !== 'string') return value
  const { deserialize } = filter.spec
  // The store parses the number, because a double may have fewer digits than the column.
  if (filter.target?.column.asStored === 'number' && deserialize === null) return value
  return deserialize === null ? storedValueOf(readText(value, filter), value) : requireSync(deserialize(value))
}

function declaredValues(value: unknown, filter: TargetedFilter): readonly unknown[] {
  const isSplit = typeof value === 'string' && filter.spec.byColumn !== true
  const list = isSplit ? members(value, filter.spec.delimiter) : value
  return (Array.isArray(list) ? list : [list]).map((member) => declaredValue(member, filter))
}

function storedValueOf(reading: TextReading, fallback: unknown): unknown {
  return reading.kind === 'fit' ? reading.stored : fallback
}

/**
 * Calls a user-defined function. If it throws for the value of a client, that is an error of the client; if it
 * returns a promise, that is an error of the application.
 */
function deserialized(value: unknown, deserialize: (value: unknown) => unknown, parameter: string): unknown {
  return requireSync(callOrFail(() => deserialize(value), parameter))
}

function callOrFail(read: () => unknown, parameter: string): unknown {
  try {
    return read()
  } catch (thrown) {
    if (JsonApiError.is(thrown)) throw thrown
    return fail('FILTER_VALUE_INVALID', { message: sentence('readable') }, { source: { parameter }, cause: thrown })
  }
}

function requireSync(result: unknown): unknown {
  return requireSynchronous('deserializeUsing() of a filter', result)
}
