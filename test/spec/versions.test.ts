import type { Policy, RuleKit } from 'ashlar'
import { expectErrors, type TestResponse } from 'ashlar/testing'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { resourceBody } from '../support/client.js'
import { tagOf, versionedClient, versionedServer, type VersionedRow, versionKinds } from '../support/versioned-music.js'

const atomicType = 'application/vnd.api+json; ext="https://jsonapi.org/ext/atomic"'
const atomicHeaders = { Accept: atomicType, 'Content-Type': atomicType }

type Api = ReturnType<typeof versionedClient>

const album = (title: string): object => resourceBody('albums', { title }, '1')
const ifMatch = (tag: string): { readonly headers: Readonly<Record<string, string>> } => ({
  headers: { 'If-Match': tag },
})
const stale = [{ status: 412, code: 'PRECONDITION_FAILED', header: 'If-Match' }]
const versionIn = (response: Pick<TestResponse, 'headers'>): string => versionOf(tagOf(response))
const versionOf = (tag: string): string => tag.replace(/^"|\..*$|"$/g, '')
const patch = (api: Api, title: string, tag?: string): Promise<TestResponse> =>
  api.patch('/albums/1', { body: album(title), ...(tag === undefined ? {} : ifMatch(tag)) })

describe.each(versionKinds)('a version that is %s', (_kind, version) => {
  const open = (): Api => versionedClient({ version })

  test('gives a resource a strong entity tag, and every fieldset and inclusion another one of the same version', async () => {
    const api = open()
    const paths = ['/albums/1', '/albums/1?fields[albums]=notes', '/albums/1?include=artist', '/tracks/1/album']
    const tags: string[] = []
    for (const path of paths) tags.push(tagOf(await api.get(path)))
    expect(new Set(tags).size).toBe(4)
    for (const tag of tags) expect(tag).toMatch(/^"[\w-]+\.[\w-]{22}"$/)
    expect(new Set(tags.map((tag) => tag.split('.')[0])).size).toBe(1)
    expect((await api.get('/albums')).headers.has('etag')).toBe(false)
    expect(tagOf(await api.get('/albums/1'))).toBe(tags[0])
  })

  test('accepts a write with the entity tag of any read, and refuses the next one with the same tag', async () => {
    const api = open()
    for (const path of ['/albums/1?fields[albums]=notes', '/albums/1?include=artist,tracks', '/tracks/1/album']) {
      const tag = tagOf(await api.get(path))
      const response = await patch(api, `Title of ${path}`, tag)
      expect(response.status).toBe(200)
      expect(versionIn(response)).not.toBe(versionOf(tag))
      expectErrors(await patch(api, 'Too late', tag), stale)
      expect((await api.get('/albums/1')).resource.attributes?.['title']).toBe(`Title of ${path}`)
    }
  })

  test('is returned by every write, so that the next one need not read', async () => {
    const api = open()
    const created = await api.post('/albums', { body: resourceBody('albums', { title: 'Vespertine' }) })
    const { id } = created.resource
    const body = (title: string): object => resourceBody('albums', { title }, id)
    let tag = tagOf(created)
    const updated = await api.patch(`/albums/${id}`, { body: body('Volta'), ...ifMatch(tag) })
    expect(tagOf(updated)).toBe(tagOf(await api.get(`/albums/${id}`)))
    const minimal = { headers: { 'If-Match': tagOf(updated), Prefer: 'return=minimal' } }
    const silent = await api.patch(`/albums/${id}`, { body: body('Biophilia'), ...minimal })
    expect([silent.status, tagOf(silent)]).toEqual([204, expect.stringMatching(/^"[\w-]+"$/)])
    tag = tagOf(silent)
    const linked = await api.patch(`/albums/${id}/relationships/artist`, {
      body: { data: { type: 'artists', id: '2' } },
      ...ifMatch(tag),
    })
    expect([linked.status, versionIn(linked)]).toEqual([204, versionIn(await api.get(`/albums/${id}`))])
    expect((await api.delete(`/albums/${id}`, ifMatch(tagOf(linked)))).status).toBe(204)
  })

  test('refuses a stale delete, relationship write and action, and accepts a current one', async () => {
    const api = open()
    const tag = tagOf(await api.get('/albums/1'))
    await patch(api, 'Changed')
    const artist = { data: { type: 'artists', id: '2' } }
    const genre = { data: [{ type: 'genres', id: '2' }] }
    const writes = (given: string): readonly (() => Promise<TestResponse>)[] => [
      () => api.patch('/albums/1/relationships/artist', { body: artist, ...ifMatch(given) }),
      () => api.post('/albums/1/relationships/genres', { body: genre, ...ifMatch(given) }),
      () => api.patch('/albums/1/relationships/tracks', { body: { data: [] }, ...ifMatch(given) }),
      () => api.delete('/albums/1/relationships/genres', { body: genre, ...ifMatch(given) }),
      () => api.post('/albums/1/-actions/publish', ifMatch(given)),
      () => api.delete('/albums/1', ifMatch(given)),
    ]
    const before = (await api.get('/albums/1?include=artist,genres,tracks')).text
    for (const write of writes(tag)) expectErrors(await write(), stale)
    expect((await api.get('/albums/1?include=artist,genres,tracks')).text).toBe(before)
    for (const [index] of writes('').entries()) {
      const current = tagOf(await api.get('/albums/1'))
      expect((await writes(current)[index]?.())?.status).toBe(204)
    }
    expectErrors(await api.get('/albums/1'), [{ status: 404 }])
  })

  test('of a row without one is a version too', async () => {
    const api = open()
    const tag = tagOf(await api.get('/albums/2'))
    const body = resourceBody('albums', { title: 'Amnesiac' }, '2')
    expect((await api.patch('/albums/2', { body, ...ifMatch(tag) })).status).toBe(200)
    expectErrors(await api.patch('/albums/2', { body, ...ifMatch(tag) }), stale)
  })

  test('makes a read 304 if the client has its bytes, and no other', async () => {
    const api = open()
    const known = (path: string, tag: string, method = 'GET'): Promise<TestResponse> =>
      api.request(method, path, { headers: { 'If-None-Match': tag } })
    const path = '/albums/1?include=artist'
    const tag = tagOf(await api.get(path))
    const same = await known(path, `"x", W/${tag}`)
    expect([same.status, same.text, tagOf(same), same.headers.get('vary')]).toEqual([304, '', tag, 'Accept'])
    expect(same.headers.has('content-type')).toBe(false)
    expect((await known(path, tag, 'HEAD')).status).toBe(304)
    expect((await known(path, '*')).status).toBe(304)
    expect((await known(path, '"x"')).status).toBe(200)
    expect((await known(path, 'unquoted')).status).toBe(200)
    expect((await known('/albums/1', tag)).status).toBe(200)
    // The artist is in the document too.
    await api.patch('/artists/1', { body: resourceBody('artists', { name: 'On a Friday' }, '1') })
    const other = await known(path, tag)
    expect([other.status, versionIn(other)]).toEqual([200, tag.slice(1).split('.')[0]])
  })
})

describe.each(versionKinds)('meta.version that is %s', (_kind, version) => {
  test('is in every resource object of the type, and the same as in the entity tag', async () => {
    const api = versionedClient({
      version: { ...(typeof version === 'string' ? { column: version } : version), inMeta: true },
    })
    const response = await api.get('/albums/1')
    const shown = { version: versionIn(response) }
    expect(response.resource.meta).toEqual(shown)
    expect((await api.get('/albums?fields[albums]=notes')).resources[0]?.meta).toEqual(shown)
    expect((await api.get('/tracks/1?include=album')).document?.included?.[0]?.meta).toEqual(shown)
    expect((await api.get('/tracks/1?include=album')).resource.meta).toBe(undefined)
    expect((await api.get('/artists/1/albums')).resources[0]?.meta).toEqual(shown)
    const created = await api.post('/albums', { body: resourceBody('albums', { title: 'Post' }) })
    expect(created.resource.meta).toEqual({ version: versionIn(created) })
  })
})

const versionWith = async (secret: string): Promise<string> =>
  versionIn(await versionedClient({ version: { hash: true } }, { secret }).get('/albums/1'))

describe('the version', () => {
  afterEach(() => {
    vi.useRealTimers()
  })

  test('that is a time increases also if the clock is behind, in members too', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-01-01T00:00:00Z') })
    const api = versionedClient({ version: { column: 'changedAt', as: 'instant' } })
    const time = async (): Promise<number> => Number.parseInt(versionIn(await api.get('/albums/1')), 36)
    const times = [await time()]
    for (const data of [[], [{ type: 'albums', id: '1' }]]) {
      expect((await api.patch('/artists/1/relationships/albums', { body: { data } })).status).toBe(204)
      times.push(await time())
    }
    await patch(api, 'Changed')
    times.push(await time())
    expect(times.map((each) => each - (times[0] ?? 0))).toEqual([0, 1, 2, 3])
  })

  test('of members increases with the key of their owner, and that of the owner too', async () => {
    for (const [, version] of versionKinds.slice(0, 2)) {
      const api = versionedClient({ version })
      const versions = async (): Promise<readonly string[]> => {
        const paths = ['/albums/1', '/tracks/1', '/tracks/2', '/artists/1']
        return Promise.all(paths.map(async (path) => versionIn(await api.get(path))))
      }
      const before = await versions()
      await api.patch('/albums/1/relationships/tracks', { body: { data: [{ type: 'tracks', id: '2' }] } })
      const after = await versions()
      expect(after.map((each, index) => each === before[index])).toEqual([false, false, false, true])
      // The attribute is stored in the row of the album.
      await api.patch('/tracks/2', { body: resourceBody('tracks', { albumNotes: 'Remastered' }, '2') })
      expect((await versions()).map((each, index) => each === after[index])).toEqual([false, true, false, true])
    }
  })

  test('increases with a write of the application, and does not change if nothing is changed', async () => {
    for (const [, version] of versionKinds) {
      const api = versionedClient({ version })
      const tag = tagOf(await api.get('/albums/1'))
      const same = await patch(api, 'OK Computer')
      expect([same.status, tagOf(same)]).toEqual([200, tag])
      expect(tagOf(await api.post('/albums/1/-actions/retitle'))).not.toBe(tag)
      expectErrors(await patch(api, 'x', tag), stale)
    }
  })

  test('of a dry run is not shown, and is compared as in any write', async () => {
    const api = versionedClient({}, { dryRun: true })
    const body = album('Tried')
    const tried = (tag: string): Promise<TestResponse> =>
      api.patch('/albums/1', { body, headers: { Prefer: 'tx=rollback', 'If-Match': tag } })
    const response = await tried('"3"')
    expect([response.status, response.headers.has('etag')]).toEqual([200, false])
    expectErrors(await tried('"2"'), stale)
    expect(versionIn(await api.get('/albums/1'))).toBe('3')
  })

  test('is a hash in all types if the server is configured so, except in those that declare none', async () => {
    const api = versionedClient({}, { versions: 'hash' })
    expect(versionIn(await api.get('/albums/1'))).toBe('3')
    const tag = tagOf(await api.get('/genres/1'))
    const body = resourceBody('genres', { name: 'Jazz' }, '1')
    expect((await api.patch('/genres/1', { body, ...ifMatch(tag) })).status).toBe(200)
    expectErrors(await api.patch('/genres/1', { body, ...ifMatch(tag) }), stale)
    const without = versionedClient({ version: null }, { versions: 'hash' })
    expect((await without.get('/albums/1')).headers.has('etag')).toBe(false)
  })

  test('that is a hash is the same for all servers with one secret, and cannot be computed without it', async () => {
    const [one, same, other] = [`${'a'.repeat(16)}1`, `${'a'.repeat(16)}1`, `${'a'.repeat(16)}2`]
    expect(await versionWith(one)).toBe(await versionWith(same))
    expect(await versionWith(one)).not.toBe(await versionWith(other))
  })
})

const ownAlbums = (p: RuleKit<VersionedRow>): Policy => {
  const own = (): ReturnType<typeof p.eq> => p.eq('artistId', 2)
  return { viewAny: true, view: true, create: true, update: own, delete: own }
}

describe('If-Match', () => {
  test('is satisfied by one of several tags, and by * if the resource exists', async () => {
    const api = versionedClient()
    expect((await patch(api, 'One', '"9", "3", "8.abc"')).status).toBe(200)
    expect((await patch(api, 'Two', '*')).status).toBe(200)
    const body = resourceBody('albums', { title: 'x' }, '99')
    expectErrors(await api.patch('/albums/99', { body, ...ifMatch('*') }), [{ status: 404 }])
    expectErrors(await api.patch('/albums/99', { body, ...ifMatch('"3"') }), [{ status: 404 }])
  })

  test('is not satisfied by a weak tag, nor by one in another spelling', async () => {
    const api = versionedClient()
    for (const tag of ['W/"3"', '"03"', '"0"', '"3a"', '""']) expectErrors(await patch(api, 'x', tag), stale)
    expect((await patch(api, 'x', '"3"')).status).toBe(200)
  })

  test('that is malformed is 400, before anything is read', async () => {
    const api = versionedClient()
    for (const tag of ['3', '"3', '"3" "4"', ',', 'w/"3"', '"3", *']) {
      expectErrors(await patch(api, 'x', tag), [{ status: 400, code: 'PRECONDITION_INVALID', header: 'If-Match' }])
    }
  })

  test('is checked before values, and after 404 and 400', async () => {
    const api = versionedClient()
    expectErrors(await patch(api, 'x'.repeat(60), '"2"'), stale)
    expectErrors(await patch(api, 'x'.repeat(60), '"3"'), [{ status: 422 }])
    expectErrors(await api.patch('/albums/1', { body: {}, ...ifMatch('"2"') }), [{ status: 400 }])
  })

  test('is checked after 401 and 403, so that a caller who may not write learns nothing of the version', async () => {
    const api = versionedClient({ policy: ownAlbums })
    expectErrors(await patch(api, 'x', '"9"'), [{ status: 401 }])
    expectErrors(await patch(api, 'x', '"3"'), [{ status: 401 }])
    const body = resourceBody('albums', { title: 'x' }, '3')
    expectErrors(await api.patch('/albums/3', { body, ...ifMatch('"9"') }), stale)
    expectErrors(await api.delete('/albums/3', ifMatch('"9"')), stale)
    expect((await api.patch('/albums/3', { body, ...ifMatch('"1"') })).status).toBe(200)
  })

  test('is a member of an operation that an application dispatches, which need not name a version', async () => {
    const server = versionedServer({ version: { column: 'lockVersion', required: true } })
    const operation = { kind: 'UpdateResource', type: 'albums', id: '1', document: album('Dispatched') } as const
    await expect(server.dispatch({ ...operation, ifMatch: { versions: ['2'] } })).rejects.toMatchObject({ status: 412 })
    expect(await server.dispatch({ ...operation, ifMatch: { versions: ['3'] } })).toMatchObject({ status: 200 })
    expect(await server.dispatch(operation)).toMatchObject({ status: 200 })
  })

  test('is never satisfied by a tag for a type without versions', async () => {
    const api = versionedClient()
    const body = resourceBody('genres', { name: 'Jazz' }, '1')
    const response = await api.get('/genres/1')
    expect(response.headers.has('etag')).toBe(false)
    expectErrors(await api.patch('/genres/1', { body, ...ifMatch('"1"') }), stale)
    expectErrors(await api.delete('/genres/1', ifMatch('"1"')), stale)
    expect((await api.patch('/genres/1', { body, ...ifMatch('*') })).status).toBe(200)
  })

  test('is never satisfied by a tag if there is no resource: by a create, an action on the collection, a batch', async () => {
    const api = versionedClient({}, { versions: 'hash' })
    const body = resourceBody('genres', { name: 'Jazz' })
    const operations = { 'atomic:operations': [{ op: 'add', data: { type: 'genres', attributes: { name: 'Jazz' } } }] }
    const headers = { ...atomicHeaders, 'If-Match': '"3"' }
    expectErrors(await api.post('/genres', { body, ...ifMatch('"3"') }), stale)
    expectErrors(await api.post('/albums/-actions/count', ifMatch('"3"')), stale)
    expectErrors(await api.post('/operations', { body: operations, headers }), stale)
    expect((await api.get('/genres')).resources).toHaveLength(2)
    expect((await api.post('/genres', { body, ...ifMatch('*') })).status).toBe(201)
    expect((await api.post('/albums/-actions/count', ifMatch('*'))).status).toBe(204)
  })

  test('is required with 428 if the type requires it', async () => {
    const api = versionedClient({ version: { column: 'lockVersion', required: true } })
    const required = [{ status: 428, code: 'PRECONDITION_REQUIRED', header: 'If-Match' }]
    expectErrors(await patch(api, 'x'), required)
    expectErrors(await api.delete('/albums/1'), required)
    expectErrors(await api.patch('/albums/1/relationships/tracks', { body: { data: [] } }), required)
    expectErrors(await api.post('/albums/1/-actions/publish'), required)
    expect((await api.post('/albums', { body: resourceBody('albums', { title: 'New' }) })).status).toBe(201)
    expect((await patch(api, 'x', '"3"')).status).toBe(200)
  })
})

test('If-None-Match: * creates a resource only if there is none with its id', async () => {
  const api = versionedClient()
  const headers = { 'If-None-Match': '*' }
  const body = resourceBody('genres', { name: 'Jazz' }, '9')
  expect((await api.post('/genres', { body, headers })).status).toBe(201)
  expectErrors(await api.post('/genres', { body, headers }), [
    { status: 412, code: 'PRECONDITION_FAILED', header: 'If-None-Match' },
  ])
  expectErrors(await api.post('/genres', { body }), [{ status: 409 }])
})

const sent = (api: Api, ...operations: readonly object[]): Promise<TestResponse> =>
  api.post('/operations', { body: { 'atomic:operations': operations }, headers: atomicHeaders })
const update = (title: string, version?: unknown): object => {
  const meta = version === undefined ? {} : { meta: { version } }
  return { op: 'update', data: { type: 'albums', id: '1', attributes: { title }, ...meta } }
}
const ref = (version: string, relationship?: string): object => {
  return { type: 'albums', id: '1', ...(relationship === undefined ? {} : { relationship }), meta: { version } }
}
const staleAt = (pointer: string): readonly object[] => [{ status: 412, code: 'PRECONDITION_FAILED', pointer }]

describe('in a batch', () => {
  test('an operation names the version of its target in meta', async () => {
    for (const version of ['lockVersion', { hash: true }]) {
      const options = typeof version === 'string' ? { column: version } : version
      const api = versionedClient({ version: { ...options, inMeta: true } })
      const current = versionIn(await api.get('/albums/1'))
      const response = await sent(api, update('One', current))
      expect(response.status).toBe(200)
      expect(response.results[0]?.data).toMatchObject({ meta: { version: versionIn(await api.get('/albums/1')) } })
      const operations = [
        [update('Two', current), '/data/meta/version'],
        [{ op: 'update', ref: ref(current, 'artist'), data: null }, '/ref/meta/version'],
        [{ op: 'add', ref: ref(current, 'genres'), data: [{ type: 'genres', id: '2' }] }, '/ref/meta/version'],
        [{ op: 'remove', ref: ref(current) }, '/ref/meta/version'],
      ] as const
      for (const [operation, pointer] of operations) {
        const other = { op: 'add', data: { type: 'genres', attributes: { name: 'Jazz' } } }
        expectErrors(await sent(api, other, operation), staleAt(`/atomic:operations/1${pointer}`))
      }
      expect((await api.get('/genres')).resources).toHaveLength(2)
      expect((await sent(api, { op: 'remove', ref: ref(versionIn(await api.get('/albums/1'))) })).status).toBe(204)
    }
  })

  test('a version is a string, is required if the type requires it, and has no meaning for types without versions', async () => {
    const api = versionedClient({ version: { column: 'lockVersion', required: true } })
    expectErrors(await sent(api, update('x', 3)), [{ status: 400, pointer: '/atomic:operations/0/data/meta/version' }])
    expectErrors(await sent(api, update('x')), [
      { status: 428, code: 'PRECONDITION_REQUIRED', pointer: '/atomic:operations/0' },
    ])
    expect((await sent(api, update('x', '3'))).status).toBe(200)
    const without = versionedClient({ version: null })
    expect((await sent(without, update('x', '9'))).status).toBe(200)
  })
})
