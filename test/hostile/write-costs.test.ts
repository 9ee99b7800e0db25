import { belongsTo, belongsToMany, createServer, defineResource, hasMany, id, model, morphToMany } from 'ashlar'
import type { TestClient } from 'ashlar/testing'
import { describe, expect, test } from 'vitest'
import { client } from '../support/client.js'
import { expectLinear, type Sized } from '../support/growth.js'
import { storedData } from '../support/stored-data.js'

const tracks = defineResource('tracks', {
  model: model<{ id: number; albumId: number | null }>('tracks'),
  id: id().numeric(),
  relations: { album: belongsTo('albums') },
})

const albums = defineResource('albums', {
  model: model<{ id: number; extras: object | null; details: object | null }>('albums'),
  id: id(),
  attributes: (a) => ({
    extras: a.arrayHash().nullable(),
    details: a
      .object()
      .fields({
        code: a
          .string()
          .maxLength(20)
          .pattern(/^(a+)+$/),
      })
      .nullable(),
  }),
  relations: { tracks: hasMany('tracks') },
})

const playlists = defineResource('playlists', {
  model: model<{ id: number }>('playlists'),
  id: id(),
  relations: {
    tracks: belongsToMany('tracks')
      .through('entries', { owner: 'playlistId', member: 'trackId' })
      .fields((a) => ({
        position: a.integer().required(),
        note: a
          .string()
          .nullable()
          .maxLength(20)
          .pattern(/^(a+)+$/),
        cues: a.arrayList().of('integer').nullable(),
      })),
    plainTracks: belongsToMany('tracks').storedAs('tracks'),
    items: morphToMany(['tracks', 'albums']).through('items', {
      owner: 'playlistId',
      member: 'itemId',
      memberType: 'itemType',
    }),
  },
})

/** A shop with as many tracks. */
function shop(size: number, settings: object = {}): TestClient {
  const rows = {
    tracks: Array.from({ length: size }, (_, index) => ({ id: index + 1, albumId: null })),
    albums: [{ id: 1, extras: null, details: null }],
    playlists: [{ id: 1 }],
  }
  const resources = [tracks, albums, playlists]
  const limits = { bodyBytes: 8 * 1024 * 1024 }
  return client(
    createServer({
      resources,
      data: storedData(rows),
      pagination: null,
      limits,
      respondWithLinkage: true,
      ...settings,
    }),
  )
}

type Pivot = Readonly<Record<string, unknown>>

/** Identifiers of tracks; those that begin with 1 exist in a shop of this size. */
function identifiers(
  size: number,
  { from = 1, pivot }: { readonly from?: number; readonly pivot?: Pivot } = {},
): object[] {
  const meta = pivot === undefined ? {} : { meta: { pivot } }
  return Array.from({ length: size }, (_, index) => ({ type: 'tracks', id: String(from + index), ...meta }))
}

const positioned = { pivot: { position: 1 } } as const
const wide = (size: number): object =>
  Object.fromEntries(Array.from({ length: size }, (_, index) => [`member${index}`, index]))
/** A list in a list in a list … */
const nested = (depth: number): unknown[] => (depth === 1 ? [] : [nested(depth - 1)])
const album = (members: object): object => ({ data: { type: 'albums', id: '1', ...members } })
const playlist = (relationships: object): object => ({ data: { type: 'playlists', id: '1', relationships } })

interface Costly {
  readonly method: string
  readonly path: string
  readonly body: (size: number) => object
  readonly status: number
  readonly settings?: object
  /** Goes before, and is not measured. */
  readonly first?: (api: TestClient, size: number) => Promise<unknown>
}

const linkage = (relation: string, method: string, data: (size: number) => unknown, status: number): Costly => ({
  method,
  path: `/${relation}`,
  body: (size) => ({ data: data(size) }),
  status,
})

const onTracks = 'playlists/1/relationships/tracks'
const onItems = 'playlists/1/relationships/items'
const onAlbum = 'albums/1/relationships/tracks'

const filled: Costly['first'] = (api, size) =>
  api.post(`/${onTracks}`, { body: { data: identifiers(size, positioned) } })

const costly: Readonly<Record<string, Costly>> = {
  'new members whose rows hold the key': linkage(onAlbum, 'PATCH', (size) => identifiers(size), 200),
  'new members with fields of join rows': linkage(onTracks, 'PATCH', (size) => identifiers(size, positioned), 200),
  'new members of a relation to several types': linkage(onItems, 'POST', (size) => identifiers(size), 200),
  'members that stay, with other fields': {
    ...linkage(onTracks, 'PATCH', (size) => identifiers(size, { pivot: { position: 2 } }), 200),
    first: filled,
  },
  'members that go': { ...linkage(onTracks, 'DELETE', (size) => identifiers(size), 200), first: filled },
  'one member, again and again': linkage(onItems, 'POST', (size) => Array.from({ length: size }, () => identifiers(1)[0]), 200),
  'members that do not exist': linkage(onTracks, 'POST', (size) => identifiers(size, { ...positioned, from: size + 1 }), 404),
  'members of which half exist': linkage(onItems, 'POST', (size) => identifiers(size, { from: size / 2 }), 404),
  'members to be removed that do not exist': linkage(onTracks, 'DELETE', (size) => identifiers(size, { from: size + 1 }), 200),
  'ids without the form': linkage(onItems, 'POST', (size) => identifiers(size).map((each) => ({ ...each, id: 'x' })), 422),
  'unknown types': linkage(onItems, 'POST', (size) => identifiers(size).map((each) => ({ ...each, type: 'x' })), 409),
  'an invalid identifier': linkage(onItems, 'POST', (size) => Array.from({ length: size }, () => 1), 400),
  'join rows without the fields that they must have': linkage(onTracks, 'POST', (size) => identifiers(size), 422),
  'join rows with several errors each': linkage(
    onTracks,
    'POST',
    (size) => identifiers(size, { pivot: { position: 'x', note: 'a'.repeat(21), cues: [null, 'x', {}] } }),
    422,
  ),
  'a list in a field of a join row': linkage(
    onTracks,
    'POST',
    (size) => identifiers(1, { pivot: { position: 1, cues: Array.from({ length: size * 4 }, () => 1) } }),
    200,
  ),
  'unknown fields of a join row': linkage(onTracks, 'POST', (size) => identifiers(1, { pivot: { position: 1, ...wide(size * 4) } }), 200),
  'two views of the same members': {
    method: 'PATCH',
    path: '/playlists/1',
    body: (size) =>
      playlist({ tracks: { data: identifiers(size, positioned) }, plainTracks: { data: identifiers(size) } }),
    status: 200,
  },
  'an object with as many members': {
    method: 'PATCH',
    path: '/albums/1',
    body: (size) => album({ attributes: { extras: wide(size * 4) } }),
    settings: { limits: { attributeItems: 1_000_000 } },
    status: 200,
  },
  'lists in lists, as deep as allowed': {
    method: 'PATCH',
    path: '/albums/1',
    body: (size) => album({ attributes: { extras: { a: Array.from({ length: size }, () => nested(58)) } } }),
    settings: { limits: { attributeItems: 1_000_000 } },
    status: 200,
  },
  'unknown attributes and relationships that are refused': {
    method: 'PATCH',
    path: '/albums/1',
    body: (size) => album({ attributes: wide(size * 4), relationships: wide(size * 4) }),
    settings: { unknownMembers: 'reject' },
    status: 422,
  },
  'unknown attributes and relationships': {
    method: 'PATCH',
    path: '/albums/1',
    body: (size) => album({ attributes: wide(size * 4), relationships: wide(size * 4) }),
    status: 200,
  },
} // biome-ignore format: a case a line

describe('the CPU time of a write grows with its size, not with the square', () => {
  test.each(Object.entries(costly))('%s', async (_case, { method, path, body, status, first, settings }) => {
    const sending: Sized = async (size) => {
      const api = shop(size, settings)
      await first?.(api, size)
      const raw = JSON.stringify(body(size))
      return async () => {
        const response = await api.request(method, path, { raw })
        expect(response.status).toBe(status)
        expect(response.errors.length).toBeLessThanOrEqual(100)
      }
    }
    await expectLinear(sending, { small: 500 })
  })
})

describe('as many errors are reported as the limit allows', () => {
  test.each([
    ['attributes', { attributes: wide(5000) }],
    ['relationships', { relationships: wide(5000) }],
    ['both, and members', { attributes: wide(5000), relationships: { ...wide(5000), tracks: { data: identifiers(5000) } } }],
  ] as const)('%s', async (_which, members) => {
    const strict = shop(1, { unknownMembers: 'reject', limits: { errors: 7, bodyBytes: 8e6 } })
    const response = await strict.patch('/albums/1', { body: album(members) })
    expect(response.status).toBe(422)
    expect(response.errors).toHaveLength(7)
  })

  test('join rows with several errors each', async () => {
    const pivot = { position: 'x', note: 'a'.repeat(21), cues: [null, 'x', {}] }
    const response = await shop(1).post(`/${onTracks}`, { body: { data: identifiers(1000, { pivot }) } })
    expect(response.status).toBe(422)
    expect(response.errors).toHaveLength(100)
  })
}) // biome-ignore format: a case a line

// The pattern would take too long: each further letter doubles its time.
test('a text that is too long never reaches the pattern, in an object or in the fields of a join row', async () => {
  const api = shop(1)
  const text = `${'a'.repeat(60)}!`
  const pivot = { position: 1, note: text.repeat(15_000) }
  for (const { errors } of [
    await api.patch('/albums/1', { body: album({ attributes: { details: { code: text } } }) }),
    await api.post(`/${onTracks}`, { body: { data: identifiers(1, { pivot }) } }),
  ]) {
    expect(errors).toMatchObject([{ detail: 'This must have at most 20 characters.' }])
  }
})
