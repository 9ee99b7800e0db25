import type { CodecRules } from '../../schema/column-codec.js'
import { booleanEncoder, decoders, instantText, isNothing, textOrValue } from '../../schema/column-codec.js'
import { numericTypes } from '../../schema/column-type.js'
import { readArray } from './driver/postgres-values.js'

/** The driver parses values by the type of their column, so only columns whose model declares another type are decoded. */
export const postgresCodec: CodecRules = Object.freeze<CodecRules>({
  decoderOf({ type, storedType }) {
    if (storedType === 'list') return parseList
    return type === storedType ? null : (decoders[type] ?? null)
  },
  encoderOf({ type, storedType }) {
    if (type === 'boolean') return booleanEncoder(numericTypes.has(storedType))
    if (type === 'list' && storedType === 'list') return listValues
    if (type !== 'instant' && type !== 'timestamp') return null
    return storedType === 'text' ? instantText : (value) => postgresInstant(instantText(value))
  },
  text: textOrValue,
})

/** Parses arrays of types that are defined in the database, such as enums: the driver returns them as text. */
function parseList(stored: unknown): unknown {
  return typeof stored === 'string' && /^[[{]/.test(stored) ? readArray(stored, (item) => item) : stored
}

const farYear = /^([+-]\d{6})(-.*)$/

/** Rewrites ISO years with a sign for PostgreSQL, which does not accept one: it writes `1 BC` for the year 0. */
function postgresInstant(text: unknown): unknown {
  const [, signed, rest] = (typeof text === 'string' ? farYear.exec(text) : null) ?? []
  if (rest === undefined) return text
  const year = Number(signed)
  return year > 0 ? `${year}${rest}` : `${String(1 - year).padStart(4, '0')}${rest} BC`
}

function listValues(value: unknown): unknown {
  const members = value instanceof Set ? [...value] : value
  if (!Array.isArray(members)) return textOrValue(value)
  return members.map((member: unknown) => (Array.isArray(member) ? listValues(member) : listMember(member)))
}

function listMember(member: unknown): unknown {
  return isNothing(member) ? null : textOrValue(member)
}
