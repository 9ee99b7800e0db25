import { createServer as createHttpServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type ClientError, type ClientSettings, createClient, type ExportedRow } from '@ashlar/client'
import { type ApiOf, belongsTo, createServer, defineResource, hasMany, id as idOf, model, morphTo } from 'ashlar'
import { memoryData } from 'ashlar/memory'
import { type Listening, listen } from 'ashlar/node'
import { afterAll, beforeAll, describe, expect, expectTypeOf, onTestFinished, test } from 'vitest'
import { signal } from '../support/signal.js'
import { allOf, failure, scriptedServer, thrownBy } from './scripted-server.js'

const artists = defineResource('artists', {
  model: model<{ id: number; name: string }>('artists'),
  id: idOf(),
  attributes: (a) => ({ name: a.string() }),
  relations: { albums: hasMany('albums').via('artistId') },
  export: { formats: ['csv'] },
})
const albums = defineResource('albums', {
  model: model<{
    id: number
    title: string
    year: number | null
    artistId: number | null
    subjectId: number
    subjectType: string
  }>('albums'),
  id: idOf(),
  uriType: 'records',
  attributes: (a) => ({ title: a.string().sortable(), year: a.integer().nullable() }),
  relations: {
    artist: belongsTo('artists').nullable(),
    subject: morphTo(['artists', 'albums']).via('subjectId', 'subjectType'),
  },
  filters: (f) => ({ title: f.contains() }),
  export: true,
})
const tracks = defineResource('tracks', {
  model: model<{ id: number; title: string }>('tracks'),
  id: idOf(),
  attributes: (a) => ({ title: a.string() }),
  export: { maxRows: 2000, idleSeconds: 60 },
})

const album = { subjectId: 1, subjectType: 'artists' }
const server = createServer({
  resources: [artists, albums, tracks],
  access: 'open',
  logger: { error: () => undefined },
  data: memoryData({
    artists: [{ id: 1, name: 'Tool' }],
    albums: [
      { ...album, id: 1, title: 'Ænima', year: 1996, artistId: 1 },
      { ...album, id: 2, title: 'Lateralus\n"2"', year: null, artistId: null },
    ],
    tracks: Array.from({ length: 2500 }, (_, index) => ({ id: index + 1, title: `Track ${index + 1}` })),
  }),
})
interface Api extends ApiOf<typeof server> {}

let listening: Listening
beforeAll(async () => {
  listening = await listen(server, { port: 0 })
})
afterAll(async () => listening.close())

/** Returns a client over a socket, and the requests that it sends. */
function connected(settings: Partial<ClientSettings<Api>> = {}) {
  const sent: { readonly url: string; readonly init: RequestInit; response: Response | null }[] = []
  const { types } = createClient<Api>({
    url: listening.url,
    paths: { albums: 'records' },
    headers: { Authorization: 'Bearer alice' },
    async fetch(url, init) {
      const request: (typeof sent)[number] = { url, init, response: null }
      sent.push(request)
      request.response = await fetch(url, init)
      return request.response
    },
    ...settings,
  })
  return { types, sent }
}

describe('an export', () => {
  test('has the rows of the collection, with the headers of the client', async () => {
    const { types, sent } = connected()
    expect(await allOf(types.albums.export())).toEqual([
      { id: '1', title: 'Ænima', year: 1996, 'artist.id': '1', 'subject.type': 'artists', 'subject.id': '1' },
      { id: '2', title: 'Lateralus\n"2"', year: null, 'artist.id': null, 'subject.type': 'artists', 'subject.id': '1' },
    ])
    expect(sent.map(({ url, init }) => [init.method, url, Object.fromEntries(new Headers(init.headers))])).toEqual([
      ['GET', `${listening.url}/records`, { accept: 'application/x-ndjson', authorization: 'Bearer alice' }],
    ])
  })

  test('has the columns, the filters and the order of the query', async () => {
    const { types } = connected()
    const rows = await allOf(
      types.albums.export({ fields: { albums: ['year', 'artist'] }, filter: { title: 'a' }, sort: ['-title'] }),
    )
    expect(rows).toEqual([
      { id: '1', year: 1996, 'artist.id': '1' },
      { id: '2', year: null, 'artist.id': null },
    ])
    const [first] = rows
    expectTypeOf(first?.['artist.id']).toEqualTypeOf<string | null | undefined>()
    expectTypeOf(first?.year).toEqualTypeOf<number | null | undefined>()
    // @ts-expect-error -- it is no column
    expect(first?.title).toBeUndefined()
  })

  test('types the members of several types', () => {
    expectTypeOf<ExportedRow<Api, 'albums'>['subject.type']>().toEqualTypeOf<'artists' | 'albums' | null>()
  })

  test('is a verb of the types that export lines of JSON', () => {
    const { types } = connected()
    // @ts-expect-error -- it exports only CSV
    expect(types.artists.export).toBeTypeOf('function')
  })

  test('is one response, which throws if the server cuts it off', async () => {
    const { types, sent } = connected()
    const { ids, error } = await readUntilError(types.tracks.export())
    // Of 2,500 rows the server sends 2,000. `fetch` drops those that are not read before the connection ends, and with them the reason.
    expect(ids).toEqual(Array.from(ids, (_id, index) => String(index + 1)))
    expect(ids.length).toBeLessThanOrEqual(2000)
    expect(['ClientError', 'TypeError']).toContain((error as Error).name)
    expect(sent).toHaveLength(1)
  })

  test('is a QUERY request if its URL would be too long', async () => {
    const { types, sent } = connected()
    const ids = Array.from({ length: 2000 }, (_, index) => String(index + 1))
    const rows = await allOf(types.tracks.export({ filter: { id: ids }, fields: { tracks: ['title'] } }))
    expect(rows).toHaveLength(2000)
    expect(sent[0]).toMatchObject({ url: `${listening.url}/tracks`, init: { method: 'QUERY' } })
  })
})

/** Starts a server that responds to an export as the function says, and returns its URL. */
async function responding(respond: (response: ServerResponse) => void): Promise<string> {
  const http = createHttpServer((_request, response) => {
    response.setHeader('Content-Type', 'application/x-ndjson')
    respond(response)
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    http.closeAllConnections()
    await new Promise((resolve) => http.close(resolve))
  })
  return `http://127.0.0.1:${(http.address() as AddressInfo).port}`
}

/** Returns the ids that were read before the export failed, and its error. */
async function readUntilError(
  rows: AsyncIterable<{ readonly id: string }>,
): Promise<{ ids: string[]; error: unknown }> {
  const ids: string[] = []
  const error = await thrownBy(
    (async () => {
      for await (const { id } of rows) ids.push(id)
    })(),
  )
  return { ids, error }
}

const twoRows = '{"id":"1"}\n{"id":"2"}\n'

describe('an export that is not read to its end', () => {
  test('ends its request if the loop is left', async () => {
    const closed = signal()
    const url = await responding((response) => {
      response.on('close', () => closed.give())
      response.write(twoRows)
    })
    for await (const { id } of connected({ url }).types.albums.export()) {
      expect(id).toBe('1')
      break
    }
    await closed.given
  })

  test('throws the reason of the signal', async () => {
    const [closed, controller] = [signal(), new AbortController()]
    const url = await responding((response) => {
      response.on('close', () => closed.give())
      response.write(twoRows)
    })
    const rows = connected({ url }).types.albums.export({ signal: controller.signal })
    const reason = new Error('The user has left.')
    const read = async () => {
      for await (const { id } of rows) if (id === '2') controller.abort(reason)
    }
    expect(await thrownBy(read())).toBe(reason)
    await closed.given
  })

  test('has a timeout until the response begins, and none for its rows', async () => {
    const url = await responding((response) => {
      response.write(twoRows)
      setTimeout(() => response.end('{"id":"3"}\n'), 60)
    })
    expect(await allOf(connected({ url, timeout: 40 }).types.albums.export())).toHaveLength(3)
    const silent = await responding(() => undefined)
    const { error } = await readUntilError(
      connected({ url: silent, timeout: 40, retry: { attempts: 1 } }).types.albums.export(),
    )
    expect(error).toMatchObject({ name: 'TimeoutError' })
  })
})

describe('an export that is cut off throws after its last row', () => {
  test('if the connection is lost', async () => {
    const url = await responding((response) => {
      response.write(twoRows, () => response.destroy())
    })
    const { ids, error } = await readUntilError(connected({ url }).types.albums.export())
    expect([ids, (error as Error).name]).toEqual([['1', '2'], 'TypeError'])
  })

  test.each<[string, string, Partial<ClientError>]>([
    ['errors', '{"errors":[{"status":"500","detail":"Too many."}]}\n', { message: 'Too many.' }],
    ['half a line', '{"id":"3","ti', { message: 'The export is incomplete.', errors: [expect.anything()] }],
  ])('if its last line has %s, also if the body ends as HTTP says', async (_title, last, expected) => {
    const url = await responding((response) => response.end(twoRows + last))
    const { ids, error } = await readUntilError(connected({ url }).types.albums.export())
    expect(ids).toEqual(['1', '2'])
    expect(error).toMatchObject({ name: 'ClientError', status: 200, ...expected })
  })
})

describe('an export that is refused', () => {
  test('has the errors of the server, and is repeated like other reads', async () => {
    const { albums: records, sent } = scriptedServer([failure(503), failure(403, [{ detail: 'No.' }])])
    expect(await readUntilError(records.export())).toMatchObject({ ids: [], error: { status: 403, message: 'No.' } })
    expect(sent.map(({ method, headers }) => [method, headers['accept']])).toEqual([
      ['GET', 'application/x-ndjson'],
      ['GET', 'application/x-ndjson'],
    ])
  })

  test('throws if a success is something else', async () => {
    const page = new Response('<p>Sign in</p>', { headers: { 'Content-Type': 'text/html' } })
    const { albums: records } = scriptedServer([page])
    expect(await readUntilError(records.export())).toMatchObject({
      error: { name: 'ClientError', message: 'The server responded with 200, but not in the expected format.' },
    })
  })

  test('is not sent before its first row is read', async () => {
    const { albums: records, sent } = scriptedServer([])
    records.export()
    expect(sent).toEqual([])
  })
})

test('letters of several bytes may lie in two parts', async () => {
  const bytes = new TextEncoder().encode('{"id":"1","title":"Ænima"}\n')
  const url = await responding((response) => {
    const cut = bytes.indexOf(0xc3) + 1
    response.write(bytes.subarray(0, cut), () => setTimeout(() => response.end(bytes.subarray(cut)), 20))
  })
  expect(await allOf(connected({ url }).types.albums.export())).toEqual([{ id: '1', title: 'Ænima' }])
})
