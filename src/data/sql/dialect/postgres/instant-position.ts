import { infiniteMoments } from '../../query/far-days.js'

/** Seconds since the epoch that a `Date` can represent exactly. */
const wholeMilliseconds = /^(\d{1,12})\.(\d{3})000$/

/** Converts seconds since the epoch to a position value, with all digits. */
export function instantPosition(stored: unknown): unknown {
  const text = typeof stored === 'number' ? stored.toFixed(6) : stored
  if (typeof text !== 'string') return null
  const [, seconds, milliseconds] = wholeMilliseconds.exec(text) ?? []
  if (seconds !== undefined) return new Date(Number(seconds) * 1000 + Number(milliseconds))
  if (infiniteMoments.has(text)) return infiniteMoments.get(text)
  const [, sign = '', whole = '', fraction = ''] = /^(-?)(\d+)(?:\.(\d{1,6}))?/.exec(text) ?? []
  const micros = BigInt(`${sign}${whole}${fraction.padEnd(6, '0')}`)
  const rest = ((micros % 1000n) + 1000n) % 1000n
  const moment = new Date(Number((micros - rest) / 1000n))
  return rest === 0n ? moment : moment.toISOString().replace('Z', `${String(rest).padStart(3, '0')}Z`)
}
