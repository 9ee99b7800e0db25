import type { SentText } from '../driver/sent-value.js'

/**
 * The part of the message that is the same for each run of a prepared statement: its name and the number of parameters.
 */
export type ExecutionHead = Uint8Array

const BIND = 66
const PARSE = 80

/** The maximum number of parameters: PostgreSQL counts them in 16 bits. */
export const MAX_PARAMETERS: number = 65_535

/**
 * The bytes that follow the values: text format for every column (`Int16` 0), `Describe` if requested, `Execute`
 * without a row limit, and `Sync`. https://www.postgresql.org/docs/current/protocol-message-formats.html
 */
const formats = [0, 0]
const describe = [68, 0, 0, 0, 6, 80, 0]
const execute = [69, 0, 0, 0, 9, 0, 0, 0, 0, 0]
const sync = [83, 0, 0, 0, 4]
const undescribed = Buffer.from([...formats, ...execute, ...sync])
const described = Buffer.from([...formats, ...describe, ...execute, ...sync])
const unsynced = Buffer.from([...formats, ...execute])

export function executionHead(name: string, parameterCount: number): ExecutionHead {
  const length = Buffer.byteLength(name)
  const head = Buffer.alloc(length + 11)
  head[0] = BIND
  // The unnamed portal follows the length. All values are text, which needs no format codes.
  head.write(name, 6)
  head.writeUInt16BE(parameterCount, length + 9)
  return head
}

/**
 * Returns the `Bind`, `Execute` and `Sync` messages of a prepared statement in one buffer.
 *
 * @param describes whether to add `Describe`, so that the server sends the columns of the statement again
 */
export function executionMessage(head: ExecutionHead, values: readonly SentText[], describes: boolean): Buffer {
  return messageOf(head, values, describes ? described : undescribed)
}

/** Returns the `Bind` and `Execute` messages of a prepared statement whose `Sync` is that of the next statement. */
export function settingsMessage(head: ExecutionHead, values: readonly SentText[]): Buffer {
  return messageOf(head, values, unsynced)
}

/** Returns the `Parse` message of an unnamed statement. */
export function parseMessage(text: string): Buffer {
  const length = Buffer.byteLength(text)
  const message = Buffer.alloc(length + 9)
  message[0] = PARSE
  message.writeInt32BE(length + 8, 1)
  // The empty name precedes the text. No types of parameters follow it.
  message.write(text, 6)
  return message
}

function messageOf(head: ExecutionHead, values: readonly SentText[], tail: Uint8Array): Buffer {
  let size = head.length + tail.length
  for (const value of values) size += value === null ? 4 : 4 + Buffer.byteLength(value)
  const message = Buffer.allocUnsafe(size)
  message.set(head)
  let at = head.length
  for (const value of values) {
    const length = value === null ? -1 : message.write(value, at + 4)
    at = message.writeInt32BE(length, at) + Math.max(length, 0)
  }
  message.set(tail, at)
  message.writeInt32BE(at + formats.length - 1, 1)
  return message
}
