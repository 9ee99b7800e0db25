import { comparableNumber, isInt8, operandsOf, plain } from '../../query/operands.js'
import type { Operand, Operands } from '../operand.js'

/** SQLite binds integers of up to 64 bits. A larger integer becomes a double, which is the nearest value. */
function numberOperand(value: unknown): Operand | null {
  const number = comparableNumber(value)
  if (number === null) return null
  return plain(typeof number === 'bigint' && !isInt8(number) ? Number(number) : number, null)
}

export const sqliteOperands: Operands = operandsOf({
  text: (text) => plain(text, 'text'),
  number: numberOperand,
  boolean: numberOperand,
  exactTime: () => null,
  // All stored values are less, or greater.
  farMoment: (moment) => plain(moment.getTime() > 0 ? '~' : '', null),
  instantType: null,
  wholeKeyType: null,
  areDaysTexts: true,
})
