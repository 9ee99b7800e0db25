import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Listening, listen } from '../../src/serve/adapters/listen.js'
import { nodeAdapter } from '../../src/serve/adapters/node.js'
import { signal } from '../support/signal.js'
import { BODY_LIMIT, echo } from './echo.js'
import { exchange, lastBody, open } from './raw-connection.js'

let listening: Listening
const unhandled: unknown[] = []
const onUnhandled = (reason: unknown) => unhandled.push(reason)

beforeAll(async () => {
  process.on('unhandledRejection', onUnhandled)
  listening = await listen(echo, { grace: 500 })
})

afterAll(async () => {
  await listening.close()
  process.off('unhandledRejection', onUnhandled)
  expect(unhandled).toEqual([])
})

// Such a connection stays open for a second after the response: these tests wait for it at the same time.
describe.concurrent('A body past the limit', () => {
  it('is refused with 413 without being read if its Content-Length is too large', async () => {
    const { text, closed } = await exchange(
      listening.port,
      'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000000\r\n\r\nabc',
    )
    expect(text).toMatch(/^HTTP\/1\.1 413 /)
    expect(text).toMatch(/\r\nConnection: close\r\n/)
    expect(lastBody(text)).toBe('too large')
    expect(closed).toBe(true)
  })

  it('is refused with 413 when it grows too large in chunks, and the rest is not read', async () => {
    const server = createServer(nodeAdapter(echo)).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const connected = once(server, 'connection') as Promise<[Socket]>
    const client = await open((server.address() as AddressInfo).port)
    const [connection] = await connected
    let text = ''
    client
      .on('error', () => undefined)
      .on('data', (chunk: Buffer) => {
        text += chunk.toString()
      })
    client.write('POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n')
    const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`
    const pump = setInterval(() => {
      if (!client.writableNeedDrain) for (let index = 0; index < 16; index += 1) client.write(chunk)
    }, 1)
    await new Promise((resolve) => connection.once('close', resolve))
    clearInterval(pump)
    client.destroy()
    server.close()
    expect(text).toMatch(/^HTTP\/1\.1 413 /)
    expect(text).toMatch(/\r\nConnection: close\r\n/)
    expect(connection.bytesRead).toBeLessThan(1_000_000)
  })

  it('does not close the connection if it is exactly at the limit', async () => {
    const response = await fetch(listening.url, { method: 'POST', body: 'x'.repeat(BODY_LIMIT) })
    expect(response.status).toBe(200)
    expect(response.headers.get('connection')).toBe('keep-alive')
    await response.body?.cancel()
  })

  it('reaches an ordinary client as 413, not as a reset', async () => {
    for (const body of ['x'.repeat(BODY_LIMIT + 1), 'x'.repeat(200_000)]) {
      const response = await fetch(listening.url, { method: 'POST', body })
      expect(response.status).toBe(413)
      expect(await response.text()).toBe('too large')
    }
  })
})

describe.concurrent('A body that the server does not read', () => {
  it('does not close the connection if it is small', async () => {
    const { text } = await exchange(
      listening.port,
      'POST /ignores-body HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabcGET /2 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
    )
    expect(text).toMatch(/^HTTP\/1\.1 404 [^]*"path":"\/2"/)
  })

  it('ends the connection if it is large and still being sent', async () => {
    const { text, closed } = await exchange(
      listening.port,
      'POST /ignores-body HTTP/1.1\r\nHost: a\r\nContent-Length: 100000000\r\n\r\nabc',
    )
    expect(text).toMatch(/^HTTP\/1\.1 404 [^]*Connection: close/)
    expect(closed).toBe(true)
  })
})

/** Sends half a body, goes away when the handle has got the request, and waits until the server knows. */
async function leaving(path: string): Promise<void> {
  const handled = signal()
  const server = createServer(nodeAdapter((request) => echo(request).finally(() => handled.give())))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const connected = once(server, 'connection') as Promise<[Socket]>
  const received = once(server, 'request')
  const socket = await open((server.address() as AddressInfo).port)
  const [connection] = await connected
  const disconnected = new Promise((resolve) => connection.once('close', resolve))
  socket.write(`POST ${path} HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\nhalf`)
  await received
  socket.resetAndDestroy()
  await Promise.all([disconnected, handled.given])
  const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  expect(response.status).toBe(200)
  await response.text()
  server.close()
  server.closeAllConnections()
}

describe('A client that disconnects', () => {
  it('in the middle of its body leaves no open request', () => leaving('/'))

  it('before its body is read leaves no open request', () => leaving('/slow'))

  it('by closing its side in the middle of its body gets an error, and the connection is closed', async () => {
    const { text, closed } = await exchange(
      listening.port,
      'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\nhalf',
      { finish: true },
    )
    expect(text).toMatch(/^HTTP\/1\.1 400 /)
    expect(closed).toBe(true)
  })
})
