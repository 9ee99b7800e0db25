import type { Message } from './http1-messages.js'

/** The types of frames (RFC 9113, section 6). */
const DATA = 0
const HEADERS = 1
const PRIORITY = 2
const RST_STREAM = 3
const SETTINGS = 4
const PING = 6
const GOAWAY = 7
const WINDOW_UPDATE = 8
const CONTINUATION = 9

const END_STREAM = 1
const END_HEADERS = 4

const preface = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n')
const settings = frame(SETTINGS, 0, 0, Buffer.alloc(0))
const body = Buffer.from('{"data":{"type":"albums","attributes":{"title":"Third"}}}')

function frame(type: number, flags: number, stream: number, payload: Buffer): Buffer {
  const head = Buffer.alloc(9)
  head.writeUIntBE(payload.length, 0, 3)
  head.writeUInt8(type, 3)
  head.writeUInt8(flags, 4)
  head.writeUInt32BE(stream, 5)
  return Buffer.concat([head, payload])
}

/** Encodes headers as literals without a table (RFC 7541, section 6.2.2). All of them are shorter than 127 bytes. */
function encoded(headers: Readonly<Record<string, string>>): Buffer {
  return Buffer.concat(
    Object.entries(headers).flatMap(([name, value]) => [
      Buffer.from([0, name.length]),
      Buffer.from(name),
      Buffer.from([value.length]),
      Buffer.from(value),
    ]),
  )
}

function headersOf(method: string, more: Readonly<Record<string, string>> = {}): Buffer {
  const target = { ':scheme': 'http', ':path': '/albums/1', ':authority': 'music.example' }
  return encoded({ ':method': method, ...target, ...more })
}

function number(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

const get = frame(HEADERS, END_HEADERS | END_STREAM, 1, headersOf('GET'))
const post = frame(
  HEADERS,
  END_HEADERS,
  1,
  headersOf('POST', { 'content-type': 'application/vnd.api+json', ':path': '/albums' }),
)

/** The frames after the preface and the settings, by name. */
const frames: Readonly<Record<string, readonly Buffer[]>> = {
  nothing: [],
  GET: [get],
  HEAD: [frame(HEADERS, END_HEADERS | END_STREAM, 1, headersOf('HEAD'))],
  'an unknown method': [frame(HEADERS, END_HEADERS | END_STREAM, 1, headersOf('BREW'))],
  CONNECT: [frame(HEADERS, END_HEADERS, 1, encoded({ ':method': 'CONNECT', ':authority': 'music.example:443' }))],
  'POST with a body': [post, frame(DATA, END_STREAM, 1, body)],
  'POST with a body in two frames': [
    post,
    frame(DATA, 0, 1, body.subarray(0, 5)),
    frame(DATA, END_STREAM, 1, body.subarray(5)),
  ],
  'POST with trailers': [
    post,
    frame(DATA, 0, 1, body),
    frame(HEADERS, END_HEADERS | END_STREAM, 1, encoded({ x: 'y' })),
  ],
  'POST without its body': [post],
  'POST with a wrong length': [
    frame(HEADERS, END_HEADERS, 1, headersOf('POST', { 'content-length': '5' })),
    frame(DATA, END_STREAM, 1, body),
  ],
  'POST with an expectation': [
    frame(HEADERS, END_HEADERS, 1, headersOf('POST', { expect: '100-continue' })),
    frame(DATA, END_STREAM, 1, body),
  ],
  'POST with an unknown expectation': [
    frame(HEADERS, END_HEADERS, 1, headersOf('POST', { expect: 'miracles' })),
    frame(DATA, END_STREAM, 1, body),
  ],
  'a connection header': [frame(HEADERS, END_HEADERS | END_STREAM, 1, headersOf('GET', { connection: 'upgrade' }))],
  'an upgrade header': [frame(HEADERS, END_HEADERS | END_STREAM, 1, headersOf('GET', { upgrade: 'websocket' }))],
  'headers in two frames': [
    frame(HEADERS, END_STREAM, 1, headersOf('GET').subarray(0, 20)),
    frame(CONTINUATION, END_HEADERS, 1, headersOf('GET').subarray(20)),
  ],
  'headers that cannot be decoded': [frame(HEADERS, END_HEADERS | END_STREAM, 1, Buffer.from([0xff, 0xff, 0xff]))],
  'GET without a scheme': [frame(HEADERS, END_HEADERS | END_STREAM, 1, encoded({ ':method': 'GET', ':path': '/' }))],
  'GET with another target': [frame(HEADERS, END_HEADERS | END_STREAM, 1, headersOf('GET', { ':path': '*' }))],
  'GET that is reset': [get, frame(RST_STREAM, 0, 1, number(8))],
  'POST that is reset with an error': [
    post,
    frame(DATA, 0, 1, body.subarray(0, 5)),
    frame(RST_STREAM, 0, 1, number(2)),
  ],
  'GET, then GOAWAY with an error': [get, frame(GOAWAY, 0, 0, Buffer.concat([number(1), number(2)]))],
  'many requests': [1, 3, 5, 7, 9].map((stream) => frame(HEADERS, END_HEADERS | END_STREAM, stream, headersOf('GET'))),
  'a stream of the server': [frame(HEADERS, END_HEADERS | END_STREAM, 2, headersOf('GET'))],
  'data without a stream': [frame(DATA, END_STREAM, 1, body)],
  'a window of zero': [get, frame(WINDOW_UPDATE, 0, 1, number(0))],
  'a window that is too large': [get, frame(WINDOW_UPDATE, 0, 0, number(0x7f_ff_ff_ff))],
  'a ping of a wrong length': [frame(PING, 0, 0, number(1))],
  'settings of a wrong length': [frame(SETTINGS, 0, 0, number(1))],
  'a dependency on itself': [frame(PRIORITY, 0, 1, Buffer.concat([number(1), Buffer.from([1])]))],
  'an unknown frame': [frame(0x42, 0, 1, body), get],
  'a frame that is too large': [frame(DATA, 0, 1, Buffer.alloc(20_000))],
}

/** Frames of each kind, to be cut at each byte. */
export const http2Messages: readonly Message[] = [
  ...Object.entries(frames).map(([name, parts]) => ({
    name: `HTTP/2: ${name}`,
    bytes: Buffer.concat([preface, settings, ...parts]),
  })),
  { name: 'HTTP/2: no settings', bytes: Buffer.concat([preface, get]) },
]
