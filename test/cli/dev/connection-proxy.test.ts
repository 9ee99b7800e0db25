import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { type ConnectionProxy, openFreeProxy, openProxy } from '../../../src/tools/cli/dev/connection-proxy.js'
import { ashlar } from '../../support/cli.js'
import { sourceFolder } from '../../support/source-folder.js'

async function opened(): Promise<{ proxy: ConnectionProxy; url: string }> {
  const proxy = await openProxy('127.0.0.1', 0)
  onTestFinished(() => proxy.close())
  return { proxy, url: `http://127.0.0.1:${proxy.port}` }
}

async function serving(text: string): Promise<Server & { readonly port: number }> {
  const server = createServer((incoming, outgoing) => {
    let body = ''
    incoming.on('data', (chunk) => (body += String(chunk)))
    incoming.on('end', () => outgoing.end(`${text} ${body}`))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return Object.assign(server, { port: (server.address() as AddressInfo).port })
}

test('requests wait until a process serves them', async () => {
  const { proxy, url } = await opened()
  const waiting = [fetch(url), fetch(url, { method: 'POST', body: 'x'.repeat(100_000) })]
  proxy.pass((await serving('first')).port)
  const texts = await Promise.all(waiting.map(async (response) => (await response).text()))
  expect(texts).toEqual(['first ', `first ${'x'.repeat(100_000)}`])
})

test('the next connection is served by the newest process', async () => {
  const { proxy, url } = await opened()
  const get = async () => (await fetch(url, { headers: { Connection: 'close' } })).text()
  proxy.pass((await serving('first')).port)
  expect(await get()).toBe('first ')
  proxy.hold()
  const held = get()
  proxy.pass((await serving('second')).port)
  expect([await held, await get()]).toEqual(['second ', 'second '])
})

test('requests are refused with the reason, also waiting ones', async () => {
  const { proxy, url } = await opened()
  const held = fetch(url, { method: 'POST', body: 'x' })
  proxy.refuse('It is broken.')
  for (const response of [await held, await fetch(`${url}/albums`)]) {
    expect(response.status).toBe(503)
    expect(await response.json()).toMatchObject({ errors: [{ status: '503', detail: 'It is broken.' }] })
    expect(response.headers.get('Connection')).toBe('close')
  }
})

test('a client that gives up, or a process that has ended, leaves no open connection', async () => {
  const { proxy, url } = await opened()
  const client = connect(proxy.port, '127.0.0.1')
  await once(client, 'connect')
  client.resetAndDestroy()
  const server = await serving('gone')
  server.close()
  proxy.pass(server.port)
  await expect(fetch(url)).rejects.toThrow('fetch failed')
})

test('if no port is named, the next free one is taken', async () => {
  const { proxy } = await opened()
  const next = await openFreeProxy('127.0.0.1', proxy.port)
  onTestFinished(() => next.close())
  expect(next.port).toBeGreaterThan(proxy.port)
})

test('a port that is named must be free', async () => {
  const { proxy } = await opened()
  const module = sourceFolder({ 'server.js': '' })
  expect(await ashlar('dev', `${module}/server.js`, '--port', String(proxy.port))).toMatchObject({
    code: 2,
    err: expect.stringMatching(
      `^The port ${proxy.port} is in use: end the program that uses it, or name another with --port\\.\n`,
    ),
  })
})

test.each([
  { args: ['absent.ts'], message: "There is no module 'absent.ts'." },
  { args: [], message: 'There is no module to serve: name its path, or run the command in a folder with' },
  { args: ['src', '--port', 'http'], message: "'http' is not a port: use a number from 0 to 65535." },
  { args: ['src', '--port', '70000'], message: "'70000' is not a port: use a number from 0 to 65535." },
])('ashlar dev refuses $args', async ({ args, message }) => {
  expect(await ashlar('dev', ...args)).toMatchObject({ code: 2, err: expect.stringContaining(message) })
})
