import { EventEmitter } from 'node:events'

/** A stream in place of the socket of a client: it records what the client sends, and passes on messages of a server. */
export interface ScriptedServer {
  /** The stream, which emits the events of a socket. */
  readonly stream: object
  /** Emits `connect`, and the messages with which a server accepts a client without a password. */
  accept(): void
  /** Returns the bytes that the client has sent since the last call. */
  received(): Buffer
  send(...messages: readonly Buffer[]): void
}

export function scriptedServer(): ScriptedServer {
  const events = new EventEmitter()
  let received: Uint8Array[] = []
  const ignore = (): unknown => stream
  const stream = Object.assign(events, {
    writable: true,
    destroyed: false,
    setNoDelay: ignore,
    setKeepAlive: ignore,
    connect: ignore,
    cork: ignore,
    uncork: ignore,
    end: ignore,
    destroy: ignore,
    write(bytes: Uint8Array) {
      received.push(bytes)
      return true
    },
  })
  const send = (...messages: readonly Buffer[]): void => void events.emit('data', Buffer.concat(messages))
  return {
    stream,
    accept() {
      events.emit('connect')
      send(message('R', int32(0)), message('K', int32(1), int32(2)), readyForQuery('I'))
    },
    received() {
      const bytes = Buffer.concat(received)
      received = []
      return bytes
    },
    send,
  }
}

/** Returns the types of the messages in bytes that a client has sent, one letter for each. */
export function messageTypes(bytes: Buffer): string {
  let types = ''
  for (let at = 0; at < bytes.length; at += 1 + bytes.readInt32BE(at + 1)) types += bytes.toString('latin1', at, at + 1)
  return types
}

/** Messages of the server. https://www.postgresql.org/docs/current/protocol-message-formats.html */
export const parseComplete: Buffer = message('1')
export const bindComplete: Buffer = message('2')

/** @param columns the name and the oid of the type of each column */
export function rowDescription(columns: readonly (readonly [string, number])[]): Buffer {
  const described = columns.flatMap(([name, type]) => [
    text(name),
    int32(0),
    int16(0),
    int32(type),
    int16(-1),
    int32(-1),
    int16(0),
  ])
  return message('T', int16(columns.length), ...described)
}

export function dataRow(values: readonly (string | null)[]): Buffer {
  const sent = values.flatMap((value) =>
    value === null ? [int32(-1)] : [int32(Buffer.byteLength(value)), Buffer.from(value)],
  )
  return message('D', int16(values.length), ...sent)
}

export function commandComplete(tag: string): Buffer {
  return message('C', text(tag))
}

export function errorResponse(code: string): Buffer {
  return message('E', text('SERROR'), text(`C${code}`), text('Mrefused'), Buffer.alloc(1))
}

/** @param status `I` if no transaction is open, `T` if one is */
export function readyForQuery(status: 'I' | 'T'): Buffer {
  return message('Z', Buffer.from(status))
}

function message(type: string, ...parts: readonly Buffer[]): Buffer {
  const body = Buffer.concat(parts)
  return Buffer.concat([Buffer.from(type), int32(body.length + 4), body])
}

function text(value: string): Buffer {
  return Buffer.from(`${value}\0`)
}

function int16(value: number): Buffer {
  const bytes = Buffer.alloc(2)
  bytes.writeInt16BE(value)
  return bytes
}

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32BE(value)
  return bytes
}
