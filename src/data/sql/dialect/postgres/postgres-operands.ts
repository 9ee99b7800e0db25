import type { ColumnType } from '../../schema/column-type.js'
import { infiniteTime } from '../../query/far-days.js'
import { comparableNumber, isInt8, operandsOf, plain } from '../../query/operands.js'
import type { Operand, Operands } from '../operand.js'

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

const timeText = /^(?:(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,6})?|24:00:00)$/

function numberOperand(value: unknown, type: ColumnType): Operand | null {
  if (typeof value === 'number' && !Number.isFinite(value)) return specialOperand(value, type)
  const number = comparableNumber(value)
  if (number === null) return null
  if (type === 'number') return plain(number, 'float8')
  if (type === 'real') return plain(number, 'float4')
  // A cursor contains decimals as text, with digits that a double would lose.
  if (type === 'decimal' && typeof value === 'string' && plainDecimal.test(value)) return plain(value, 'numeric')
  // The text of a large double has zeros instead of its last digits.
  const text = Number.isInteger(number) ? String(BigInt(number)) : String(number)
  return plain(text, isInt8(number) ? 'int8' : 'numeric')
}

/**
 * The operand for `NaN` and the infinities, which only cursors contain. PostgreSQL has infinite numerics only since
 * version 14, so they are compared as doubles.
 */
function specialOperand(value: number, type: ColumnType): Operand | null {
  const isFloat = type === 'number' || type === 'real' || type === 'decimal'
  return isFloat || !Number.isNaN(value) ? plain(String(value), 'float8') : null
}

const plainDecimal = /^-?\d{1,1000}(?:\.\d{1,1000})?$/

/** Formats a moment whose year PostgreSQL writes otherwise: the year before 1 is 1 BC. */
function farText(moment: Date): string {
  const year = moment.getUTCFullYear()
  const [, rest = ''] = /^[+-]?\d+-(.*)Z$/.exec(moment.toISOString()) ?? []
  const day = `${String(year < 1 ? 1 - year : year).padStart(4, '0')}-${rest.replace('T', ' ')}+00`
  return year < 1 ? `${day} BC` : day
}

/** The names of the column types in PostgreSQL. */
const typeNames: Partial<Record<ColumnType, string>> = { instant: 'timestamptz', timestamp: 'timestamp', date: 'date' }

export const postgresOperands: Operands = operandsOf({
  /** A uuid column is only compared with texts in the form in which it returns its values. */
  text: (text, type) => (type !== 'uuid' ? plain(text, 'text') : uuid.test(text) ? plain(text, 'uuid') : null),
  number: numberOperand,
  boolean(number, type) {
    if (type !== 'boolean') return numberOperand(number, type)
    return Number(number) === 0 || Number(number) === 1 ? plain(Number(number) === 1, 'bool') : null
  },
  exactTime: (value) => (typeof value === 'string' && timeText.test(value) ? plain(value, 'time') : null),
  farMoment(moment, type) {
    const time = moment.getTime()
    const text = Math.abs(time) === infiniteTime ? (time > 0 ? 'infinity' : '-infinity') : farText(moment)
    return plain(text, typeNames[type] ?? 'timestamptz')
  },
  instantType: 'timestamptz',
  wholeKeyType: 'int8',
  areDaysTexts: false,
})
