import type { AttributeSpec } from '../../resource/fields/attribute-declaration.js'
import type { FilterSpec, FilterTest } from '../../resource/filters/filter-spec.js'
import { schemaMessage } from '../../validation/schema-message.js'
import type { QueryTarget } from './query-target.js'

/** A filter and what it aims at; `null` for one that aims at no column. */
export interface AimedFilter {
  readonly spec: FilterSpec
  readonly target: QueryTarget | null
}

/** What a text says to a filter: what it is on the wire, and what rows hold; or why it says nothing. */
export type TextReading =
  | { readonly kind: 'fit'; readonly wire: unknown; readonly stored: unknown }
  | { readonly kind: 'unfit'; readonly message: string }

/** Stands for a value that no row holds. */
export const unheld: unique symbol = Symbol('unheld')

/** Reads a text as a value of what the filter aims at. Texts that the author converts, and parts of texts, stay as they are. */
export function readText(text: string, { spec, target }: AimedFilter): TextReading {
  if (spec.deserialize !== null) return fit(text)
  if (spec.coercion === 'boolean') return fit(isTrue(text))
  if (target === null || seeksText(spec.test)) return fit(text)
  if (spec.coercion === 'number') return ofType('number', text)
  if (target.id !== null) return fit(text, target.id.decode(text) ?? unheld)
  return target.attribute === null ? fit(text) : valueOfAttribute(text, target.attribute)
}

/** Whether a filter looks for a part of a text. */
function seeksText(test: FilterTest): boolean {
  if (test.kind !== 'compare' && test.kind !== 'through') return false
  return test.operator === 'like' || test.operator === 'starts' || test.operator === 'ends'
}

/** A column that holds a list is asked for one of its members. */
function valueOfAttribute(text: string, { kind, items }: AttributeSpec): TextReading {
  if (kind.moment !== null) {
    if (kind.moment.read(text) === null) return unfitMoment(kind.moment.pattern)
    return fit(text, kind.write(text))
  }
  if (kind.families.includes('list')) return ofType(items ?? 'string', text)
  const reading = ofType(String(kind.schema['type']), text)
  return reading.kind === 'fit' ? fit(reading.wire, kind.write(reading.wire)) : reading
}

function ofType(type: string, text: string): TextReading {
  const value = valueOfType(type, text)
  if (value !== undefined) return fit(value)
  const message = schemaMessage({ keyword: 'type', params: { type }, instancePath: '', schemaPath: '' })
  return { kind: 'unfit', message }
}

/** A text as a value of a JSON type, `undefined` when it is none. */
export function valueOfType(type: string, text: string): unknown {
  switch (type) {
    case 'string':
      return text
    case 'integer':
      return numberIn(text, Number.isSafeInteger)
    case 'number':
      return numberIn(text, Number.isFinite)
    case 'boolean':
      return isTrue(text) ? true : isFalse(text) ? false : undefined
    default:
      return undefined
  }
}

const numberForm = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/

function numberIn(text: string, fits: (value: number) => boolean): number | undefined {
  const value = numberForm.test(text) ? Number(text) : Number.NaN
  return fits(value) ? value : undefined
}

function isTrue(text: string): boolean {
  return ['1', 'true', 'on', 'yes'].includes(text.trim().toLowerCase())
}

/** Blank is false: `filter[active]=` asks for what is not active. */
function isFalse(text: string): boolean {
  return ['0', 'false', 'off', 'no', ''].includes(text.trim().toLowerCase())
}

export function fit(wire: unknown, stored: unknown = wire): TextReading {
  return { kind: 'fit', wire, stored }
}

export function unfitMoment(form: string): TextReading {
  return { kind: 'unfit', message: `This must be a real date or time, written ${form}.` }
}
