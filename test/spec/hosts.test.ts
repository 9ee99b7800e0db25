import type { ServerSettings } from 'ashlar'
import { atomic, createServer, defineResource, id, model } from 'ashlar'
import { memoryData } from 'ashlar/memory'
import { listen } from 'ashlar/node'
import { expectErrors } from 'ashlar/testing'
import { describe, expect, test } from 'vitest'
import { client } from '../support/client.js'

const albums = defineResource('albums', {
  model: model<{ id: number; title: string }>('albums'),
  id: id(),
  attributes: (a) => ({ title: a.string() }),
})

type Settings = Partial<ServerSettings<[typeof albums]>>

const server = (settings: Settings) =>
  createServer({ ...settings, resources: [albums], data: memoryData({ albums: [{ id: 1, title: 'A' }] }) })

const url = 'http://inner.example:8080/albums/1'

async function selfLink(settings: Settings, headers: Readonly<Record<string, string>>): Promise<string> {
  const response = await server(settings).fetch(new Request(url, { headers }))
  const document = (await response.json()) as { links: { self: string }; data: { links: { self: string } } }
  expect(document.data.links.self).toBe(document.links.self)
  return document.links.self
}

describe('behind a proxy that is trusted', () => {
  test.each([
    [{}, url],
    [{ 'x-forwarded-proto': 'https', 'x-forwarded-host': 'music.example' }, 'https://music.example/albums/1'],
    [{ 'x-forwarded-proto': 'https', 'x-forwarded-host': 'a.example, b.example' }, 'https://a.example/albums/1'],
    [{ 'x-forwarded-host': 'music.example', 'x-forwarded-port': '8443' }, 'http://music.example:8443/albums/1'],
    [
      { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'music.example:444', 'x-forwarded-port': '443' },
      'https://music.example/albums/1',
    ],
    [{ 'x-forwarded-port': '99999' }, url],
    [{ 'x-forwarded-prefix': '/api/v1/' }, 'http://inner.example:8080/api/v1/albums/1'],
    [{ 'x-forwarded-prefix': '/..' }, url],
    [{ 'x-forwarded-prefix': '//evil.example' }, url],
    [{ 'x-forwarded-prefix': '/"<' }, url],
    [{ forwarded: 'for=1.2.3.4;proto=https;host=music.example' }, 'https://music.example/albums/1'],
    [{ forwarded: 'For="[2001:db8::1]:80"; Host="music.example:444", host=b' }, 'http://music.example:444/albums/1'],
    [
      { forwarded: 'host=music.example;proto=https', 'x-forwarded-host': 'b.example', 'x-forwarded-proto': 'http' },
      'https://music.example/albums/1',
    ],
    [{ forwarded: 'host="a b"', 'x-forwarded-proto': 'ftp' }, url],
  ])('the links have the URL that the client used: %j', async (headers, expected) => {
    expect(await selfLink({ trustProxy: true }, headers as Readonly<Record<string, string>>)).toBe(expected)
    expect(await selfLink({}, headers as Readonly<Record<string, string>>)).toBe(url)
  })

  test('the href of an atomic operation may have the prefix', async () => {
    const type = 'application/vnd.api+json;ext="https://jsonapi.org/ext/atomic"'
    const headers = { 'content-type': type, accept: type, 'x-forwarded-prefix': '/api' }
    const settings = { trustProxy: true, extensions: [atomic()] }
    for (const href of ['/api/albums/1', 'http://inner.example:8080/api/albums/1', '/albums/1']) {
      const body = JSON.stringify({ 'atomic:operations': [{ op: 'remove', href }] })
      const request = new Request('http://inner.example:8080/operations', { method: 'POST', headers, body })
      expect((await server(settings).fetch(request)).status, href).toBe(204)
    }
  })

  test('this applies to every adapter of the server', async () => {
    const trusting = server({ trustProxy: true })
    const headers = { 'X-Forwarded-Host': 'music.example', 'X-Forwarded-Prefix': '/api' }
    for (const served of [trusting, trusting.handle]) {
      const listening = await listen(served)
      const text = await (await fetch(`${listening.url}/albums/1`, { headers })).text()
      expect(text).toContain('"self":"http://music.example/api/albums/1"')
      await listening.close()
    }
    const listening = await listen(server({}).handle, { trustProxy: true })
    expect(await (await fetch(`${listening.url}/albums/1`, { headers })).text()).toContain('http://music.example/api/')
    await listening.close()
  })
})

const status = async (host: string, settings: Settings, headers = {}): Promise<number> => {
  const response = await server(settings).fetch(new Request(`http://${host}/albums/1`, { headers }))
  return response.status
}

describe('allowedHosts', () => {
  test('refuses every other host with 421', async () => {
    const allowedHosts = ['music.example', '*.music.example', 'localhost:3000']
    for (const host of ['music.example', 'MUSIC.example', 'music.example:81', 'a.b.music.example', 'localhost:3000']) {
      expect(await status(host, { allowedHosts }), host).toBe(200)
    }
    for (const host of ['music.example.', 'a.music.example.:81']) {
      expect(await status(host, { allowedHosts }), host).toBe(200)
    }
    expect(await status('music.example', { allowedHosts: ['music.example:80'] })).toBe(200)
    expect(await status('[0::1]:81', { allowedHosts: ['[0:0::1]'] })).toBe(200)
    for (const host of ['evil.example', 'notmusic.example', 'localhost', 'localhost:3001', 'music.example.evil']) {
      expect(await status(host, { allowedHosts }), host).toBe(421)
    }
  })

  test('uses the host that a trusted proxy names', async () => {
    const allowedHosts = ['music.example']
    const headers = { 'x-forwarded-host': 'music.example' }
    expect(await status('inner', { allowedHosts, trustProxy: true }, headers)).toBe(200)
    expect(await status('inner', { allowedHosts }, headers)).toBe(421)
    expect(await status('music.example', { allowedHosts, trustProxy: true }, { 'x-forwarded-host': 'evil' })).toBe(421)
  })

  test('reports it with the header', async () => {
    const response = await client(server({ allowedHosts: ['music.example'] })).get('/albums')
    expectErrors(response, [{ status: 421, code: 'HOST_NOT_ALLOWED' }])
    expect(response.document?.errors).toMatchObject([{ source: { header: 'Host' } }])
  })

  test('is a list of hosts', () => {
    for (const allowedHosts of ['a', ['http://a'], ['*'], ['a/b'], [1]]) {
      expect(() => server({ allowedHosts: allowedHosts as string[] })).toThrow('allowedHosts')
    }
  })
})

/** Returns the name of the server that responds to a request with this header `Host`. */
async function serverAt(servers: NonNullable<Settings['servers']>, origin: string): Promise<unknown> {
  const on = albums.with({ server: ['default', ...Object.keys(servers)] })
  const named = createServer({ resources: [on], data: memoryData(), servers })
  const request = { method: 'GET', path: '/', query: '', origin, header: () => undefined, hasBody: false }
  const { body } = await named.handle({ ...request, body: () => Promise.resolve(null) })
  return (JSON.parse(typeof body === 'string' ? body : '{}') as { meta: { server: string } }).meta.server
}

describe('the host of a named server', () => {
  test.each([
    ['http://staff.example', 'staff'],
    ['http://STAFF.example:8080', 'staff'],
    ['https://staff.example.', 'staff'],
    ['https://staff.example.:8443', 'staff'],
    ['http://staff.example.evil', 'default'],
    ['http://staff.example..', 'default'],
    ['http://[::1]', 'local'],
    ['http://[0:0:0:0:0:0:0:1]:3000', 'local'],
    ['http://[::2]', 'default'],
  ])('is the same in each of its spellings: %s', async (origin, expected) => {
    expect(await serverAt({ staff: { host: 'Staff.example' }, local: { host: '[0::1]' } }, origin)).toBe(expected)
    expect(await serverAt({ staff: { host: 'staff.EXAMPLE.' }, local: { host: '[::1]' } }, origin)).toBe(expected)
  })

  test.each([
    ['https://music.example', 'secure'],
    ['https://music.example:443', 'secure'],
    ['http://music.example', 'plain'],
    ['http://music.example:0080', 'plain'],
    ['http://music.example:8080', 'tests'],
    ['http://music.example:8081', 'any'],
  ])(
    'with a port takes precedence over the same host without one, and has the default port too: %s',
    async (origin, expected) => {
      const servers = {
        any: { host: 'music.example' },
        secure: { host: 'music.example:443' },
        plain: { host: 'music.example:80' },
        tests: { host: 'music.example:8080' },
      }
      expect(await serverAt(servers, origin)).toBe(expected)
    },
  )
})
