import { fail } from '../../core/errors/json-api-error.js'
import { RawStored } from '../../core/util/raw-stored.js'
import { isoText } from '../../core/util/iso-text.js'
import { isStorableText } from '../../core/util/storable-text.js'
import type { CursorCipher } from './cursor-cipher.js'

/** Creates and reads the cursors of a server. */
export interface CursorTokens {
  /**
   * Creates an opaque, URL-safe cursor for the position of a row in an order. The cursor is valid for this order only.
   *
   * @param sortValues the values of the row, one for each level of the order
   */
  encode(order: readonly string[], sortValues: readonly unknown[]): string
  /**
   * Returns the sort values of a cursor. Fails with 400 if the cursor cannot be decrypted or belongs to another order.
   *
   * @param order the levels of the order, each by a unique name: `title`, `-releasedAt`
   */
  decode(token: string, order: readonly string[], parameter: string): readonly unknown[]
}

/** @param reportUnknown is called for a cursor that may be from another process */
export function cursorTokens(cipher: CursorCipher, reportUnknown: () => void): CursorTokens {
  return {
    encode: (order, sortValues) => cipher.encrypt(JSON.stringify([order, sortValues.map(tokenValue)])),
    decode(token, order, parameter) {
      const text = cipher.decrypt(token)
      if (text === null && token.length >= SHORTEST) reportUnknown()
      const content = text === null ? null : contentOf(text)
      const source = { source: { parameter } }
      if (content === null) fail('CURSOR_MALFORMED', { parameter }, source)
      const hasSameOrder =
        content.order.length === order.length && order.every((level, index) => content.order[index] === level)
      if (!hasSameOrder) fail('CURSOR_STALE', { parameter }, source)
      return content.sortValues
    },
  }
}

/** The length of the shortest possible cursor: shorter texts are no cursors of any process. */
const SHORTEST = 32

interface CursorContent {
  readonly order: readonly unknown[]
  readonly sortValues: readonly unknown[]
}

/** Reads the content of a cursor. It is checked, because a server with another version of the declarations may have made it. */
function contentOf(text: string): CursorContent | null {
  try {
    const content: unknown = JSON.parse(text)
    if (!Array.isArray(content) || content.length !== 2) return null
    const [order, values] = content as readonly unknown[]
    if (!Array.isArray(order) || !Array.isArray(values) || order.length !== values.length) return null
    if (!order.every((level) => typeof level === 'string' && isStorableText(level))) return null
    const sortValues = values.map(storedValue)
    return sortValues.includes(undefined) ? null : { order, sortValues }
  } catch {
    return null
  }
}

/** Numbers that JSON does not have. Databases sort by them. */
const specialNumbers: ReadonlyMap<string, number> = new Map(
  [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY].map((value) => [String(value), value]),
)

/** Encodes a value as JSON. Values that JSON does not have are tagged: a date as `d`, a bigint or `Infinity` as `n`. */
function tokenValue(value: unknown): unknown {
  switch (typeof value) {
    case 'string':
    case 'boolean':
      return value
    case 'number':
      return Number.isFinite(value) ? value : { n: String(value) }
    case 'bigint':
      return { n: value.toString() }
    case 'object':
      if (value instanceof Date) return { d: isoText(value) }
      if (value instanceof RawStored) return { r: rawText(value) }
      // oxlint-disable-next-line typescript/no-base-to-string -- objects of a store, such as exact decimals, have their own toString
      return value === null ? null : String(value)
    default:
      return null
  }
}

/** Decodes a value of a token. Returns `undefined` for a value that no valid token has. */
function storedValue(value: unknown): unknown {
  if (typeof value === 'string') return isStorableText(value) ? value : undefined
  if (value === null || typeof value === 'boolean') return value
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined
  if (typeof value !== 'object' || value === null) return undefined
  const [[tag, text] = [], ...others] = Object.entries(value) as [string, unknown][]
  if (others.length > 0 || typeof text !== 'string') return undefined
  if (tag === 'n') return specialNumbers.get(text) ?? (/^-?\d{1,40}$/.test(text) ? BigInt(text) : undefined)
  if (tag === 'r') return rawStored(text)
  const moment = tag === 'd' ? new Date(text) : null
  return moment === null || Number.isNaN(moment.getTime()) ? undefined : moment
}

/** Encodes a value of another class than its column declares: a letter for the class, and its text. */
function rawText({ value }: RawStored): string {
  if (value instanceof Uint8Array) return `b${Buffer.from(value).toString('base64')}`
  return typeof value === 'string' ? `t${value}` : `${typeof value === 'bigint' ? 'i' : 'n'}${value}`
}

function rawStored(text: string): RawStored | undefined {
  const rest = text.slice(1)
  switch (text[0]) {
    case 'b':
      return new RawStored(new Uint8Array(Buffer.from(rest, 'base64')))
    case 't':
      return isStorableText(rest) ? new RawStored(rest) : undefined
    case 'i':
      return /^-?\d{1,19}$/.test(rest) ? new RawStored(BigInt.asIntN(64, BigInt(rest))) : undefined
    case 'n':
      return Number.isNaN(Number(rest)) ? undefined : new RawStored(Number(rest))
    default:
      return undefined
  }
}
