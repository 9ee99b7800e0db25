import { fail } from '../errors/json-api-error.js'
import { isoText } from '../util/iso-text.js'

/** An opaque, URL-safe name for the place of a row, bound to the order that it was made under. */
export function mintCursor(order: readonly string[], place: readonly unknown[]): string {
  return Buffer.from(JSON.stringify([order, place.map(tokenValue)])).toString('base64url')
}

/**
 * The place that a token names: 400 when it cannot be read, or was made under another order.
 *
 * @param order the levels of the order, each by a name that tells it from every other: `title`, `-releasedAt`
 */
export function readCursor(token: string, order: readonly string[], parameter: string): readonly unknown[] {
  const content = contentOf(token)
  const source = { source: { parameter } }
  if (content === null) fail('CURSOR_MALFORMED', { parameter }, source)
  const fresh =
    content.order.length === order.length && order.every((level, position) => content.order[position] === level)
  if (!fresh) fail('CURSOR_STALE', { parameter }, source)
  return content.place
}

interface Content {
  readonly order: readonly unknown[]
  readonly place: readonly unknown[]
}

function contentOf(token: string): Content | null {
  if (!/^[\w-]+$/.test(token)) return null
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(token, 'base64url'))
    const content: unknown = JSON.parse(text)
    if (!Array.isArray(content) || content.length !== 2) return null
    const [order, values] = content as readonly unknown[]
    if (!Array.isArray(order) || !Array.isArray(values) || order.length !== values.length) return null
    if (!order.every((level) => typeof level === 'string' && isStorable(level))) return null
    const place = values.map(storedValue)
    return place.includes(undefined) ? null : { order, place }
  } catch {
    return null
  }
}

/** What JSON has no word for is tagged: a moment by `d`, a whole number beyond doubles by `n`. */
function tokenValue(value: unknown): unknown {
  switch (typeof value) {
    case 'string':
    case 'number':
    case 'boolean':
      return value
    case 'bigint':
      return { n: value.toString() }
    case 'object':
      if (value instanceof Date) return { d: isoText(value) }
      // oxlint-disable-next-line typescript/no-base-to-string -- objects of a store's own, such as exact decimals, know their text
      return value === null ? null : String(value)
    default:
      return null
  }
}

/** `undefined` for what no token holds. */
function storedValue(value: unknown): unknown {
  if (typeof value === 'string') return isStorable(value) ? value : undefined
  if (value === null || typeof value === 'boolean') return value
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined
  if (typeof value !== 'object' || value === null) return undefined
  const [[tag, text] = [], ...others] = Object.entries(value) as [string, unknown][]
  if (others.length > 0 || typeof text !== 'string') return undefined
  if (tag === 'n') return /^-?\d{1,40}$/.test(text) ? BigInt(text) : undefined
  const moment = tag === 'd' ? new Date(text) : null
  return moment === null || Number.isNaN(moment.getTime()) ? undefined : moment
}

/** Databases refuse text that no UTF-8 can write, and most of them U+0000 as well. */
function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\u0000')
}
