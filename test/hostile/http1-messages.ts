/** Bytes that a client sends on a connection of HTTP/1.1. */
export interface Message {
  readonly name: string
  readonly bytes: Buffer
}

const methods = 'GET HEAD POST PATCH DELETE OPTIONS PUT TRACE CONNECT PRI M-SEARCH BREW'.split(' ')
const versions = ['1.1', '1.0', '0.9', '2.0', '3.0']
const upgrade = 'Connection: keep-alive, Upgrade\r\nUpgrade: h2c\r\n'
const body = '{"data":{"type":"albums","attributes":{"title":"Third"}}}'
const length = `Content-Type: application/vnd.api+json\r\nContent-Length: ${body.length}\r\n`
const chunks = `Content-Type: application/vnd.api+json\r\nTransfer-Encoding: chunked\r\n`
const chunked = `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`

/** The headers and the body of a request, by name. */
const shapes: Readonly<Record<string, readonly [headers: string, body: string]>> = {
  plain: ['', ''],
  'a body': [length, body],
  'a chunked body': [chunks, chunked],
  trailers: [`${chunks}Trailer: X\r\n`, chunked.replace(/\r\n$/, 'X: y\r\n\r\n')],
  'too long a body': ['Content-Length: 400000\r\n', 'x'.repeat(100)],
  continue: [`Expect: 100-continue\r\n${length}`, body],
  'an expectation': [`Expect: miracles\r\n${length}`, body],
  upgrade: [upgrade, ''],
  'upgrade with a body': [`${upgrade}${length}`, body],
  'upgrade with a chunked body': [`${upgrade}${chunks}`, chunked],
  'upgrade only': ['Upgrade: websocket\r\n', ''],
  close: ['Connection: close\r\n', ''],
  'two lengths': ['Content-Length: 3\r\nContent-Length: 4\r\n', 'abc'],
  'a large header': [`X: ${'x'.repeat(40_000)}\r\n`, ''],
}

const targets: Readonly<Record<string, string>> = { POST: '/albums', CONNECT: 'music.example:443', PRI: '*' }

function request(method: string, version: string, shape: string): string {
  const [headers, text] = shapes[shape] ?? ['', '']
  return `${method} ${targets[method] ?? '/albums/1'} HTTP/${version}\r\nHost: music.example\r\n${headers}\r\n${text}`
}

function message(name: string, text: string): Message {
  return { name, bytes: Buffer.from(text, 'latin1') }
}

/** Each method with each version and each shape of headers. */
export const wholeMessages: readonly Message[] = methods.flatMap((method) =>
  versions.flatMap((version) =>
    Object.keys(shapes).map((shape) =>
      message(`${method} HTTP/${version} with ${shape}`, request(method, version, shape)),
    ),
  ),
)

const get = request('GET', '1.1', 'plain')

/** A message of each kind, to be cut at each byte: alone, after other requests, and before another one. */
export const cutMessages: readonly Message[] = [
  message('GET', get),
  message('GET of HTTP/2.0', request('GET', '2.0', 'plain')),
  ...Object.keys(shapes)
    .filter((shape) => shape !== 'plain' && shape !== 'a large header')
    .map((shape) => message(`POST with ${shape}`, request('POST', '1.1', shape))),
  message('POST of HTTP/2.0 with a body', request('POST', '2.0', 'a body')),
  message('GET, then CONNECT', get + request('CONNECT', '1.1', 'plain')),
  message('GET, then an upgrade', get + request('GET', '1.1', 'upgrade') + get),
  message('GET, then an upgrade with a body', get + request('POST', '1.1', 'upgrade with a body') + get),
  message('GET, then something malformed', `${get}nonsense\r\n\r\n`),
  message('many requests', get.repeat(5)),
]

/** Messages that have ended the process. */
export const endingMessages: readonly Message[] = [
  message('a body in a request of HTTP/2.0', request('POST', '2.0', 'a body')),
  message('CONNECT', request('CONNECT', '1.1', 'plain')),
  message('a request for an upgrade behind another request', get + request('GET', '1.1', 'upgrade')),
]
