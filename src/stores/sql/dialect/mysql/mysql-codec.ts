import type { CodecRules, Converts } from '../../schema/column-codec.js'
import { booleanEncoder, decoders, instantText, textOrValue } from '../../schema/column-codec.js'
import { instantOf, mysqlInstant } from './mysql-instant.js'

/** The driver returns moments and JSON as texts, and booleans as numbers. */
export const mysqlCodec: CodecRules = Object.freeze<CodecRules>({
  decoderOf({ type, storedType }) {
    switch (storedType) {
      case 'instant':
      case 'timestamp':
        return type === 'text' ? null : instantOf
      case 'time':
        return shortTime
      default:
        return decoders[type] ?? null
    }
  },
  encoderOf({ type, storedType }) {
    if (type === 'boolean') return booleanEncoder(true)
    if (type !== 'instant' && type !== 'timestamp') return encoders[type] ?? null
    return storedType === 'text' ? instantText : (value) => mysqlInstant(instantText(value))
  },
  text: mysqlText,
})

/** A number may be sent as a double, which a column of texts would store with an exponent. */
const encoders: Converts = { text: mysqlText, uuid: mysqlText, other: mysqlText }

function mysqlText(value: unknown): unknown {
  switch (typeof value) {
    case 'number':
    case 'bigint':
    case 'boolean':
      return String(value)
    default:
      return textOrValue(value)
  }
}

/** Removes zeros at the end of the fraction of a second, which depend on the type of the column. */
function shortTime(stored: unknown): unknown {
  if (typeof stored !== 'string' || !stored.includes('.')) return stored
  let end = stored.length
  while (stored[end - 1] === '0') end -= 1
  return stored.slice(0, stored[end - 1] === '.' ? end - 1 : end)
}
