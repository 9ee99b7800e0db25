import type { SentText } from './sent-value.js'

/** What is the same each time that a prepared statement is run: its name, and how many values it takes. */
export type ExecutionHead = Uint8Array

const BIND = 66

/** PostgreSQL counts them in 16 bits. */
export const MOST_PLACES: number = 65_535

/**
 * What follows the values: text for every column (`Int16` 0), `Describe` where it is asked for, `Execute` without a limit of
 * rows, and `Sync`. https://www.postgresql.org/docs/current/protocol-message-formats.html
 */
const formats = [0, 0]
const describe = [68, 0, 0, 0, 6, 80, 0]
const execute = [69, 0, 0, 0, 9, 0, 0, 0, 0, 0]
const sync = [83, 0, 0, 0, 4]
const undescribed = Buffer.from([...formats, ...execute, ...sync])
const described = Buffer.from([...formats, ...describe, ...execute, ...sync])

export function executionHead(name: string, places: number): ExecutionHead {
  const length = Buffer.byteLength(name)
  const head = Buffer.alloc(length + 11)
  head[0] = BIND
  // After the length comes the portal, which has no name; all values are text, for which no format need be said.
  head.write(name, 6)
  head.writeUInt16BE(places, length + 9)
  return head
}

/**
 * `Bind`, `Execute` and `Sync` of a prepared statement, in one piece.
 *
 * @param describes whether the server is to say again which columns the statement has
 */
export function executionMessage(head: ExecutionHead, values: readonly SentText[], describes: boolean): Buffer {
  const tail = describes ? described : undescribed
  let most = head.length + tail.length
  for (const value of values) most += value === null ? 4 : 4 + mostBytes(value)
  const message = Buffer.allocUnsafe(most)
  message.set(head)
  let at = head.length
  for (const value of values) {
    if (value === null) at = message.writeInt32BE(-1, at)
    else {
      const length = writeText(message, value, at + 4)
      at = message.writeInt32BE(length, at) + length
    }
  }
  message.set(tail, at)
  message.writeInt32BE(at + formats.length - 1, 1)
  const size = at + tail.length
  return size === most ? message : message.subarray(0, size)
}

/** Texts up to this length are not measured before they are written: to ask costs more than the room. */
const SHORT = 256

/** Up to this length, it takes less time to write characters here than to have it done. */
const FEW = 24

function mostBytes(text: string): number {
  const { length } = text
  return length > SHORT ? Buffer.byteLength(text) : length * 3
}

/** Answers how many bytes it took. */
function writeText(message: Buffer, text: string, at: number): number {
  const { length } = text
  if (length > FEW) return message.write(text, at)
  for (let index = 0; index < length; index += 1) {
    const code = text.charCodeAt(index)
    if (code > LAST_OF_ASCII) return message.write(text, at)
    message[at + index] = code
  }
  return length
}

const LAST_OF_ASCII = 127
