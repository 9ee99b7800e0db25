import type { CodecRules, Converts } from '../../schema/column-codec.js'
import { booleanEncoder, decoders, numberOrValue, parseBoolean, textOrValue } from '../../schema/column-codec.js'

/** The driver returns the stored values. */
export const sqliteCodec: CodecRules = Object.freeze<CodecRules>({
  decoderOf: ({ type, storedType }) =>
    type === 'boolean' && storedType !== 'text' ? zeroOrOne : (decoders[type] ?? null),
  encoderOf: ({ type }) => encoders[type] ?? null,
  text: sqliteText,
})

/** SQLite cannot bind booleans. */
const encoders: Converts = {
  boolean: booleanEncoder(true),
  bytes: numberOrValue,
  other: numberOrValue,
  text: sqliteText,
  uuid: sqliteText,
}

/** Parses a boolean. Texts represent booleans only in columns of text. */
function zeroOrOne(stored: unknown): unknown {
  return typeof stored === 'string' ? stored : (parseBoolean(stored) ?? stored)
}

/**
 * Converts a value for a text column of SQLite. A number may be bound as a double, which the column would store as
 * `1.0`.
 */
function sqliteText(value: unknown): unknown {
  switch (typeof value) {
    case 'number':
    case 'bigint':
    case 'boolean':
      return String(value)
    default:
      return textOrValue(value)
  }
}
