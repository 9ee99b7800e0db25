import type { JsonSchema } from '../json-schema.js'
import type { ValueFamily } from './constraint.js'
import type { MomentFormat } from './moment-format.js'

/**
 * What an attribute's values are: everything that shared code may ask about them. Nothing outside the field kit knows
 * which kinds there are.
 */
export interface ValueKind {
  /** As the kit spells it: `string`, `dateTime`. */
  readonly name: string
  /** The families of constraints that make sense on the value. */
  readonly families: readonly ValueFamily[]
  /** The JSON type, and the format where the kind has one. */
  readonly schema: JsonSchema
  /** Stored to wire. Passes on what it cannot convert. */
  read(stored: unknown): unknown
  /** Wire to stored, after the value was found valid. */
  write(wire: unknown): unknown
  /** Whether the value has children of its own, and where they are stored. */
  readonly children: 'none' | 'columns' | 'value' | 'variants'
  /** What stores compare stored values as, whatever their columns hold. */
  readonly comparedAs: ComparedAs
  /** What a column holds that was made for such values. */
  readonly keptAs: KeptAs
  /** Values of which JavaScript type `read` passes on as they are stored: nobody needs to ask it then. */
  readonly readsAsIs: 'string' | 'integer' | 'boolean' | null
  /** How moments are written, for the kinds that are moments. */
  readonly moment: MomentFormat | null
}

/**
 * How stores compare and order the values of a kind.
 *
 * - `text`: by code points, in comparisons and ranges as well as in orders. What is no text in the column is compared as
 *   its text. Text operators look at nothing else.
 * - `number`: by size; text in the column is the number that it spells.
 * - `boolean`: false before true; 0 and 1 stand for them.
 * - `moment`: by instant, whether the column holds instants or text that spells some.
 * - `json`: neither ordered nor compared; of a list, each member may be equal to a value.
 */
export type ComparedAs = 'text' | 'number' | 'boolean' | 'moment' | 'json'

/**
 * What the values of a kind are in a row, for stores whose columns do not say it: an `instant` is a `Date`, a `date` and a
 * `time` are text, `json` is any value and a `list` an array.
 */
export type KeptAs = 'text' | 'number' | 'boolean' | 'instant' | 'date' | 'time' | 'json' | 'list'

const same = (value: unknown): unknown => value

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
  // Beyond these a double is another number; the digits are shown as they are.
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

/** A kind; what is not said is the plain case. */
export function valueKind(
  name: string,
  schema: JsonSchema,
  families: readonly ValueFamily[],
  rest: Partial<ValueKind> = {},
): ValueKind {
  return Object.freeze({
    name,
    schema: Object.freeze(schema),
    families: Object.freeze([...families]),
    read: same,
    write: same,
    children: 'none' as const,
    comparedAs: 'json' as const,
    keptAs: 'json' as const,
    readsAsIs: null,
    moment: null,
    ...rest,
  })
}

/** One object for all: a validator compiles each schema object once. */
export const textSchema: JsonSchema = Object.freeze({ type: 'string' })
const textKind = (name: string): ValueKind =>
  valueKind(name, textSchema, ['text'], { read: asText, comparedAs: 'text', keptAs: 'text', readsAsIs: 'string' })
export const stringKind: ValueKind = textKind('string')
export const emailKind: ValueKind = textKind('email')
export const urlKind: ValueKind = textKind('url')
export const uuidKind: ValueKind = textKind('uuid')
export const slugKind: ValueKind = textKind('slug')
export const ipKind: ValueKind = textKind('ip')
/** Beyond these a number of JSON is rounded on its way in, so what would be stored is not what was sent. */
const exactIntegers: JsonSchema = Object.freeze({
  type: 'integer',
  minimum: Number.MIN_SAFE_INTEGER,
  maximum: Number.MAX_SAFE_INTEGER,
})
export const integerKind: ValueKind = valueKind('integer', exactIntegers, ['number'], {
  read: asInteger,
  comparedAs: 'number',
  keptAs: 'number',
  readsAsIs: 'integer',
})
export const decimalKind: ValueKind = valueKind('decimal', { type: 'number' }, ['number'], {
  read: asNumber,
  comparedAs: 'number',
  keptAs: 'number',
  readsAsIs: 'integer',
})
export const booleanKind: ValueKind = valueKind('boolean', { type: 'boolean' }, [], {
  read: asBoolean,
  comparedAs: 'boolean',
  keptAs: 'boolean',
  readsAsIs: 'boolean',
})
export const listKind: ValueKind = valueKind('arrayList', { type: 'array' }, ['list'], { read: asList, keptAs: 'list' })
export const hashKind: ValueKind = valueKind('arrayHash', { type: 'object' }, ['properties'])
export const mapKind: ValueKind = valueKind('map', { type: 'object' }, ['composite'], { children: 'columns' })
export const objectKind: ValueKind = valueKind('object', { type: 'object' }, ['composite'], { children: 'value' })
export const oneOfKind: ValueKind = valueKind('oneOf', { type: 'object' }, ['composite'], { children: 'variants' })
