import type { RawBuilder } from 'kysely'
import { sql } from 'kysely'
import { comparableNumber, isInt8, operandsOf, plain } from '../../query/operands.js'
import type { ColumnType } from '../../schema/column-type.js'
import { momentTypes, numericTypes } from '../../schema/column-type.js'
import { booleanIn } from '../common-sql.js'
import type { Operand, Operands, ReadAs } from '../operand.js'
import { mysqlInstant } from './mysql-instant.js'

type Expression = RawBuilder<unknown>

const plainDecimal = /^-?\d{1,35}(?:\.\d{1,30})?$/

const timeText = /^(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,6})?$/

function numberOperand(value: unknown, type: ColumnType): Operand | null {
  const number = comparableNumber(value)
  if (number === null) return null
  if (type === 'number' || type === 'real') return plain(Number(number), type === 'number' ? 'float8' : 'float4')
  // A cursor contains decimals as text, with digits that a double would lose.
  if (type === 'decimal' && typeof value === 'string' && plainDecimal.test(value)) return plain(value, 'numeric')
  const text = Number.isInteger(number) ? String(BigInt(number)) : String(number)
  if (isInt8(number)) return plain(text, 'int8')
  return plainDecimal.test(text) ? plain(text, 'numeric') : plain(Number(number), 'float8')
}

/** The first and the last moment that a column can hold. */
const bounds = ['0000-01-01 00:00:00', '9999-12-31 23:59:59.999999'] as const

const operands = operandsOf({
  text: (text) => plain(text, 'text'),
  number: numberOperand,
  boolean: (number) => plain(Number(number), 'float8'),
  exactTime: (value) => (typeof value === 'string' && timeText.test(value) ? plain(value, 'time') : null),
  farMoment: (moment, type) => plain(bounds[moment.getTime() > 0 ? 1 : 0], type === 'date' ? 'date' : 'timestamptz'),
  instantType: 'timestamptz',
  wholeKeyType: 'int8',
  areDaysTexts: false,
})

const instantTypes: ReadonlySet<string | null> = new Set(['timestamp', 'timestamptz'])

function spelled(operand: Operand | null): Operand | null {
  return operand !== null && instantTypes.has(operand.type)
    ? { ...operand, value: mysqlInstant(operand.value) }
    : operand
}

export const mysqlOperands: Operands = Object.freeze<Operands>({
  ...operands,
  key: (value, type) => spelled(operands.key(value, type)),
  moment: (value, type) => spelled(operands.moment(value, type)),
})

const day = `(?!0000)(?:[0-9]{4}-(?:(?:0[13578]|1[02])-(?:0[1-9]|[12][0-9]|3[01])|(?:0[469]|11)-(?:0[1-9]|[12][0-9]|30)|02-(?:0[1-9]|1[0-9]|2[0-8]))|(?:[0-9][0-9](?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)-02-29)`
const hour = `(?:[01][0-9]|2[0-3]):[0-5][0-9](?::[0-5][0-9](?:[.][0-9]+)?)?`
const zone = `(?:Z|[+-](?:0[0-9]|1[0-4]):?[0-5][0-9])`

const patterns = Object.freeze({
  number: sql.lit('^[ \t\n\r]*[+-]?[0-9]+([.][0-9]+)?([eE][+-]?[0-9]{1,3})?[ \t\n\r]*$'),
  moment: sql.lit(`^${day}(?:[T ]${hour}${zone}?)?$`),
  zoned: sql.lit(`:.*${zone}$`),
  utc: sql.lit(`:.*Z$`),
  time: sql.lit(`^${hour}$`),
})

/** Converts text to a number; null for other text. */
function numberIn(reference: Expression): Expression {
  return sql`case when ${reference} regexp ${patterns.number} then cast(trim(${reference}) as double) end`
}

/** Converts text to a moment. Without a time zone it is UTC, and a time without a day is on 1970-01-01. */
function momentIn(reference: Expression): Expression {
  const text = sql`cast(${reference} as char)`
  const at = (local: Expression): Expression => sql`cast(replace(${local}, 'T', ' ') as datetime(6))`
  const digits = sql`replace(right(${text}, 6), ':', '')`
  const offset = sql`concat(substr(${digits}, -5, 3), ':', right(${digits}, 2))`
  const local = sql`left(${text}, char_length(${text}) - if(substr(${text}, -3, 1) = ':', 6, 5))`
  return sql`case when ${text} regexp ${patterns.moment} then case when ${text} regexp ${patterns.utc} then ${at(sql`left(${text}, char_length(${text}) - 1)`)} when ${text} regexp ${patterns.zoned} then convert_tz(${at(local)}, ${offset}, '+00:00') else ${at(text)} end when ${text} regexp ${patterns.time} then ${at(sql`concat('1970-01-01 ', ${text})`)} end`
}

/** Returns the day of an instant in UTC, as a date. */
export function mysqlDay(reference: Expression): Expression {
  return sql`cast(${reference} as date)`
}

/** Returns how values are compared, with texts in a collation by code points. */
export function mysqlReadAs(codePoints: Expression): ReadAs {
  const exact = (reference: Expression): Expression => sql`convert(${reference} using utf8mb4) collate ${codePoints}`
  const asText = (reference: Expression): Expression => sql`cast(${reference} as char) collate ${codePoints}`
  return Object.freeze<ReadAs>({
    key: (reference, { type, isUniform }) => {
      if (type === 'other') return asText(reference)
      return type === 'text' && !isUniform ? exact(reference) : reference
    },
    text(reference, { type, isUniform }) {
      if (type !== 'text' && type !== 'uuid') return asText(reference)
      return type === 'text' && !isUniform ? exact(reference) : reference
    },
    number: (reference, { type }) => (numericTypes.has(type) ? reference : numberIn(reference)),
    boolean: (reference, { type }) => (type === 'text' ? booleanIn(reference) : reference),
    moment(reference, { type, isUniform, fine }) {
      if (type === 'date' && fine) return sql`cast(${reference} as datetime(6))`
      return momentTypes.has(type) && isUniform ? reference : momentIn(reference)
    },
    json: asText,
  })
}
