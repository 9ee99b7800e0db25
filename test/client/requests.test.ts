import { createClient } from '@ashlar/client'
import { describe, expect, test } from 'vitest'
import type { RecordApi } from './record-api.js'
import { allOf, failure, json, kidA, scriptedServer, thrownBy } from './scripted-server.js'

const mediaType = 'application/vnd.api+json'

describe('upserts', () => {
  test('are a PUT of the resource, with its preconditions', async () => {
    const { albums, sent } = scriptedServer([json(kidA, { status: 201 }), json(kidA)])
    const options = { ifNoneMatch: '*', prefer: 'return=representation' } as const
    const made = await albums.upsert('1', { attributes: { title: 'Kid A' } }, options)
    const changed = await albums.upsert('1', { attributes: { title: 'Kid A' } }, { ifMatch: '"2"' })
    expect([made.status, changed.status]).toEqual([201, 200])
    expect('data' in made && made.data.title).toBe('Kid A')
    const body = JSON.stringify({ data: { type: 'albums', id: '1', attributes: { title: 'Kid A' } } })
    const request = { method: 'PUT', url: 'https://music.example/records/1', body }
    expect(sent).toMatchObject([
      { ...request, headers: { 'if-none-match': '*' } },
      { ...request, headers: { 'if-match': '"2"' } },
    ])
  })
})

describe('upserts of batches', () => {
  test('name their extension, and give the resource to later steps', async () => {
    const { client, sent } = scriptedServer([json({ 'atomic:results': [kidA, {}] })])
    const [upserted] = await client.atomic((batch) => {
      const album = batch.upsert('albums', 'title', { attributes: { title: 'Kid A' } }, { version: '2' })
      batch.delete('albums', album)
      return [album]
    })
    expect(upserted.title).toBe('Kid A')
    const type = `${mediaType}; ext="https://jsonapi.org/ext/atomic https://ashlar.dev/ext/upsert/"`
    expect(sent[0]?.headers['content-type']).toBe(type)
    const data = {
      type: 'albums',
      lid: 'lid-1',
      attributes: { title: 'Kid A' },
      meta: { version: '2' },
    }
    expect(JSON.parse(sent[0]?.body as string)).toEqual({
      'atomic:operations': [
        { op: 'add', 'upsert:by': 'title', data },
        { op: 'remove', ref: { type: 'albums', lid: 'lid-1' } },
      ],
    })
  })

  test('are offered for the keys of a type only', () => {
    const { client } = scriptedServer([])
    void (async () => {
      await client.atomic((batch) => {
        // @ts-expect-error -- the key is not declared
        batch.upsert('albums', 'slug', { attributes: { title: 'Kid A' } })
        // @ts-expect-error -- the type has no keys
        batch.upsert('artists', 'id', {})
        return []
      })
    })
    expect(client).toBeDefined()
  })
})

describe('addresses', () => {
  test('have the paths of the settings, and encoded ids', async () => {
    const { albums, sent } = scriptedServer([json(kidA), json({ data: [] }), json({ data: [] }), json(kidA)])
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

  test.each(['', '.', '..'])("cannot refer to another path with the id '%s'", async (id) => {
    const { albums, sent } = scriptedServer([])
    expect(await thrownBy(albums.delete(id))).toEqual(new TypeError(`'${id}' is not the id of a resource.`))
    expect(sent).toEqual([])
  })

  test('of a type that has the name of a member of every object are its own', async () => {
    const { client, sent } = scriptedServer([json({ data: [] })])
    await (client.types as unknown as Record<string, typeof client.types.albums>)['constructor']?.list()
    expect(sent[0]?.url).toBe('https://music.example/constructor')
  })

  test('of batches are those of the settings', async () => {
    const { client, sent } = scriptedServer([json({ 'atomic:results': [{}, kidA] })])
    const [made] = await client.atomic((batch) => {
      batch.delete('albums', '2')
      return [batch.create('albums', { id: '1', attributes: { title: 'Kid A' } })] as const
    })
    expect(made.title).toBe('Kid A')
    const type = `${mediaType}; ext="https://jsonapi.org/ext/atomic"`
    expect(sent[0]).toMatchObject({
      url: 'https://music.example/batch',
      headers: { accept: type, 'content-type': type },
      body: JSON.stringify({
        'atomic:operations': [
          { op: 'remove', ref: { type: 'albums', id: '2' } },
          { op: 'add', data: { type: 'albums', id: '1', attributes: { title: 'Kid A' } } },
        ],
      }),
    })
  })

  const next = '?page%5Bnumber%5D=2'
  test.each([
    ['of another host', 'https://music.example', { href: `http://10.0.0.1:3000/records${next}` }],
    ['without a prefix', 'https://music.example/api', `http://10.0.0.1/records${next}`],
    ['that are relative', 'https://music.example/api', `/records${next}`],
    ['that have only a query', 'https://music.example', next],
    ['of a server whose URL is a path', '/api', `/api/records${next}`],
  ])('of further pages stay on the server of the client after links %s', async (_title, url, link) => {
    const { albums, sent } = scriptedServer([json({ data: [], links: { next: link } }), json({ data: [] })], { url })
    const page = await albums.list()
    expect(await (await page.next())?.next()).toBeNull()
    expect(sent[1]?.url).toBe(`${url}/records${next}`)
  })
})

describe('queries', () => {
  test('with an empty list find nothing, and not everything', async () => {
    const { albums, sent } = scriptedServer([json({ data: [] })])
    await albums.list({ filter: { id: [] }, include: [], count: [] })
    expect(decodeURIComponent(sent[0]?.url ?? '')).toBe('https://music.example/records?include=&filter[id][]=')
  })

  test('leave out what is undefined', async () => {
    const { albums, client, sent } = scriptedServer(
      [json({ data: [] }), json(kidA), json({ 'atomic:results': [{}] })],
      {
        headers: undefined,
        timeout: undefined,
        retry: { attempts: undefined, delay: 1, maxDelay: undefined },
      },
    )
    const always = { headers: undefined, signal: undefined, timeout: undefined }
    const read = { ...always, include: undefined, fields: undefined, count: undefined }
    const write = { ...always, ifMatch: undefined, idempotencyKey: undefined, prefer: undefined, dryRun: undefined }
    await albums.list({
      ...read,
      fields: { albums: undefined },
      filter: { rating: { min: undefined }, slug: undefined },
      sort: undefined,
      page: { number: undefined },
    })
    await albums.update('1', { attributes: undefined, relationships: undefined }, { ...read, ...write })
    await client.atomic((batch) => [batch.delete('albums', '1', { version: undefined })], write)
    expect(sent.map(({ url }) => url)).toEqual([
      'https://music.example/records',
      'https://music.example/records/1',
      'https://music.example/batch',
    ])
    expect(sent[1]?.headers).toEqual({ accept: mediaType, 'content-type': mediaType })
    expect(JSON.parse(String(sent[1]?.body))).toEqual({ data: { type: 'albums', id: '1' } })
  })

  test('continue over the pages of relations, and of linkage', async () => {
    const pages = [
      json({ data: [{ type: 'albums', id: '1', meta: { pivot: { position: 1 } } }], links: { next: '?page=2' } }),
      json({ data: [{ type: 'albums', id: '2', meta: { pivot: { position: 2 } } }], links: { next: null } }),
    ]
    const { albums, sent } = scriptedServer([
      ...pages.map((each) => each.clone()),
      ...pages.map((each) => each.clone()),
      ...pages,
    ])
    const members = [
      { type: 'albums', id: '1', $pivot: { position: 1 } },
      { type: 'albums', id: '2', $pivot: { position: 2 } },
    ]
    expect(await allOf(albums.eachRelated('1', 'tracks'))).toEqual(members)
    expect(await allOf(albums.eachLinked('1', 'tracks'))).toEqual(members)
    expect((await allOf(albums.relatedPages('1', 'tracks'))).map(({ data }) => data.length)).toEqual([1, 1])
    expect(sent.map(({ url }) => url.replace('https://music.example/records/1/', ''))).toEqual([
      'songs',
      'songs?page=2',
      'relationships/songs',
      'relationships/songs?page=2',
      'songs',
      'songs?page=2',
    ])
  })

  test('with a singular filter have a list of one or none', async () => {
    const { albums } = scriptedServer([json(kidA), json({ data: null }), json(kidA), json({ data: null })])
    const filter = { slug: 'kid-a' }
    expect((await albums.list({ filter })).data).toHaveLength(1)
    expect((await albums.list({ filter })).data).toEqual([])
    expect((await albums.first({ filter }))?.title).toBe('Kid A')
    expect(await albums.first({ filter })).toBeNull()
  })
})

describe('headers', () => {
  test('are those of the client, of a function for each attempt, and of the call', async () => {
    let calls = 0
    const { albums, sent } = scriptedServer([failure(503), json(kidA)], {
      headers: async () => ({ Authorization: `Bearer ${(calls += 1)}` }),
    })
    await albums.get('1', { headers: { 'Accept-Language': 'is' } })
    expect(sent.map(({ headers }) => headers)).toEqual([
      { accept: mediaType, 'accept-language': 'is', authorization: 'Bearer 1' },
      { accept: mediaType, 'accept-language': 'is', authorization: 'Bearer 2' },
    ])
  })

  test('of the call win, in any case', async () => {
    const { albums, sent } = scriptedServer([json(kidA)], {
      headers: new Headers({ Authorization: 'Bearer 1', accept: '*/*' }),
    })
    await albums.get('1', { headers: { authorization: 'Bearer 2', ACCEPT: `${mediaType};profile="x"` } })
    expect(sent[0]?.headers).toEqual({ accept: `${mediaType};profile="x"`, authorization: 'Bearer 2' })
  })

  test('that cannot be made end the call', async () => {
    const { albums, sent } = scriptedServer([], { headers: () => Promise.reject(new Error('Signed out.')) })
    expect(await thrownBy(albums.get('1'))).toEqual(new Error('Signed out.'))
    expect(sent).toEqual([])
  })

  test('contain versions, keys, preferences and dry runs, which a server without them must refuse', async () => {
    const { albums, sent } = scriptedServer([new Response(null, { status: 204, headers: { ETag: '"v2"' } })])
    const options = { ifMatch: '"v1"', idempotencyKey: 'k', prefer: 'return=minimal', dryRun: true } as const
    const result = await albums.update('1', { attributes: { title: 'x' } }, options)
    expect(result).toMatchObject({ status: 204, data: null, etag: '"v2"' })
    expect(sent[0]?.headers).toEqual({
      accept: mediaType,
      'content-type': mediaType,
      'if-match': '"v1"',
      'idempotency-key': '"k"',
      prefer: 'return=minimal, handling=strict, tx=rollback',
    })
  })

  test('of batches have no version; its operations have', async () => {
    const { client, sent } = scriptedServer([json({ 'atomic:results': [{}, {}, {}] })])
    await client.atomic((batch) => [
      batch.update('albums', '1', { attributes: { title: 'x' } }, { version: '7' }),
      batch.replace('albums', { type: 'albums', id: '1' }, 'tracks', [{ type: 'albums', id: '2' }], { version: '8' }),
      batch.delete('albums', '1', { version: '9' }),
    ])
    expect(JSON.parse(String(sent[0]?.body))).toEqual({
      'atomic:operations': [
        { op: 'update', data: { type: 'albums', id: '1', attributes: { title: 'x' }, meta: { version: '7' } } },
        {
          op: 'update',
          ref: { type: 'albums', id: '1', relationship: 'tracks', meta: { version: '8' } },
          data: [{ type: 'albums', id: '2' }],
        },
        { op: 'remove', ref: { type: 'albums', id: '1', meta: { version: '9' } } },
      ],
    })
  })
})

describe('a client', () => {
  test('has verbs that work without their object, and the same for a type each time', async () => {
    const { albums, client } = scriptedServer([json(kidA)])
    // oxlint-disable-next-line typescript/unbound-method -- this is what the test is about
    const { get } = albums
    expect((await get('1')).data.title).toBe('Kid A')
    expect(client.types.albums).toBe(albums)
  })

  test('sends what was read as it is, and nothing for what is undefined', async () => {
    const { albums, sent } = scriptedServer([json(kidA)])
    const artist = { type: 'artists', id: '1', name: 'Radiohead' } as const
    const relationships = { artist, tracks: undefined } as unknown as { readonly artist: typeof artist }
    await albums.update('1', { relationships })
    expect(JSON.parse(String(sent[0]?.body))).toEqual({
      data: { type: 'albums', id: '1', relationships: { artist: { data: { type: 'artists', id: '1' } } } },
    })
  })

  test('takes a URL object', async () => {
    const urls: string[] = []
    const { types } = createClient<RecordApi>({
      url: new URL('https://music.example/api/'),
      paths: { albums: 'records', 'albums.tracks': 'songs' },
      atomic: '/batch',
      fetch: async (url) => {
        urls.push(url)
        return json(kidA)
      },
    })
    await types.albums.get('1')
    expect(urls).toEqual(['https://music.example/api/records/1'])
  })
})
