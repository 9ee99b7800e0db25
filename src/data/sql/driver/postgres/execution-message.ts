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
  let size = head.length + tail.length
  for (const value of values) size += value === null ? 4 : 4 + Buffer.byteLength(value)
  const message = Buffer.allocUnsafe(size)
  message.set(head)
  let at = head.length
  for (const value of values) {
    if (value === null) at = message.writeInt32BE(-1, at)
    else {
      const length = message.write(value, at + 4)
      at = message.writeInt32BE(length, at) + length
    }
  }
  message.set(tail, at)
  message.writeInt32BE(at + formats.length - 1, 1)
  return message
}
