import { ClientError, createClient, type ClientSettings, type ErrorObject } from 'ashlar/client'
import { describe, expect, test } from 'vitest'

/** A contract as `ashlar types` writes it, with paths that are not the names. */
interface Api {
  types: {
    albums: {
      path: 'records'
      operations: 'FetchCollection' | 'FetchOne' | 'Create' | 'Update' | 'Delete'
      clientIds: 'optional'
      attributes: { title: string }
      create: { title: string }
      update: { title?: string }
      relations: {
        tracks: {
          type: 'albums'
          many: true
          path: 'songs'
          is:
            | 'shown'
            | 'includable'
            | 'related'
            | 'relationship'
            | 'creatable'
            | 'replaceable'
            | 'addable'
            | 'removable'
          pivot: null
          filters: {}
          sorts: never
          page: 'inherited'
        }
      }
      filters: { id: readonly string[] }
      singular: never
      sorts: 'id'
      page: { number?: number }
      countable: false
      actions: {
        rename: {
          on: 'resource'
          methods: 'PUT' | 'PATCH'
          input: { document: 'albums' }
          result: { resource: 'albums' }
        }
      }
      results: {
        create: { resource: 'albums' }
        update: 'none'
        delete: 'none'
        fetchOne: { resource: 'albums' }
      }
    }
  }
  page: null
  atomic: '/batch'
  idempotency: true
  dryRun: true
}

interface Sent {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: unknown
}

type Reply = Response | Error | (() => Promise<Response>)

const json = (document: object, init: ResponseInit = {}): Response =>
  new Response(JSON.stringify(document), {
    ...init,
    headers: { 'Content-Type': 'application/vnd.api+json', ...(init.headers as object) },
  })

const kidA = { data: { type: 'albums', id: '1', attributes: { title: 'Kid A' } } }
const failure = (status: number, errors: readonly ErrorObject[] = [], headers = {}): Response =>
  json({ errors }, { status, headers })

/** A client whose requests get these responses, one after the other. */
function clientOf(replies: readonly Reply[], settings: Partial<ClientSettings<Api>> = {}) {
  const sent: Sent[] = []
  const waiting = [...replies]
  const client = createClient<Api>({
    url: 'https://music.example/',
    paths: { albums: 'records', 'albums.tracks': 'songs' },
    atomic: '/batch',
    retry: { delay: 1 },
    ...settings,
    async fetch(url, { method = '', headers, body, signal }) {
      sent.push({ method, url, headers: headers as Sent['headers'], body })
      const reply = waiting.shift()
      if (reply === undefined) throw new Error('There is no response for this request.')
      signal?.throwIfAborted()
      if (reply instanceof Error) throw reply
      return typeof reply === 'function' ? reply() : reply
    },
  })
  return { client, albums: client.types.albums, sent }
}

const thrownBy = async (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => null,
    (error: unknown) => error,
  )

describe('addresses', () => {
  test('have the paths of the settings, and encoded ids', async () => {
    const { albums, sent } = clientOf([json(kidA), json({ data: [] }), json({ data: [] }), json(kidA)])
    await albums.get('a/b?')
    await albums.related('1', 'tracks')
    await albums.linkage('1', 'tracks')
    await albums.act('1', 'rename', { attributes: { title: 'x' } }, { method: 'PUT' })
    expect(sent.map(({ method, url }) => `${method} ${url}`)).toEqual([
      'GET https://music.example/records/a%2Fb%3F',
      'GET https://music.example/records/1/songs',
      'GET https://music.example/records/1/relationships/songs',
      'PUT https://music.example/records/1/-actions/rename',
    ])
  })

  test('of batches are those of the settings', async () => {
    const { client, sent } = clientOf([json({ 'atomic:results': [{}, kidA] })])
    const [made] = await client.atomic((batch) => {
      batch.delete('albums', '2')
      return [batch.create('albums', { id: '1', attributes: { title: 'Kid A' } })] as const
    })
    expect(made.title).toBe('Kid A')
    expect(sent[0]).toMatchObject({
      url: 'https://music.example/batch',
      headers: {
        Accept: 'application/vnd.api+json; ext="https://jsonapi.org/ext/atomic"',
        'Content-Type': 'application/vnd.api+json; ext="https://jsonapi.org/ext/atomic"',
      },
      body: JSON.stringify({
        'atomic:operations': [
          { op: 'remove', ref: { type: 'albums', id: '2' } },
          { op: 'add', data: { type: 'albums', id: '1', attributes: { title: 'Kid A' } } },
        ],
      }),
    })
  })

  test('of further pages stay on the server of the client', async () => {
    const links = { next: { href: 'https://other.example/records?page%5Bnumber%5D=2' } }
    const { albums, sent } = clientOf([json({ data: [], links }), json({ data: [] })])
    const page = await albums.list()
    expect(await (await page.next())?.next()).toBeNull()
    expect(sent[1]?.url).toBe('https://music.example/records?page%5Bnumber%5D=2')
  })
})

describe('headers', () => {
  test('are those of the client, of a function for each attempt, and of the call', async () => {
    let asked = 0
    const { albums, sent } = clientOf([failure(503), json(kidA)], {
      headers: async () => ({ Authorization: `Bearer ${(asked += 1)}` }),
    })
    await albums.get('1', { headers: { 'Accept-Language': 'is' } })
    expect(sent.map(({ headers }) => headers)).toEqual([
      { Accept: 'application/vnd.api+json', 'Accept-Language': 'is', Authorization: 'Bearer 1' },
      { Accept: 'application/vnd.api+json', 'Accept-Language': 'is', Authorization: 'Bearer 2' },
    ])
  })

  test('carry versions, keys, preferences and dry runs', async () => {
    const { albums, sent } = clientOf([new Response(null, { status: 204 })])
    const options = { ifMatch: '"v1"', idempotencyKey: 'k', prefer: 'return=minimal', dryRun: true } as const
    expect(await albums.update('1', { attributes: { title: 'x' } }, options)).toMatchObject({ status: 204, data: null })
    expect(sent[0]?.headers).toEqual({
      Accept: 'application/vnd.api+json',
      'Content-Type': 'application/vnd.api+json',
      'If-Match': '"v1"',
      'Idempotency-Key': '"k"',
      Prefer: 'return=minimal, tx=rollback',
    })
  })
})

describe('a request', () => {
  test('that reads is sent again after a lost connection, and when the server is busy', async () => {
    const { albums, sent } = clientOf([new TypeError('fetch failed'), failure(503), json(kidA)])
    expect((await albums.get('1')).data.title).toBe('Kid A')
    expect(sent).toHaveLength(3)
  })

  test('is given up after the attempts of the settings', async () => {
    const busy = clientOf([failure(503), failure(503)], { retry: { attempts: 2, delay: 1 } })
    expect(await thrownBy(busy.albums.get('1'))).toMatchObject({ status: 503 })
    const lost = clientOf([new TypeError('fetch failed')], { retry: { attempts: 1 } })
    expect(await thrownBy(lost.albums.get('1'))).toEqual(new TypeError('fetch failed'))
  })

  test('waits as long as the server says, unless that is too long', async () => {
    const start = Date.now()
    const { albums } = clientOf([failure(429, [], { 'Retry-After': '1' }), json(kidA)])
    await albums.get('1')
    expect(Date.now() - start).toBeGreaterThanOrEqual(950)
    const long = clientOf([failure(503, [], { 'Retry-After': '3600' })])
    expect(await thrownBy(long.albums.get('1'))).toMatchObject({ status: 503 })
  })

  test('that writes is sent once, unless it has a key, or the server has refused it unread', async () => {
    const resource = { attributes: { title: 'x' } }
    const plain = clientOf([new TypeError('fetch failed')])
    expect(await thrownBy(plain.albums.create(resource))).toEqual(new TypeError('fetch failed'))
    const busy = clientOf([failure(503)])
    expect(await thrownBy(busy.albums.create(resource))).toMatchObject({ status: 503 })
    const limited = clientOf([failure(429), json(kidA, { status: 201 })])
    expect((await limited.albums.create(resource)).status).toBe(201)
    const keyed = clientOf([new TypeError('fetch failed'), json(kidA, { status: 201 })])
    await keyed.albums.create(resource, { idempotencyKey: true })
    const [first, second] = keyed.sent.map(({ headers }) => headers['Idempotency-Key'])
    expect(first).toMatch(/^"[0-9a-f-]{36}"$/)
    expect(second).toBe(first)
  })

  test('ends when its signal or its time is up, and is not sent again then', async () => {
    const aborted = clientOf([json(kidA)])
    expect(await thrownBy(aborted.albums.get('1', { signal: AbortSignal.abort(new Error('enough')) }))).toEqual(
      new Error('enough'),
    )
    expect(aborted.sent).toHaveLength(1)
    const controller = new AbortController()
    const waiting = clientOf([failure(503)], { retry: { delay: 10_000 } })
    const call = thrownBy(waiting.albums.get('1', { signal: controller.signal }))
    setTimeout(() => controller.abort(new Error('enough')), 5)
    expect(await call).toEqual(new Error('enough'))
  })

  test('has the timeout of the client or its own', async () => {
    const settings: ClientSettings<Api> = {
      url: 'https://music.example',
      paths: { albums: 'records', 'albums.tracks': 'songs' },
      atomic: '/batch',
      retry: { attempts: 1 },
      timeout: 10_000,
      fetch: (_url, { signal }) =>
        new Promise((_resolve, reject) => {
          signal?.addEventListener('abort', () => reject(signal.reason as Error))
        }),
    }
    const { albums } = createClient<Api>(settings).types
    expect(await thrownBy(albums.get('1', { timeout: 5 }))).toMatchObject({ name: 'TimeoutError' })
  })
})

describe('an error', () => {
  test('has its errors by the places in what was sent', async () => {
    const pointers = [
      '/data/attributes/releaseInfo/label',
      '/data/relationships/artist/data',
      '/data/relationships/tracks/data/1',
      '/data/id',
      '/atomic:operations/1/data/attributes/a~1b',
      '/data/1/id',
    ]
    const errors = [
      ...pointers.map((pointer) => ({ detail: 'No.', source: { pointer } })),
      { source: { parameter: 'filter[x]' } },
      { source: { header: 'If-Match' } },
      { title: 'Elsewhere' },
    ]
    const { albums } = clientOf([failure(422, errors)])
    const error = (await thrownBy(albums.create({ attributes: { title: 'x' } }))) as ClientError
    expect(error).toBeInstanceOf(ClientError)
    expect(Object.keys(error.at)).toEqual([
      'releaseInfo.label',
      'artist',
      'tracks.1',
      'id',
      '1.a/b',
      '1.id',
      'filter[x]',
      'If-Match',
    ])
    expect(error.message).toBe('No.')
  })

  test('of a proxy, which is no document, has no errors', async () => {
    const { albums } = clientOf([
      new Response('<h1>No</h1>', { status: 413, headers: { 'Content-Type': 'text/html' } }),
    ])
    const error = await thrownBy(albums.create({ attributes: { title: 'x' } }))
    expect(error).toMatchObject({ status: 413, errors: [], message: 'The server responded with 413.' })
  })
})

describe('a job', () => {
  test('whose fetch does not follow redirects is followed on the server of the client', async () => {
    const job = { data: { type: 'albums', id: '1', attributes: { title: 'queued' } } }
    const moved = new Response(null, { status: 303, headers: { Location: 'https://other.example/records/1' } })
    const { client, sent } = clientOf([json(job, { headers: { 'Retry-After': '0' } }), moved, json(kidA)])
    const jobs = client.types.albums as unknown as {
      wait(job: object, options: object): Promise<{ data: { title: string } }>
    }
    const seen: unknown[] = []
    const result = await jobs.wait({ id: '7' }, { onProgress: (each: unknown) => seen.push(each) })
    expect([result.data.title, seen.length]).toEqual(['Kid A', 1])
    expect(sent.map(({ url }) => url)).toEqual([
      'https://music.example/records/7',
      'https://music.example/records/7',
      'https://music.example/records/1',
    ])
  })
})
