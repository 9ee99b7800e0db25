import { raw } from '@ashlar/client'
import { describe, expect, test } from 'vitest'
import { json, kidA, scriptedServer } from './scripted-server.js'

const album = (id: string, members: object = {}) => ({
  type: 'albums',
  id,
  attributes: { title: `Album ${id}` },
  ...members,
})
const identifier = (id: string, type = 'albums') => ({ type, id })

describe('a resource', () => {
  test('retains its type, its id and its prototype, with any names that a server sends', async () => {
    const text = `{ "data": { "type": "albums", "id": "1",
      "attributes": { "type": "x", "id": "y", "__proto__": { "isAdmin": true }, "constructor": 1, "list": 2, "toString": 3 },
      "relationships": { "__proto__": { "data": { "type": "a", "id": "1" }, "meta": { "total": 1 } }, "hasOwnProperty": { "data": null } } } }`
    const { albums } = scriptedServer([new Response(text, { headers: { 'Content-Type': 'application/json' } })])
    const prototypeName = '__proto__' as 'artist'
    const { data } = await albums.get('1', { include: [prototypeName] })
    expect(Object.getPrototypeOf(data)).toBe(Object.prototype)
    expect(Object.keys(data)).toEqual(['type', 'id', 'constructor', 'list', 'toString', '$counts', 'hasOwnProperty'])
    expect([data.type, data.id]).toEqual(['albums', '1'])
    expect(({} as { isAdmin?: boolean }).isAdmin).toBeUndefined()
  })

  test('is one object at each position, with the resources that are included there', async () => {
    const artist = {
      type: 'artists',
      id: '1',
      attributes: { name: 'Radiohead' },
      relationships: { albums: { data: [identifier('1'), identifier('2')] } },
    }
    const by = { relationships: { artist: { data: identifier('1', 'artists') } } }
    const { albums } = scriptedServer([json({ data: [album('1', by), album('2', by)], included: [artist] })])
    const { data } = await albums.list({ include: ['artist.albums'] })
    const [first, second] = data
    expect(first?.artist).toBe(second?.artist)
    expect(first?.artist?.albums[0]).not.toBe(first)
    expect(first?.artist?.albums[0]).toEqual({
      type: 'albums',
      id: '1',
      title: 'Album 1',
      artist: identifier('1', 'artists'),
    })
    expect(JSON.parse(JSON.stringify(data))).toEqual(data)
  })

  test('has the relations of several paths through one relation', async () => {
    const inner = album('3')
    const member = album('2', {
      relationships: { tracks: { data: [identifier('3')] }, artist: { data: identifier('1', 'artists') } },
    })
    const artist = { type: 'artists', id: '1', attributes: { name: 'Radiohead' } }
    const { albums } = scriptedServer([
      json({
        data: album('1', { relationships: { tracks: { data: [identifier('2')] } } }),
        included: [member, inner, artist],
      }),
    ])
    const { data } = await albums.get('1', { include: ['tracks.artist', 'tracks.tracks', 'tracks'] })
    expect(data.tracks[0]?.artist?.name).toBe('Radiohead')
    expect(data.tracks[0]?.tracks[0]?.title).toBe('Album 3')
  })

  test('has the fields of each join row, also if it is a member twice', async () => {
    const at = (id: string, position: number) => ({ ...identifier(id), meta: { pivot: { position } } })
    const lists = [
      album('1', { relationships: { tracks: { data: [at('9', 1), at('9', 2)] } } }),
      album('2', { relationships: { tracks: { data: [at('9', 2), identifier('9')] } } }),
    ]
    const { albums } = scriptedServer([json({ data: lists, included: [album('9')] })])
    const [first, second] = (await albums.list({ include: ['tracks'] })).data
    expect(first?.tracks.map(({ $pivot }) => $pivot)).toEqual([{ position: 1 }, { position: 2 }])
    expect(second?.tracks.map(({ $pivot }) => $pivot)).toEqual([{ position: 2 }, undefined])
    expect(first?.tracks[1]).toBe(second?.tracks[0])
    expect(first?.tracks[0]).toMatchObject({ title: 'Album 9' })
  })

  test('of a related collection retains its own join row, and has none where it is included', async () => {
    const member = album('2', {
      meta: { pivot: { position: 7 } },
      relationships: { tracks: { data: [identifier('2')] } },
    })
    const { albums } = scriptedServer([json({ data: [member] })])
    const [found] = (await albums.related('1', 'tracks', { include: ['tracks'] })).data
    expect(found?.$pivot).toEqual({ position: 7 })
    expect(found?.tracks[0]).not.toHaveProperty('$pivot')
  })

  test('does not grow with the number of paths to it', async () => {
    const ids = Array.from({ length: 30 }, (_, index) => String(index))
    const linkage = ids.map((id, position) => ({ ...identifier(id), meta: { pivot: { position } } }))
    const all = ids.map((id) => album(id, { relationships: { tracks: { data: linkage } } }))
    const { albums } = scriptedServer([json({ data: all })])
    const { data } = await albums.list({ include: ['tracks.tracks.tracks.tracks.tracks.tracks'] })
    expect(data[0]?.tracks[1]?.tracks).toBe(data[9]?.tracks[1]?.tracks)
  })

  test('has null for an empty to-one relation, and nothing without linkage', async () => {
    const relationships = { artist: { data: null }, tracks: { links: { related: '/x' } } }
    const { albums } = scriptedServer([json({ data: album('1', { relationships }) })])
    const { data } = await albums.get('1', { include: ['artist'] })
    expect(data.artist).toBeNull()
    expect(data).not.toHaveProperty('tracks')
  })

  test('has counts, and shows what was sent: links to further members among it', async () => {
    const relationships = {
      tracks: { data: [identifier('2')], links: { next: '/records/1/songs?page=2' }, meta: { total: 12 } },
    }
    const { albums, sent } = scriptedServer([json({ data: album('1', { relationships }), included: [album('2')] })])
    const { data } = await albums.get('1', { include: ['tracks'], count: ['tracks'] })
    expect(data.$counts.tracks).toBe(12)
    expect(raw(data)?.relationships?.['tracks']?.links?.['next']).toBe('/records/1/songs?page=2')
    expect(sent[0]?.headers['accept']).toContain('countable')
  })

  test('that is not in the document is an identifier', async () => {
    const { albums } = scriptedServer([
      json({ data: album('1', { relationships: { artist: { data: identifier('7', 'artists') } } }) }),
    ])
    expect((await albums.get('1', { include: ['artist'] })).data.artist).toEqual(identifier('7', 'artists'))
  })
})

describe('a result', () => {
  test('of a write that was accepted has the job', async () => {
    const job = { data: { type: 'jobs', id: '7', attributes: { status: 'queued' } } }
    const { albums } = scriptedServer([
      json(job, { status: 202, headers: { 'Retry-After': '3' } }),
      new Response(null, { status: 202 }),
    ])
    const made = await albums.create({ attributes: { title: 'x' } })
    expect(made.status === 202 && [made.job.status, made.retryAfter]).toEqual(['queued', 3])
    expect(await albums.create({ attributes: { title: 'x' } })).toMatchObject({
      status: 202,
      job: null,
      retryAfter: null,
    })
  })

  test('of a read that has not changed is null', async () => {
    const { albums, sent } = scriptedServer([new Response(null, { status: 304 })])
    expect(await albums.getIfChanged('1', '"v1"')).toBeNull()
    expect(sent[0]?.headers['if-none-match']).toBe('"v1"')
  })

  test('without an ETag is read again', async () => {
    const { albums, sent } = scriptedServer([json(kidA), json(kidA)])
    const { etag } = await albums.get('1')
    expect((await albums.getIfChanged('1', etag))?.data.title).toBe('Kid A')
    expect(sent[1]?.headers).not.toHaveProperty('if-none-match')
  })

  test('has the total of a page from where servers put it', async () => {
    const { albums } = scriptedServer([
      json({ data: [], meta: { total: 3 } }),
      json({ data: [], meta: { page: { total: 4 } } }),
      json({ data: [] }),
    ])
    expect((await albums.list()).total).toBe(3)
    expect((await albums.list()).total).toBe(4)
    expect((await albums.list()).total).toBeNull()
  })

  test('has the estimate of a page', async () => {
    const estimatedTotal = { bestGuess: 2000, atLeast: 1001, isExact: false }
    const { albums } = scriptedServer([json({ data: [], meta: { page: { estimatedTotal } } }), json({ data: [] })])
    expect(await albums.list()).toMatchObject({ estimatedTotal, total: null })
    expect((await albums.list()).estimatedTotal).toBeNull()
  })

  test('of a batch has null for steps without a resource', async () => {
    const { client } = scriptedServer([new Response(null, { status: 204 })])
    expect(await client.atomic((batch) => [batch.delete('albums', '1')])).toEqual([null])
  })
})
