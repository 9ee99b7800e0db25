import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { belongsTo, createServer, defineResource, id, model } from 'ashlar'
import { memoryData } from 'ashlar/memory'
import type { TestResponse } from 'ashlar/testing'
import { describe, expect, it } from 'vitest'
import { exchange, lastBody } from '../adapters/raw-connection.js'
import { client } from '../support/client.js'
import { musicServices, roadTrip } from '../support/music-service.js'
import { observedMusic } from './observed-music.js'
import { MEDIA_TYPE, type RawRequest, send } from './raw-request.js'

function titles({ resources }: TestResponse): readonly unknown[] {
  return resources.map(({ attributes }) => attributes?.['title'])
}

function ids({ resources }: TestResponse): readonly string[] {
  return resources.map((resource) => resource.id)
}

/** A genre is all it takes, with whatever else the test puts into it. */
function genre(more: object = {}): object {
  return { type: 'genres', id: 'trip-hop', attributes: { name: 'Trip hop' }, ...more }
}

/** A label with members that it does not have in every object, their names beginning with a mark. */
function strewnLabel(mark: string): object {
  const resource = {
    type: 'labels',
    [`${mark}resource`]: 1,
    attributes: { name: 'XL', [`${mark}attribute`]: 1 },
    relationships: { parent: { data: null, [`${mark}inside`]: 1 }, [`${mark}relationship`]: { data: null } },
  }
  return { [`${mark}top`]: 1, data: resource }
}

/** A request in bytes. */
function get(target: string, headers = ''): string {
  return `GET ${target} HTTP/1.1\r\nHost: music.example\r\n${headers}\r\n`
}

describe.each(musicServices)('Unusual but legal requests are served on %s', (_engine, open) => {
  const music = observedMusic(open)

  const sendLine = (line: string, sent?: RawRequest) => send(music.port, line, sent)
  const write = (line: string, document: object, contentType = MEDIA_TYPE) =>
    sendLine(line, { headers: { 'Content-Type': contentType }, body: JSON.stringify(document) })

  describe('queries', () => {
    it.each([
      '/tracks?filter[title]=ra&sort=-title&page[size]=1',
      '/tracks?filter%5Btitle%5D=ra&sort=-title&page%5Bsize%5D=1',
      '/tracks?filter%5btitle]=ra&sort=%2Dtitle&page[size%5d=1',
      '/tracks?&filter[title]=ra&&sort=-title&page[size]=1&',
    ])('brackets as they are or encoded, and an & too many: %s', async (target) => {
      expect(titles(await sendLine(`GET ${target}`))).toEqual(['Paranoid Android'])
    })

    it.each(['Kind+of', 'Kind%20of', 'kind+OF', '%4Bind%20o%66'])(
      'a blank is a plus, or encoded: %s',
      async (value) => {
        expect(titles(await sendLine(`GET /albums?filter[title]=${value}`))).toEqual(['Kind of Blue'])
      },
    )

    it('a plus is %2B', async () => {
      expect(titles(await sendLine('GET /albums?filter[title]=Kind%2Bof'))).toEqual([])
    })

    it.each([
      'page[offset]=undefined&page[limit]=undefined',
      'page[offset]=null',
      'page[limit]=NaN',
      'page[number]=undefined&page[size]=undefined',
      'page[size]=',
      'page[after]=',
      'page[kind]=',
    ])('a page that was left undefined is the first: %s', async (query) => {
      const { resources, document } = await sendLine(`GET /tracks?${query}`)
      expect(resources).toHaveLength(12)
      expect(document?.links).not.toHaveProperty('next')
    })

    it.each(['/albums?', '/albums?sort=', '/albums?sort', '/albums?include=', '/albums?filter[title]='])(
      'an empty parameter has no effect: %s',
      async (target) => {
        expect(ids(await sendLine(`GET ${target}`))).toEqual(['1', '2', '3', '4'])
      },
    )

    it('an empty include takes away what is included by default', async () => {
      expect((await sendLine('GET /favorites')).document?.included).toHaveLength(3)
      expect((await sendLine('GET /favorites?include=')).document?.included).toEqual([])
    })

    it('an empty fieldset leaves type and id', async () => {
      const { resource } = await sendLine('GET /genres/jazz?fields[genres]=')
      expect(resource).toEqual({ type: 'genres', id: 'jazz', links: { self: `${music.url}/genres/jazz` } })
    })

    it('the last of a repeated parameter counts, and [] makes a list', async () => {
      expect(titles(await sendLine('GET /albums?sort=title&sort=-title&page[size]=1'))).toEqual(['OK Computer'])
      expect(ids(await sendLine('GET /tracks?filter[genres]=jazz&filter[genres]=art-rock'))).toEqual(['2', '7'])
      expect(await sendLine('GET /tracks?filter[genres][]=jazz&filter[genres][]=art-rock').then(ids)).toHaveLength(6)
    })

    it('a path with letters encoded that need not be', async () => {
      expect((await sendLine('GET /album%73/%31')).resource.attributes).toMatchObject({ title: 'OK Computer' })
    })
  })

  describe('headers', () => {
    it.each([MEDIA_TYPE, 'application/json', `${MEDIA_TYPE}; charset=utf-8`])(
      'a Content-Type without a body means nothing: %s',
      async (type) => {
        expect((await sendLine('GET /genres/jazz', { headers: { 'Content-Type': type } })).status).toBe(200)
        expect((await sendLine('DELETE /genres/jazz', { headers: { 'Content-Type': type } })).status).toBe(204)
      },
    )

    it.each([
      '*/*',
      'application/*',
      'text/html, image/png;q=0.8',
      `${MEDIA_TYPE}, */*`,
      `text/plain, ${MEDIA_TYPE};q=0.5, */*; q=0.1`,
      `${MEDIA_TYPE.toUpperCase()} ; Q=0.9`,
      `${MEDIA_TYPE}; charset=utf-8, ${MEDIA_TYPE}`,
      `${MEDIA_TYPE}; profile="https://music.example/unheard-of"`,
      '',
    ])('Accept: %s', async (accept) => {
      const { status, headers } = await sendLine('GET /genres/jazz', { headers: { Accept: accept } })
      expect(status).toBe(200)
      expect(headers.get('Content-Type')).toBe(MEDIA_TYPE)
    })

    it.each([
      MEDIA_TYPE.toUpperCase(),
      `${MEDIA_TYPE};`,
      `Application/Vnd.Api+Json; Profile="https://music.example/x"`,
    ])('Content-Type: %s', async (type) => {
      expect((await write('POST /genres', { data: genre() }, type)).status).toBe(201)
    })

    it('an encoding that the service does not support is ignored', async () => {
      const { headers, resource } = await sendLine('GET /genres/jazz', { headers: { 'Accept-Encoding': 'gzip, br' } })
      expect(headers.has('Content-Encoding')).toBe(false)
      expect(resource.attributes).toEqual({ name: 'Jazz' })
    })
  })

  describe('documents', () => {
    it.each([
      { links: { self: '/genres' } },
      { meta: {} },
      { jsonapi: { version: '1.0', meta: {} } },
      { included: [] },
      { '@context': { name: 'https://schema.org/name' } },
      { meta: { page: 1 }, jsonapi: {}, links: {}, included: [] },
    ])('next to its data: %j', async (more) => {
      const { status, resource } = await write('POST /genres', { data: genre(), ...more })
      expect(status).toBe(201)
      expect(resource.attributes).toEqual({ name: 'Trip hop' })
    })

    it.each([
      { relationships: {} },
      { links: { self: '/genres/trip-hop' } },
      { meta: {} },
      { '@id': 'https://music.example/trip-hop' },
      { attributes: { '@lang': 'en', name: 'Trip hop' } },
      { relationships: { '@parents': { data: 'none' } } },
    ])('in a resource: %j', async (more) => {
      const { status, resource } = await write('POST /genres', { data: genre(more) })
      expect(status).toBe(201)
      expect(resource.attributes).toEqual({ name: 'Trip hop' })
    })

    it.each([
      {},
      { attributes: {} },
      { relationships: {} },
      { attributes: {}, relationships: { artist: {} } },
      { relationships: { artist: { links: { self: '/albums/1/relationships/artist' } } } },
      { relationships: { artist: { '@note': 1, data: { type: 'artists', id: '1', '@note': 2 } } } },
    ])('an update of nothing, with the id that is in its path already: %j', async (more) => {
      const before = await sendLine('GET /albums/1')
      const { status, resource } = await write('PATCH /albums/1', { data: { type: 'albums', id: '1', ...more } })
      expect(status).toBe(200)
      expect(resource).toEqual(before.resource)
    })

    it('linkage with members that the response had', async () => {
      const data = [{ type: 'tracks', id: '2', attributes: { title: 'Android' }, meta: { served_by: 'x' }, '@a': 1 }]
      const { status } = await write(`POST /playlists/${roadTrip}/relationships/tracks`, { data, meta: {}, links: {} })
      expect(status).toBe(204)
      expect((await sendLine('GET /tracks/2')).resource.attributes).toMatchObject({ title: 'Paranoid Android' })
    })

    it.each(['{"data":{"type":"genres","id":"jazz"}}', 'not even JSON'])(
      'a body on GET, HEAD and DELETE is not read: %s',
      async (body) => {
        const sent = { headers: { 'Content-Type': MEDIA_TYPE }, body }
        expect((await sendLine('GET /genres/jazz', sent)).status).toBe(200)
        expect((await sendLine('HEAD /genres/jazz', sent)).status).toBe(200)
        expect((await sendLine('DELETE /genres/jazz', sent)).status).toBe(204)
        expect((await sendLine('GET /genres/jazz')).status).toBe(404)
      },
    )

    it('blanks around the document, and escapes in it', async () => {
      const body = `\r\n\t ${JSON.stringify({ data: genre() }).replace('Trip', '\\u0054rip')} \n`
      const { resource } = await sendLine('POST /genres', { headers: { 'Content-Type': MEDIA_TYPE }, body })
      expect(resource.attributes).toEqual({ name: 'Trip hop' })
    })
  })

  describe('HTTP', () => {
    it('a chunked body without a length', async () => {
      const headers = { 'Content-Type': MEDIA_TYPE, 'Transfer-Encoding': 'chunked' }
      const outgoing = request({ port: music.port, host: '127.0.0.1', method: 'POST', path: '/genres', headers })
      const [first, ...rest] = JSON.stringify({ data: genre() }).match(/.{1,9}/g) ?? []
      outgoing.write(first)
      for (const piece of rest) {
        await new Promise((resolve) => setImmediate(resolve))
        outgoing.write(piece)
      }
      outgoing.end()
      const [incoming] = await once(outgoing, 'response')
      expect(incoming.statusCode).toBe(201)
      incoming.resume()
    })

    it('a body that waits for 100 Continue', async () => {
      const body = JSON.stringify({ data: genre() })
      const headers = { 'Content-Type': MEDIA_TYPE, 'Content-Length': Buffer.byteLength(body), Expect: '100-continue' }
      const outgoing = request({ port: music.port, host: '127.0.0.1', method: 'POST', path: '/genres', headers })
      outgoing.flushHeaders()
      await once(outgoing, 'continue')
      outgoing.end(body)
      const [incoming] = await once(outgoing, 'response')
      expect(incoming.statusCode).toBe(201)
      incoming.resume()
    })

    it('many requests on one connection, also after an error and after a body that is not read', async () => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 })
      const sockets = new Set<unknown>()
      agent.on('free', (socket) => sockets.add(socket))
      const body = { headers: { 'Content-Type': MEDIA_TYPE }, body: 'x'.repeat(10_000), agent }
      const statuses = []
      for (const [line, sent] of [
        ['GET /genres', { agent }],
        ['GET /genres/none', { agent }],
        ['POST /genres', body],
        ['DELETE /genres/jazz', body],
        ['HEAD /genres', { agent }],
        ['GET /genres/rock', { agent }],
      ] as const) {
        statuses.push((await sendLine(line, sent)).status)
      }
      agent.destroy()
      expect(statuses).toEqual([200, 404, 400, 204, 200, 200])
      expect(sockets.size).toBe(1)
    })

    it('requests that do not wait for the previous response', async () => {
      const sent = get('/genres/jazz') + get('/genres/none') + get('/genres/rock', 'Connection: close\r\n')
      const { text } = await exchange(music.port, sent)
      expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 404', 'HTTP/1.1 200'])
      expect(JSON.parse(lastBody(text))).toMatchObject({ data: { attributes: { name: 'Rock' } } })
    })

    it('a target with the whole URL, as for a proxy', async () => {
      expect((await sendLine(`GET ${music.url}/genres/jazz`)).resource.id).toBe('jazz')
    })

    it.each([
      '/albums?include=artist',
      '/albums/1',
      '/albums/1/artist',
      '/albums/1/relationships/tracks',
      '/albums/999',
    ])('HEAD, which is GET without the body: %s', async (target) => {
      const [head, whole] = [await sendLine(`HEAD ${target}`), await sendLine(`GET ${target}`)]
      expect(head.status).toBe(whole.status)
      expect(head.text).toBe('')
      for (const name of ['Content-Type', 'Content-Length', 'Vary']) {
        expect(head.headers.get(name)).toBe(whole.headers.get(name))
      }
    })

    it('OPTIONS, which lists the methods', async () => {
      const { status, headers } = await sendLine('OPTIONS /albums/1')
      expect(status).toBe(204)
      expect(headers.get('Allow')).toBe('GET, HEAD, QUERY, PATCH, DELETE, OPTIONS')
    })
  })
})

it('Members that begin with @ are ignored also where unknown ones are refused', async () => {
  const labels = defineResource('labels', {
    model: model<{ id: number; name: string; parentId: number | null }>('labels'),
    id: id(),
    attributes: (a) => ({ name: a.string().required() }),
    relations: { parent: belongsTo('labels') },
  })
  const strict = client(createServer({ resources: [labels], data: memoryData(), unknownMembers: 'reject' }))
  expect((await strict.post('/labels', { body: strewnLabel('@') })).status).toBe(201)
  expect((await strict.post('/labels', { body: strewnLabel('') })).errors).toMatchObject([
    { status: '422', source: { pointer: '/data/attributes/attribute' } },
    { status: '422', source: { pointer: '/data/relationships/relationship' } },
  ])
})
