import { belongsTo, createServer, hasMany } from 'ashlar'
import type { Persister, Provider, RelationshipChange } from 'ashlar/store'
import { expectErrors } from 'ashlar/testing'
import { describe, expect, test } from 'vitest'
import { typeWith } from '../support/linkage-reader.js'
import { linkageWriter, one, some } from '../support/linkage-writer.js'
import { recordingProvider } from '../support/recording-provider.js'
import { storedData } from '../support/stored-data.js'

interface AlbumRow {
  readonly id: number
  readonly title: string
  readonly trackIds: readonly number[]
  readonly artistId: unknown
}

interface Note {
  readonly relation: string
  readonly owner: object
  readonly change: RelationshipChange
}

const blank: AlbumRow = { id: 0, title: '', trackIds: [], artistId: null }

/** A persister over a list of albums, which may store the tracks itself; it records its calls. */
function customAlbums() {
  const rows = new Map<number, AlbumRow>([[1, { ...blank, id: 1, title: 'Kid A', trackIds: [1, 2] }]])
  const notes: Note[] = []
  const updates: object[] = []
  const persister: Persister = {
    create(_type, values, { relationships = [] }) {
      for (const { relation, change } of relationships) {
        notes.push({ relation: `created with ${relation.name}`, owner: {}, change })
      }
      const row: AlbumRow = { ...blank, ...values, id: rows.size + 1 }
      rows.set(row.id, row)
      return row
    },
    update(_type, key, values) {
      updates.push(values)
      const row: AlbumRow = { ...blank, ...rows.get(Number(key)), ...values }
      rows.set(row.id, row)
      return row
    },
    delete: () => true,
  }
  const provider = {
    fetchOne: (_type: unknown, key: string) => rows.get(Number(key)) ?? null,
    fetchCollection: () => [...rows.values()],
  }
  const mutateRelationship: NonNullable<Persister['mutateRelationship']> = ({ name }, owner, change) => {
    notes.push({ relation: name, owner, change })
    const row = rows.get(Number(owner['id'])) ?? blank
    const removed = change.removed.map(({ key }) => key)
    const remaining = row.trackIds.filter((key) => !removed.includes(key))
    rows.set(row.id, { ...row, trackIds: [...remaining, ...change.added.map(({ key }) => Number(key))] })
  }
  return { rows, notes, updates, persister, provider, mutateRelationship }
}

const tracks = typeWith('tracks')
const trackRows = { tracks: [1, 2, 3].map((key) => ({ id: key, albumId: key === 1 ? 1 : null })) }

const fetchRelated: NonNullable<Provider['fetchRelated']> = (_relation, { columns, rows }) => ({
  sets: [{ type: 'tracks', rows: trackRows.tracks }],
  groups: rows.map((row) => {
    const keys = row[columns.indexOf('trackIds')] as readonly number[]
    return { members: keys.map((key) => ({ set: 0, row: key - 1, pivot: null })), total: null }
  }),
})

/** Albums whose tracks are known only to their provider and persister. */
function storedAlbums() {
  const { notes, persister, provider, mutateRelationship } = customAlbums()
  const albums = typeWith(
    'albums',
    { tracks: hasMany('tracks') },
    { provider: { ...provider, fetchRelated }, persister: { ...persister, mutateRelationship } },
  )
  const api = linkageWriter(createServer({ resources: [albums, tracks], data: storedData(trackRows) }))
  return { api, notes }
}

describe('a custom persister of the type', () => {
  test('gets the resulting members, by their keys', async () => {
    const { api, notes } = storedAlbums()
    expect((await api.replace('/albums/1/tracks', some('tracks', '2', '3'))).document?.data).toEqual(
      some('tracks', '2', '3'),
    )
    expect(notes).toEqual([
      {
        relation: 'tracks',
        owner: { id: 1, title: 'Kid A', trackIds: [1, 2], artistId: null },
        change: {
          added: [{ type: 'tracks', key: 3, values: {} }],
          updated: [],
          removed: [{ type: 'tracks', key: 1 }],
        },
      },
    ])
    notes.length = 0
    // A change without an effect is not written.
    await api.add('/albums/1/tracks', some('tracks', '2'))
    await api.remove('/albums/1/tracks', some('tracks', '1'))
    await api.replace('/albums/1/tracks', some('tracks', '3', '2'))
    expect(notes).toEqual([])
  })

  test('gets the members of a new resource with the resource, and then each relation', async () => {
    const { api, notes } = storedAlbums()
    expect((await api.create('/albums', { tracks: some('tracks', '3') })).status).toBe(201)
    const change = { added: [{ type: 'tracks', key: 3, values: {} }], updated: [], removed: [] }
    expect(notes).toEqual([
      { relation: 'created with tracks', owner: {}, change },
      { relation: 'tracks', owner: { id: 2, title: '', trackIds: [], artistId: null }, change },
    ])
    expect(await api.members('/albums/2/tracks')).toEqual(['tracks 3'])
  })

  test('without mutateRelationship writes keys of its own rows, and leaves those of others to their persisters', async () => {
    const { rows, updates, persister, provider } = customAlbums()
    const albums = typeWith(
      'albums',
      { tracks: hasMany('tracks').via('albumId'), artist: belongsTo('artists') },
      { provider, persister },
    )
    const data = storedData({ ...trackRows, artists: [{ id: 7 }] })
    const api = linkageWriter(createServer({ resources: [albums, tracks, typeWith('artists')], data }))
    await api.add('/albums/1/tracks', some('tracks', '3'))
    expect(await api.members('/albums/1/tracks')).toEqual(['tracks 1', 'tracks 3'])
    expect(updates).toEqual([])
    await api.replace('/albums/1/artist', one('artists', '7'))
    expect(updates).toEqual([{ artistId: 7 }])
    expect(rows.get(1)?.artistId).toBe(7)
    expect(await api.members('/albums/1/artist')).toEqual(['artists 7'])
  })
})

/** Replaces the track of an album, where this provider reads the tracks. */
async function replaceBy(provider: Provider): Promise<void> {
  const albums = typeWith('albums', { track: belongsTo('tracks') })
  const data = storedData({ albums: [{ id: 1, trackId: 1 }] })
  const resources = [albums, typeWith('tracks', {}, { provider, operations: ['FetchOne'] })]
  const api = linkageWriter(createServer({ resources, data }))
  expect((await api.replace('/albums/1/track', one('tracks', '2'))).document?.data).toEqual(one('tracks', '2'))
}

describe('a custom provider of the related type', () => {
  test('finds a single new member in its collection, like several: fetchOne may do more than find it', async () => {
    const { provider, calls } = recordingProvider(trackRows.tracks)
    await replaceBy(provider)
    expect(calls).toMatchObject([
      { method: 'fetchCollection', type: 'tracks', criteria: { conditions: [{ kind: 'in', values: ['2'] }] } },
    ])
  })

  test('finds it by fetchOne if it has no collection, with all its columns', async () => {
    const calls: unknown[] = []
    await replaceBy({
      fetchOne(_type, wanted, { columns, cacheKey }) {
        calls.push({ wanted, columns, cacheKey })
        return trackRows.tracks.find((row) => String(row.id) === wanted) ?? null
      },
    })
    expect(calls).toEqual([{ wanted: '2', columns: null, cacheKey: undefined }])
  })
})

describe('fillUsing() on a relation', () => {
  /** Its arguments: the row, the linkage, the attributes and the name. */
  const calls: unknown[][] = []
  const titled = { attributes: (a: { string(): unknown }) => ({ title: a.string() }) }
  const resources = [
    typeWith(
      'albums',
      {
        // A list of keys in its own column.
        tracks: hasMany('tracks')
          .extractUsing((row) => (row['trackIds'] as readonly number[]).map((key) => ({ id: key })))
          .fillUsing((row, value, attributes, name) => {
            calls.push([row, value, attributes, name])
            return { trackIds: (value as readonly { id: string }[]).map((member) => Number(member.id)) }
          }),
        // The key in the usual column, and when it was set.
        artist: belongsTo('artists').fillUsing((row, value) => ({
          artistId: (value as { id: string } | null)?.id ?? null,
          artistChanges: Number(row['artistChanges'] ?? 0) + 1,
        })),
        // Never changed, whatever is sent.
        label: belongsTo('labels').fillUsing(async () => null),
      },
      {
        attributes: (a: { string(): unknown; integer(): unknown }) => ({
          title: a.string(),
          artistChanges: a.integer(),
        }),
      },
    ),
    typeWith('tracks', {}, titled),
    typeWith('artists'),
    typeWith('labels'),
  ]

  function filled() {
    calls.length = 0
    const data = storedData({
      albums: [{ id: 1, title: 'Kid A', trackIds: [1, 2], artistId: 1, artistChanges: 0, labelId: 1 }],
      tracks: [1, 2, 3].map((key) => ({ id: key })),
      artists: [1, 2].map((key) => ({ id: key })),
      labels: [1, 2].map((key) => ({ id: key })),
    })
    return linkageWriter(createServer({ resources, data }))
  }

  test('returns the columns for the resulting set, however it was changed', async () => {
    const api = filled()
    expect((await api.add('/albums/1/tracks', some('tracks', '3', '2'))).document?.data).toEqual(
      some('tracks', '1', '2', '3'),
    )
    expect((await api.remove('/albums/1/tracks', some('tracks', '1'))).document?.data).toEqual(some('tracks', '2', '3'))
    expect((await api.replace('/albums/1/tracks', some('tracks', '3', '1'))).document?.data).toEqual(
      some('tracks', '1', '3'),
    )
    expect(calls.map(([, value]) => value)).toEqual([
      some('tracks', '1', '2', '3'),
      some('tracks', '2', '3'),
      some('tracks', '3', '1'),
    ])
    expect(await api.members('/albums/1/tracks')).toEqual(['tracks 1', 'tracks 3'])
  })

  test('gets the row, the other attributes and the name', async () => {
    const api = filled()
    await api.update('/albums/1', { tracks: some('tracks', '3') }, { title: 'Kid B' })
    expect(calls).toEqual([
      [
        { id: 1, title: 'Kid A', trackIds: [1, 2], artistId: 1, artistChanges: 0, labelId: 1 },
        some('tracks', '3'),
        { title: 'Kid B' },
        'tracks',
      ],
    ])
    await api.create('/albums', { tracks: some('tracks', '2') })
    expect(calls[1]).toEqual([{}, some('tracks', '2'), {}, 'tracks'])
    expect(await api.members('/albums/2/tracks')).toEqual(['tracks 2'])
  })

  test('is not called if nothing changes', async () => {
    const api = filled()
    await api.replace('/albums/1/tracks', some('tracks', '2', '1'))
    await api.add('/albums/1/tracks', some('tracks', '2'))
    await api.update('/albums/1', { tracks: some('tracks', '1', '2'), artist: one('artists', '1') })
    expect(calls).toEqual([])
    expect((await api.get('/albums/1')).resource.attributes).toMatchObject({ artistChanges: 0 })
  })

  test('writes columns next to that of the key', async () => {
    const api = filled()
    await api.replace('/albums/1/artist', one('artists', '2'))
    await api.update('/albums/1', { artist: null })
    expect(await api.members('/albums/1/artist')).toEqual([])
    expect((await api.get('/albums/1')).resource.attributes).toMatchObject({ artistChanges: 2 })
  })

  test('that returns null changes nothing', async () => {
    const api = filled()
    expect((await api.replace('/albums/1/label', one('labels', '2'))).document?.data).toEqual(one('labels', '1'))
  })

  test('is called only with existing members', async () => {
    const api = filled()
    expectErrors(await api.add('/albums/1/tracks', some('tracks', '3', '99')), [
      { status: 404, code: 'RELATED_RESOURCE_NOT_FOUND', pointer: '/data/1' },
    ])
    expect(calls).toEqual([])
  })
})

test('a relation that a function reads, and none fills, is ignored in bodies of resources', async () => {
  const resources = [
    typeWith('albums', { tracks: hasMany('tracks').extractUsing(() => [{ id: 1 }]) }),
    typeWith('tracks'),
  ]
  const data = storedData({ albums: [{ id: 1 }], tracks: [{ id: 1 }, { id: 2 }] })
  const api = linkageWriter(createServer({ resources, data }))
  expect((await api.update('/albums/1', { tracks: some('tracks', '2') })).status).toBe(200)
  expect((await api.create('/albums', { tracks: 'nonsense' })).status).toBe(201)
  expect(await api.members('/albums/1/tracks')).toEqual(['tracks 1'])
  const strict = linkageWriter(createServer({ resources, data, unknownMembers: 'reject' }))
  expectErrors(await strict.update('/albums/1', { tracks: some('tracks', '2') }), [
    { status: 422, code: 'RELATIONSHIP_UNRECOGNIZED', pointer: '/data/relationships/tracks' },
  ])
})
