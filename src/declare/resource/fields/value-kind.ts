import type { Sentence } from '../../../core/errors/sentence.js'
import type { JsonSchema } from '../parts/json-schema.js'
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
  /** Converts the result of a user-defined function to a value for `read`. */
  returned(value: unknown): unknown
  /** Converts a wire value to a stored value, after validation. */
  write(wire: unknown): unknown
  /**
   * Whether a value that `read` returned can be shown. Stores may hold values that a kind has no wire form for, such as
   * `NaN` in a column of numbers.
   */
  isWireValue(value: unknown): boolean
  /** Returns the remedy if a column holds a value that `isWireValue` refuses, as the end of a sentence. */
  alternative(value: unknown): string
  /** Returns the problem of a text that has the right JSON type. The member is `null` if every text, or no text, is a value. */
  readonly textProblem: ((text: string) => Sentence | null) | null
  /** Whether the value has child attributes, and where they are stored. */
  readonly children: 'none' | 'columns' | 'value' | 'variants'
  /** How stores compare the stored values, independent of the column type. */
  readonly comparedAs: ComparedAs
  /** The type of values in a column that was created for this kind. */
  readonly storageType: StorageType
  /**
   * The type of stored values that `read` returns unchanged, so that callers can skip the call, and that of `isWireValue`; `null` if there is
   * none.
   */
  readonly unconvertedType: 'string' | 'integer' | 'boolean' | null
  /** The wire format; `null` if the values are not dates or times. */
  readonly moment: MomentFormat | null
  /** Whether `read` rounds a number that has more digits than a double. */
  readonly isRounded: boolean
  /** The format of the texts, if no text of a number, a date or a list has it; `null` for other kinds. */
  readonly textFormat: TextFormat | null
  /** The texts of numbers that a double cannot represent; `null` for kinds whose values are not such texts. */
  readonly digits: DigitText | null
}

/** Numbers that are texts on the wire. */
export interface DigitText {
  /** The regular expression of the texts. */
  readonly pattern: string
  /** A sentence about the texts, for descriptions. */
  readonly note: string
  /** Returns a value by which a text is compared with others, in constraints; texts of another form unchanged. */
  valueOf(text: string): bigint | string
}

export type TextFormat = 'uuid' | 'ip' | 'email' | 'url'

/**
 * How stores compare and order the values of a kind.
 *
 * - `text`: by code points, in comparisons and ranges as well as in orders. A value in the column that is not text is
 *   converted to text. Text operators (`like`, `starts`, `ends`) apply to this kind of comparison only.
 * - `number`: by size; text in the column is parsed as a number.
 * - `boolean`: false before true; 0 and 1 in the column represent them.
 * - `moment`: by instant; text in the column is parsed as an instant.
 * - `json`: neither ordered nor compared, except that a list equals a value if one of its items does.
 */
export type ComparedAs = 'text' | 'number' | 'boolean' | 'moment' | 'json'

/**
 * The type of a kind's values in a row, for stores whose columns have no such type: an `instant` is a `Date`, a `date`
 * and a `time` are text, a `bigint` has eight bytes, `json` is any value, and a `list` is an array.
 */
export type StorageType = 'text' | 'number' | 'bigint' | 'boolean' | 'instant' | 'date' | 'time' | 'json' | 'list'

/** The conversion of kinds whose values are stored as they are sent. Callers can skip the call. */
export const unchanged = (value: unknown): unknown => value

function asText(stored: unknown): unknown {
  switch (typeof stored) {
    case 'string':
    case 'undefined':
      return stored
    case 'number':
      return Number.isFinite(stored) ? String(stored) : stored
    case 'boolean':
    case 'bigint':
      return String(stored)
    default:
      return stored
  }
}

function asNumber(stored: unknown): unknown {
  if (typeof stored === 'number') return stored
  if (typeof stored === 'bigint') return Number(stored)
  if (typeof stored === 'string' && stored.trim() !== '') {
    const number = Number(stored)
    return Number.isNaN(number) ? stored : number
  }
  return stored
}

/** A number that JSON cannot show exactly as a whole number is returned unchanged, and so not shown. */
function asInteger(stored: unknown): unknown {
  const number = asNumber(stored)
  return Number.isSafeInteger(number) ? number : stored
}

function withoutFraction(value: unknown): unknown {
  const number = asNumber(value)
  return typeof number === 'number' && Number.isFinite(number) ? Math.trunc(number) : value
}

/** Databases without booleans store 0 and 1. */
function asBoolean(stored: unknown): unknown {
  return stored === 1 || stored === 1n ? true : stored === 0 || stored === 0n ? false : stored
}

const isText = (value: unknown): boolean => typeof value === 'string'
const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null && !Array.isArray(value)

function asList(stored: unknown): unknown {
  return typeof stored === 'object' && stored !== null && Symbol.iterator in stored && !ArrayBuffer.isView(stored)
    ? [...(stored as Iterable<unknown>)]
    : stored
}

const asStringInstead = (): string => 'declare the attribute as a.string(), which shows the text of the column'
const convertedInstead = (): string => 'convert the value with extractUsing()'

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
    returned: unchanged,
    write: unchanged,
    isWireValue: () => true,
    alternative: asStringInstead,
    textProblem: null,
    children: 'none' as const,
    comparedAs: 'json' as const,
    storageType: 'json' as const,
    unconvertedType: null,
    moment: null,
    isRounded: false,
    textFormat: null,
    digits: null,
    ...overrides,
  })
}

/** One object for all text kinds, because a validator compiles each schema object once. */
export const textSchema: JsonSchema = Object.freeze({ type: 'string' })
const textKind = (name: string, overrides: Partial<ValueKind> = {}): ValueKind =>
  valueKind(name, textSchema, ['text'], {
    read: asText,
    isWireValue: isText,
    alternative: convertedInstead,
    comparedAs: 'text',
    storageType: 'text',
    unconvertedType: 'string',
    ...overrides,
  })
export const stringKind: ValueKind = textKind('string')
export const emailKind: ValueKind = textKind('email', { textFormat: 'email' })
export const urlKind: ValueKind = textKind('url', { textFormat: 'url' })
export const uuidKind: ValueKind = textKind('uuid', { textFormat: 'uuid' })
export const slugKind: ValueKind = textKind('slug')

/** Columns of addresses may also hold networks, such as `10.0.0.0/8`, which are not addresses. */
const network = /\/\d{1,3}$/
export const ipKind: ValueKind = textKind('ip', {
  isWireValue: (value) => typeof value === 'string' && !network.test(value),
  alternative: () => 'declare the attribute as a.string(), which shows networks too',
  textFormat: 'ip',
  unconvertedType: null,
})
/** Outside this range the JSON parser rounds numbers, so the stored value would differ from the value that was sent. */
const exactIntegers: JsonSchema = Object.freeze({
  type: 'integer',
  minimum: Number.MIN_SAFE_INTEGER,
  maximum: Number.MAX_SAFE_INTEGER,
})
export const integerKind: ValueKind = valueKind('integer', exactIntegers, ['number'], {
  read: asInteger,
  returned: withoutFraction,
  isWireValue: Number.isSafeInteger,
  alternative: (value) => {
    if (!Number.isFinite(asNumber(value))) return asStringInstead()
    const isWhole = typeof value === 'bigint' || Number.isInteger(asNumber(value))
    return `declare the attribute as ${isWhole ? 'a.bigint()' : 'a.decimal()'}`
  },
  comparedAs: 'number',
  storageType: 'number',
  unconvertedType: 'integer',
})
export const decimalKind: ValueKind = valueKind('decimal', { type: 'number' }, ['number'], {
  read: asNumber,
  isWireValue: Number.isFinite,
  comparedAs: 'number',
  storageType: 'number',
  unconvertedType: 'integer',
  isRounded: true,
})
export const booleanKind: ValueKind = valueKind('boolean', { type: 'boolean' }, [], {
  read: asBoolean,
  isWireValue: (value) => typeof value === 'boolean',
  comparedAs: 'boolean',
  storageType: 'boolean',
  unconvertedType: 'boolean',
})
export const listKind: ValueKind = valueKind('arrayList', { type: 'array' }, ['list'], {
  read: asList,
  isWireValue: Array.isArray,
  alternative: () =>
    'declare the items with of(), or with each(rule.nullable()) if they may be null, or convert the value with extractUsing()',
  storageType: 'list',
})
export const hashKind: ValueKind = valueKind('arrayHash', { type: 'object' }, ['properties'], {
  isWireValue: isObject,
  alternative: convertedInstead,
})
export const mapKind: ValueKind = valueKind('map', { type: 'object' }, ['composite'], { children: 'columns' })
export const objectKind: ValueKind = valueKind('object', { type: 'object' }, ['composite'], {
  children: 'value',
  isWireValue: isObject,
  alternative: convertedInstead,
})
export const oneOfKind: ValueKind = valueKind('oneOf', { type: 'object' }, ['composite'], {
  children: 'variants',
  isWireValue: isObject,
  alternative: convertedInstead,
})
