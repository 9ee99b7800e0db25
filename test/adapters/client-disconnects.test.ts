import { once } from 'node:events'
import type { Server } from 'node:http'
import { createServer, request as httpRequest } from 'node:http'
import { connect, createServer as createHttp2Server } from 'node:http2'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { fetchAdapter } from '../../src/serve/adapters/fetch.js'
import { nodeAdapter } from '../../src/serve/adapters/node.js'
import type { HttpRequest } from '../../src/core/http/request.js'
import type { HttpHandle, HttpResponse } from '../../src/core/http/response.js'

const reply: HttpResponse = { status: 200, headers: ['Content-Type', 'text/plain'], body: 'Blue' }

const servers: Server[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  }
})

async function served(handle: HttpHandle): Promise<string> {
  const server = createServer(nodeAdapter(handle)).listen(0, '127.0.0.1')
  servers.push(server)
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

/** A request that gets its response when the gate opens. */
async function waiting(): Promise<{
  readonly url: string
  readonly arrived: Promise<HttpRequest>
  readonly gate: EventTarget
}> {
  const gate = new EventTarget()
  const requests = new EventTarget()
  const arrived = once(requests, 'request').then(([event]) => (event as CustomEvent<HttpRequest>).detail)
  const url = await served(async (request) => {
    const opened = once(gate, 'open')
    requests.dispatchEvent(new CustomEvent('request', { detail: request }))
    await opened
    return reply
  })
  return { url, arrived, gate }
}

describe('node:http', () => {
  it('calls listeners once when the client disconnects, and later listeners immediately', async () => {
    const { url, arrived, gate } = await waiting()
    const clientRequest = httpRequest(url).on('error', () => undefined)
    clientRequest.end()
    const request = await arrived
    const early = vi.fn<() => void>()
    const disconnected = new Promise<void>((resolve) => request.onAbort?.(resolve))
    request.onAbort?.(early)
    const stopped = vi.fn<() => void>()
    request.onAbort?.(stopped)()
    clientRequest.destroy()
    await disconnected
    const late = vi.fn<() => void>()
    request.onAbort?.(late)
    gate.dispatchEvent(new Event('open'))
    expect(early).toHaveBeenCalledOnce()
    expect(late).toHaveBeenCalledOnce()
    expect(stopped).not.toHaveBeenCalled()
  })

  it('calls no listener for a client that disconnects after its response', async () => {
    const { url, arrived, gate } = await waiting()
    const body = fetch(url).then((response) => response.text())
    const request = await arrived
    const listener = vi.fn<() => void>()
    request.onAbort?.(listener)
    gate.dispatchEvent(new Event('open'))
    expect(await body).toBe('Blue')
    for (const server of servers) server.closeAllConnections()
    request.onAbort?.(listener)
    // Long enough for a wrong call to come, where the machine is not too busy. Where it is, this proves less, but never fails.
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(listener).not.toHaveBeenCalled()
  })

  it('calls listeners also if the client disconnects while its body is being sent', async () => {
    const { url, arrived } = await waiting()
    const clientRequest = httpRequest(url, { method: 'POST', headers: { 'content-length': 100 } }).on(
      'error',
      () => undefined,
    )
    clientRequest.write('{')
    const request = await arrived
    const disconnected = new Promise<string>((resolve) => request.onAbort?.(() => resolve('gone')))
    clientRequest.destroy()
    expect(await disconnected).toBe('gone')
  })
})

describe('node:http2', () => {
  it.each(['stream', 'connection'])('calls listeners once when the client closes its %s', async (closed) => {
    const requests: ((request: HttpRequest) => void)[] = []
    const responses: ((response: HttpResponse) => void)[] = []
    const handle: HttpHandle = (request) => {
      requests.shift()?.(request)
      return new Promise((resolve) => responses.push(resolve))
    }
    // The types of `node:http2` differ from those of `node:http`.
    const server = createHttp2Server(nodeAdapter(handle) as never).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const session = connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
    const send = async () => {
      const received = new Promise<HttpRequest>((resolve) => requests.push(resolve))
      return { stream: session.request({ ':path': '/' }).on('error', () => undefined), request: await received }
    }
    const first = await send()
    const never = vi.fn<() => void>()
    first.request.onAbort?.(never)
    responses.shift()?.(reply)
    await once(first.stream.resume(), 'close')
    const { stream, request } = await send()
    const [early, late, stopped] = [vi.fn<() => void>(), vi.fn<() => void>(), vi.fn<() => void>()]
    request.onAbort?.(early)
    request.onAbort?.(stopped)()
    const disconnected = new Promise<void>((resolve) => request.onAbort?.(resolve))
    if (closed === 'stream') stream.close(8)
    else session.destroy()
    await disconnected
    request.onAbort?.(late)
    responses.shift()?.(reply)
    session.destroy()
    await new Promise<unknown>((resolve) => server.close(resolve))
    expect([never, early, late, stopped].map(({ mock }) => mock.calls.length)).toEqual([0, 1, 1, 0])
  })
})

describe('The Web request', () => {
  it('calls listeners once when the signal is aborted, and later listeners immediately', async () => {
    const leaving = new AbortController()
    const calls = { early: vi.fn<() => void>(), stopped: vi.fn<() => void>(), late: vi.fn<() => void>() }
    const serve = fetchAdapter((request) => {
      request.onAbort?.(calls.early)
      request.onAbort?.(calls.stopped)()
      leaving.abort()
      request.onAbort?.(calls.late)
      return Promise.resolve(reply)
    })
    await serve(new Request('http://127.0.0.1/', { signal: leaving.signal }))
    expect(calls.early).toHaveBeenCalledOnce()
    expect(calls.late).toHaveBeenCalledOnce()
    expect(calls.stopped).not.toHaveBeenCalled()
  })
})
