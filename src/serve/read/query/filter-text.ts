import type { Sentence } from '../../../core/errors/sentence.js'
import { sentence } from '../../../core/errors/sentence.js'
import type { AttributeSpec } from '../../../declare/resource/fields/attribute-declaration.js'
import { itemKinds } from '../../../declare/resource/fields/list-kinds.js'
import type { ValueKind } from '../../../declare/resource/fields/value-kind.js'
import type { FilterSpec, FilterTest } from '../../../declare/resource/filters/filter-spec.js'
import { typeSentence } from '../../validation/schema-message.js'
import type { ColumnTarget } from './column-target.js'

/** A filter and the column that it filters by; `null` if it filters by no column. */
export interface TargetedFilter {
  readonly spec: FilterSpec
  readonly target: ColumnTarget | null
}

/** A parsed text of a filter: its wire value and its stored value, or a message if it is invalid. */
export type TextReading =
  | { readonly kind: 'fit'; readonly wire: unknown; readonly stored: unknown }
  | { readonly kind: 'unfit'; readonly message: Sentence }

/** Represents a value that no row has. */
export const valueOfNoRow: unique symbol = Symbol('valueOfNoRow')

/**
 * Parses a text as a value of the filtered column. The text stays as it is if a user-defined function converts it, or
 * if the filter searches for a part of a text.
 */
export function readText(text: string, { spec, target }: TargetedFilter): TextReading {
  if (spec.deserialize !== null) return fitReading(text)
  if (spec.coercion === 'boolean') return fitReading(isTrue(text))
  if (target === null || searchesText(spec.test)) return fitReading(text)
  if (spec.coercion === 'number' && !hasDigits(target)) return readAsType('number', text)
  if (target.id !== null) return fitReading(text, target.id.decode(text) ?? valueOfNoRow)
  return target.attribute === null ? fitReading(text) : readAsAttribute(text, target.attribute)
}

/** Whether numbers are strings of digits, of which a double would lose some. */
function hasDigits({ attribute }: ColumnTarget): boolean {
  return attribute !== null && attribute.kind.digits !== null
}

/** Whether a filter searches for a part of a text. */
function searchesText(test: FilterTest): boolean {
  if (test.kind !== 'compare' && test.kind !== 'through') return false
  return test.operator === 'like' || test.operator === 'starts' || test.operator === 'ends'
}

/** Parses a text as a value of an attribute. A column that holds a list is filtered by one of its items. */
function readAsAttribute(text: string, { kind, items }: AttributeSpec): TextReading {
  if (kind.moment !== null) {
    if (kind.moment.read(text) === null) return unfitMomentReading(kind.moment.pattern)
    return fitReading(text, kind.write(text))
  }
  if (kind.families.includes('list')) return readAsKind(itemKinds[items ?? 'string'], text)
  const reading = readAsKind(kind, text)
  return reading.kind === 'fit' ? fitReading(reading.wire, kind.write(reading.wire)) : reading
}

function readAsKind({ schema, textProblem }: ValueKind, text: string): TextReading {
  const problem = textProblem?.(text) ?? null
  return problem === null ? readAsType(String(schema['type']), text) : { kind: 'unfit', message: problem }
}

function readAsType(type: string, text: string): TextReading {
  const value = valueOfType(type, text)
  if (value !== undefined) return fitReading(value)
  return { kind: 'unfit', message: typeSentence(type) }
}

/** Parses a text as a value of a JSON type; `undefined` if it is not one. */
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

const numberPattern = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/

function numberIn(text: string, fits: (value: number) => boolean): number | undefined {
  const value = numberPattern.test(text) ? Number(text) : Number.NaN
  return fits(value) ? value : undefined
}

function isTrue(text: string): boolean {
  return ['1', 'true', 'on', 'yes'].includes(text.trim().toLowerCase())
}

/** Whether a text means false. A blank text does: `filter[active]=` finds resources that are not active. */
function isFalse(text: string): boolean {
  return ['0', 'false', 'off', 'no', ''].includes(text.trim().toLowerCase())
}

export function fitReading(wire: unknown, stored: unknown = wire): TextReading {
  return { kind: 'fit', wire, stored }
}

export function unfitMomentReading(pattern: string): TextReading {
  return { kind: 'unfit', message: sentence('momentForm', { pattern }) }
}
