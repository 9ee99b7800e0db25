import type { JsonSchema } from '../json-schema.js'
import type { ValueFamily } from './constraint.js'
import type { MomentFormat } from './moment-format.js'

/**
 * The kind of an attribute's values. Shared code uses these properties and never the name of a concrete kind: only the
 * field kit knows which kinds exist.
 */
export interface ValueKind {
  /** The name in the attribute kit: `string`, `dateTime`. */
  readonly name: string
  /** The families that the values belong to; they decide which constraints can be declared. */
  readonly families: readonly ValueFamily[]
  /** The JSON type, and the format if the kind has one. */
  readonly schema: JsonSchema
  /** Converts a stored value to a wire value. Returns the value unchanged if it cannot be converted. */
  read(stored: unknown): unknown
  /** Converts a wire value to a stored value, after validation. */
  write(wire: unknown): unknown
  /** Whether the value has child attributes, and where they are stored. */
  readonly children: 'none' | 'columns' | 'value' | 'variants'
  /** How stores compare the stored values, independent of the column type. */
  readonly comparedAs: ComparedAs
  /** The type of values in a column that was created for this kind. */
  readonly storageType: StorageType
  /**
   * The type of stored values that `read` returns unchanged, so that callers can skip the call; `null` if there is
   * none.
   */
  readonly unconvertedType: 'string' | 'integer' | 'boolean' | null
  /** The wire format; `null` if the values are not dates or times. */
  readonly moment: MomentFormat | null
}

/**
 * How stores compare and order the values of a kind.
 *
 * - `text`: by code points, in comparisons and ranges as well as in orders. A value in the column that is not text is
 *   converted to text. Text operators (`like`, `starts`, `ends`) apply to this kind of comparison only.
 * - `number`: by size; text in the column is parsed as a number.
 * - `boolean`: false before true; 0 and 1 in the column stand for them.
 * - `moment`: by instant; text in the column is parsed as an instant.
 * - `json`: neither ordered nor compared, except that a list equals a value if one of its items does.
 */
export type ComparedAs = 'text' | 'number' | 'boolean' | 'moment' | 'json'

/**
 * The type of a kind's values in a row, for stores whose columns have no such type: an `instant` is a `Date`, a `date`
 * and a `time` are text, `json` is any value, and a `list` is an array.
 */
export type StorageType = 'text' | 'number' | 'boolean' | 'instant' | 'date' | 'time' | 'json' | 'list'

const unchanged = (value: unknown): unknown => value

function asText(stored: unknown): unknown {
  switch (typeof stored) {
    case 'string':
    case 'undefined':
      return stored
    case 'number':
    case 'boolean':
    case 'bigint':
      return String(stored)
    default:
      return stored
  }
}

function asNumber(stored: unknown): unknown {
  if (typeof stored === 'number') return stored
  // A double cannot represent integers outside the safe range exactly, so these stay bigint and keep all digits.
  if (typeof stored === 'bigint') return Number.isSafeInteger(Number(stored)) ? Number(stored) : stored
  if (typeof stored === 'string' && stored.trim() !== '') {
    const number = Number(stored)
    return Number.isNaN(number) ? stored : number
  }
  return stored
}

function asInteger(stored: unknown): unknown {
  const number = asNumber(stored)
  return typeof number === 'number' && Number.isFinite(number) ? Math.trunc(number) : number
}

function asBoolean(stored: unknown): unknown {
  return stored === null || stored === undefined ? stored : Boolean(stored)
}

function asList(stored: unknown): unknown {
  return typeof stored === 'object' && stored !== null && Symbol.iterator in stored
    ? [...(stored as Iterable<unknown>)]
    : stored
}

/** Creates a value kind. Properties that `overrides` does not name have the default of a plain JSON value. */
export function valueKind(
  name: string,
  schema: JsonSchema,
  families: readonly ValueFamily[],
  overrides: Partial<ValueKind> = {},
): ValueKind {
  return Object.freeze({
    name,
    schema: Object.freeze(schema),
    families: Object.freeze([...families]),
    read: unchanged,
    write: unchanged,
    children: 'none' as const,
    comparedAs: 'json' as const,
    storageType: 'json' as const,
    unconvertedType: null,
    moment: null,
    ...overrides,
  })
}

/** One object for all text kinds, because a validator compiles each schema object once. */
export const textSchema: JsonSchema = Object.freeze({ type: 'string' })
const textKind = (name: string): ValueKind =>
  valueKind(name, textSchema, ['text'], {
    read: asText,
    comparedAs: 'text',
    storageType: 'text',
    unconvertedType: 'string',
  })
export const stringKind: ValueKind = textKind('string')
export const emailKind: ValueKind = textKind('email')
export const urlKind: ValueKind = textKind('url')
export const uuidKind: ValueKind = textKind('uuid')
export const slugKind: ValueKind = textKind('slug')
export const ipKind: ValueKind = textKind('ip')
/** Outside this range the JSON parser rounds numbers, so the stored value would differ from the value that was sent. */
const exactIntegers: JsonSchema = Object.freeze({
  type: 'integer',
  minimum: Number.MIN_SAFE_INTEGER,
  maximum: Number.MAX_SAFE_INTEGER,
})
export const integerKind: ValueKind = valueKind('integer', exactIntegers, ['number'], {
  read: asInteger,
  comparedAs: 'number',
  storageType: 'number',
  unconvertedType: 'integer',
})
export const decimalKind: ValueKind = valueKind('decimal', { type: 'number' }, ['number'], {
  read: asNumber,
  comparedAs: 'number',
  storageType: 'number',
  unconvertedType: 'integer',
})
export const booleanKind: ValueKind = valueKind('boolean', { type: 'boolean' }, [], {
  read: asBoolean,
  comparedAs: 'boolean',
  storageType: 'boolean',
  unconvertedType: 'boolean',
})
export const listKind: ValueKind = valueKind('arrayList', { type: 'array' }, ['list'], {
  read: asList,
  storageType: 'list',
})
export const hashKind: ValueKind = valueKind('arrayHash', { type: 'object' }, ['properties'])
export const mapKind: ValueKind = valueKind('map', { type: 'object' }, ['composite'], { children: 'columns' })
export const objectKind: ValueKind = valueKind('object', { type: 'object' }, ['composite'], { children: 'value' })
export const oneOfKind: ValueKind = valueKind('oneOf', { type: 'object' }, ['composite'], { children: 'variants' })
