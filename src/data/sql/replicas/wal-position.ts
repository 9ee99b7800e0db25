/**
 * A position in the write-ahead log of PostgreSQL, in bytes. Each write is at a larger one.
 * https://www.postgresql.org/docs/current/datatype-pg-lsn.html
 */
export type WalPosition = bigint

const lsn = /^([0-9A-F]{1,8})\/([0-9A-F]{1,8})$/i

/** Parses a position as PostgreSQL writes it: `16/B374D848`. */
export function readPosition(text: unknown): WalPosition | null {
  const [, high, low] = (typeof text === 'string' ? lsn.exec(text) : null) ?? []
  return high === undefined || low === undefined ? null : (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`)
}

const digits = /^[0-9a-f]{1,16}$/

/** Writes a position for clients: `16b374d848`. */
export function positionText(position: WalPosition): string {
  return position.toString(16)
}

/** Parses a position that a client sends back; null for any other text. */
export function parsePosition(text: string): WalPosition | null {
  return digits.test(text) ? BigInt(`0x${text}`) : null
}
