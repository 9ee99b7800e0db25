/**
 * A position in the write-ahead log of PostgreSQL, in bytes. Each write is at a larger one.
 * https://www.postgresql.org/docs/current/datatype-pg-lsn.html
 */
const lsn = /^([0-9A-F]{1,8})\/([0-9A-F]{1,8})$/i

/** Parses a position as PostgreSQL writes it: `16/B374D848`. */
export function readPosition(text: unknown): bigint | null {
  const [, high, low] = (typeof text === 'string' ? lsn.exec(text) : null) ?? []
  return high === undefined || low === undefined ? null : (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`)
}
