import type { RawBuilder } from 'kysely'
import { sql } from 'kysely'
import type { ComparedAs } from '../../../resource/fields/value-kind.js'
import type { QueryColumn } from '../../../resource/querying/row-condition.js'
import { keyText } from '../../row-query/key-text.js'
import { comparableOf } from '../../row-query/stored-value.js'
import type { EngineName } from '../driver/sql-driver.js'
import type { ColumnType } from '../schema/column-type.js'
import type { SqlColumn } from '../schema/sql-table.js'

/** A value as it is compared with a column. */
export interface Operand {
  readonly value: unknown
  /** The type that PostgreSQL is told the value has; `null` where the engine does not ask. */
  readonly type: string | null
  /** Whether the column has to be read at a finer grain for it, as a day that is compared with an instant. */
  readonly fine: boolean
}

/** How the values of a column are compared with others. */
export interface ComparedColumn {
  readonly as: ComparedAs | 'key'
  /** Notes what its part of the text depends on. */
  readonly name: string
  /** `null` for what no value of the column can be compared with. */
  readonly operand: (asked: unknown) => Operand | null
  /** The column as it is compared, by its reference. */
  read(reference: RawBuilder<unknown>, fine: boolean): RawBuilder<unknown>
  /** The same in orders and ranges: text goes by code points. */
  inOrder(reference: RawBuilder<unknown>, fine: boolean): RawBuilder<unknown>
}

/** Keys are compared as the column holds them, everything else by what its kind says, or else by what the column holds. */
export function comparedColumn(
  column: SqlColumn,
  { kind, isKey }: Pick<QueryColumn, 'kind' | 'isKey'>,
  engine: EngineName,
): ComparedColumn {
  const as = isKey ? 'key' : (kind?.comparedAs ?? naturally(column.type))
  const operandOf = isKey ? keyOperand : operands[kind?.comparedAs ?? naturally(column.type)]
  const read = (reference: RawBuilder<unknown>, fine: boolean): RawBuilder<unknown> =>
    readAs[as](reference, { type: column.type, isUniform: column.isUniform, engine, fine })
  const isText = as === 'text' || (isKey && textual.has(column.type))
  const collates = engine === 'postgres' && isText && column.type !== 'uuid'
  return {
    as,
    name: `${column.name} ${column.type} ${as} ${column.isUniform}`,
    operand: (asked) => operandOf(asked, column.type, engine),
    read,
    inOrder: (reference, fine) => (collates ? sql`${read(reference, fine)} collate "C"` : read(reference, fine)),
  }
}

const textual: ReadonlySet<ColumnType> = new Set(['text', 'other'])

/** What a column holds, where no attribute says. */
function naturally(type: ColumnType): ComparedAs {
  switch (type) {
    case 'integer':
    case 'bigint':
    case 'number':
    case 'decimal':
      return 'number'
    case 'boolean':
      return 'boolean'
    case 'instant':
    case 'timestamp':
    case 'epochSeconds':
    case 'epochMilliseconds':
    case 'date':
    case 'time':
      return 'moment'
    case 'json':
    case 'list':
      return 'json'
    default:
      return 'text'
  }
}

type OperandOf = (asked: unknown, type: ColumnType, engine: EngineName) => Operand | null

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Only the text that the column itself would show is a value of it. */
function textOperand(asked: unknown, type: ColumnType): Operand | null {
  const text = comparableOf({ comparedAs: 'text' })(asked)
  if (text instanceof Date) return plain(text.toISOString(), 'text')
  if (typeof text !== 'string') return null
  if (type !== 'uuid') return plain(text, 'text')
  return uuid.test(text) ? plain(text, 'uuid') : null
}

function numberOperand(asked: unknown, type: ColumnType, engine: EngineName): Operand | null {
  const number = comparableOf({ comparedAs: 'number' })(asked)
  if (typeof number !== 'number' && typeof number !== 'bigint') return null
  if (engine === 'sqlite') return plain(fitting(number), null)
  if (type === 'number') return plain(number, 'float8')
  return isInt8(number) ? plain(String(number), 'int8') : plain(decimalText(number), 'numeric')
}

const [smallest, largest] = [-(2n ** 63n), 2n ** 63n - 1n]

function isInt8(number: number | bigint): boolean {
  if (typeof number === 'number' && !Number.isInteger(number)) return false
  const exact = BigInt(number)
  return exact >= smallest && exact <= largest
}

/** PostgreSQL knows no infinite numerics before its version 14; no finite one is as large. */
function decimalText(number: number | bigint): string {
  return Number.isFinite(Number(number)) ? String(number) : number > 0 ? '1e400' : '-1e400'
}

/** SQLite binds integers of 64 bits; beyond them a double is as near as it gets. */
function fitting(number: number | bigint): number | bigint {
  if (typeof number === 'bigint' && !isInt8(number)) return Number(number)
  return number
}

function booleanOperand(asked: unknown, type: ColumnType, engine: EngineName): Operand | null {
  const truth = comparableOf({ comparedAs: 'boolean' })(asked)
  if (typeof truth !== 'number' && typeof truth !== 'bigint') return null
  if (engine === 'sqlite' || type !== 'boolean') return numberOperand(truth, type, engine)
  return truth === 0 || truth === 1 ? plain(truth === 1, 'bool') : null
}

/** A cursor may hold more digits than a `Date`: those that PostgreSQL keeps. */
const finerThanDates = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{4,6}Z$/

function momentOperand(asked: unknown, type: ColumnType, engine: EngineName): Operand | null {
  const moment = comparableOf({ comparedAs: 'moment' })(asked)
  if (!(moment instanceof Date)) return null
  if (type === 'epochSeconds') return plain(moment.getTime() / 1000, 'float8')
  if (type === 'epochMilliseconds') return plain(moment.getTime(), 'float8')
  const iso = typeof asked === 'string' && finerThanDates.test(asked) ? asked : moment.toISOString()
  if (!fourDigits.test(iso)) return beyondCalendar(moment, type, engine)
  const [day, time] = [iso.slice(0, 10), iso.slice(11, -1)]
  switch (type) {
    case 'date':
      return time === '00:00:00.000' ? plain(day, 'date') : { ...instant(iso, engine), fine: true }
    case 'time':
      return day === '1970-01-01' ? plain(time.replace(/\.000$/, ''), 'time') : null
    case 'timestamp':
      return plain(iso.slice(0, -1), 'timestamp')
    default:
      return instant(iso, engine)
  }
}

const fourDigits = /^\d{4}-/

/** What a bound is that no year of four digits holds, such as the day after the last one: all that is stored lies below, or above. */
function beyondCalendar(moment: Date, type: ColumnType, engine: EngineName): Operand | null {
  const isLate = moment.getTime() > 0
  if (type === 'time') return null
  if (engine === 'sqlite') return plain(isLate ? '~' : '', null)
  return plain(isLate ? 'infinity' : '-infinity', typeNames[type] ?? 'timestamptz')
}

function instant(iso: string, engine: EngineName): Operand {
  return plain(iso, engine === 'postgres' ? 'timestamptz' : null)
}

/** Of lists, members are compared, as texts. */
function jsonOperand(asked: unknown): Operand | null {
  const value = comparableOf(null)(asked)
  if (value === null) return null
  return plain(value instanceof Date ? value.toISOString() : String(value), 'text')
}

/** `01` is not the key 1, and no key where keys are numbers. */
function keyOperand(asked: unknown, type: ColumnType, engine: EngineName): Operand | null {
  const text = keyText(asked)
  if (text === null) return null
  switch (type) {
    case 'integer':
    case 'bigint':
    case 'number':
    case 'decimal':
      return /^(?:0|-?[1-9]\d{0,18})$/.test(text) ? numberOperand(text, type, engine) : null
    case 'uuid':
      return engine === 'sqlite' ? plain(text, null) : textOperand(text, type)
    case 'boolean':
      return booleanOperand(text, type, engine)
    case 'instant':
    case 'timestamp':
    case 'epochSeconds':
    case 'epochMilliseconds':
    case 'date':
    case 'time':
      return momentOperand(text, type, engine)
    default:
      return plain(text, 'text')
  }
}

const operands: Readonly<Record<ComparedAs, OperandOf>> = {
  text: textOperand,
  number: numberOperand,
  boolean: booleanOperand,
  moment: momentOperand,
  json: jsonOperand,
}

function plain(value: unknown, type: string | null): Operand {
  return { value, type, fine: false }
}

interface ReadColumn {
  readonly type: ColumnType
  readonly isUniform: boolean
  readonly engine: EngineName
  readonly fine: boolean
}

type ReadAs = (reference: RawBuilder<unknown>, column: ReadColumn) => RawBuilder<unknown>

/** A text that spells no number is none; casting it would fail the whole statement. */
const numberIn = (reference: RawBuilder<unknown>, engine: EngineName): RawBuilder<unknown> =>
  engine === 'postgres'
    ? sql`case when ${reference}::text ~ '^\\s*[+-]?[0-9]+(\\.[0-9]+)?([eE][+-]?[0-9]{1,3})?\\s*$' then ${reference}::text::numeric end`
    : sql`case when trim(${reference}) glob '*[0-9]*' and not trim(${reference}) glob '*[^-+.0-9eE]*' then cast(${reference} as numeric) end`

const momentIn = (reference: RawBuilder<unknown>, engine: EngineName): RawBuilder<unknown> =>
  engine === 'postgres'
    ? sql`case when ${reference}::text ~ '^\\d{4}-\\d\\d-\\d\\d([T ]\\d\\d:\\d\\d(:\\d\\d([.]\\d+)?)?)?(Z|[+-]\\d\\d:?\\d\\d)?$' then (case when ${reference}::text ~ '(Z|\\d[+-]\\d\\d:?\\d\\d)$' then ${reference}::text else ${reference}::text || 'Z' end)::timestamptz when ${reference}::text ~ '^\\d\\d:\\d\\d(:\\d\\d([.]\\d+)?)?$' then ('1970-01-01T' || ${reference}::text || 'Z')::timestamptz end`
    : sql`case when ${reference} glob '[0-9][0-9]:*' then strftime('%Y-%m-%dT%H:%M:%fZ', '1970-01-01T' || ${reference}) else strftime('%Y-%m-%dT%H:%M:%fZ', ${reference}) end`

const truthIn = (reference: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`case lower(trim(${reference})) when 'true' then 1 when 'false' then 0 end`

const readAs: Readonly<Record<ComparedAs | 'key', ReadAs>> = {
  key: (reference, { type, engine }) => (type === 'other' ? asText(reference, engine) : reference),
  text: (reference, { type, engine }) => (type === 'text' || type === 'uuid' ? reference : asText(reference, engine)),
  number: (reference, { type, engine }) => {
    if (type === 'decimal' && engine === 'sqlite') return sql`cast(${reference} as numeric)`
    return numeric.has(type) ? reference : numberIn(reference, engine)
  },
  boolean: (reference, { type }) => (type === 'text' ? truthIn(reference) : reference),
  moment: (reference, { type, isUniform, engine, fine }) => {
    if (type === 'date' && fine) {
      return engine === 'postgres'
        ? sql`(${reference}::timestamp at time zone 'UTC')`
        : sql`${reference} || 'T00:00:00.000Z'`
    }
    return moments.has(type) && isUniform ? reference : momentIn(reference, engine)
  },
  json: (reference) => reference,
}

/** What PostgreSQL calls them. */
const typeNames: Partial<Record<ColumnType, string>> = { instant: 'timestamptz', timestamp: 'timestamp', date: 'date' }

const numeric: ReadonlySet<ColumnType> = new Set(['integer', 'bigint', 'number', 'decimal'])
const moments: ReadonlySet<ColumnType> = new Set([
  'instant',
  'timestamp',
  'epochSeconds',
  'epochMilliseconds',
  'date',
  'time',
])

function asText(reference: RawBuilder<unknown>, engine: EngineName): RawBuilder<unknown> {
  return engine === 'postgres' ? sql`${reference}::text` : sql`cast(${reference} as text)`
}
