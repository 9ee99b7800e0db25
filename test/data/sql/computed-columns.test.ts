import {
  atomic,
  belongsTo,
  belongsToMany,
  createServer,
  cursorPage,
  defineResource,
  hasMany,
  id,
  type AnyResource,
  type ResourceHooks,
} from 'ashlar'
import { sqlData, sqlFilter, type RanStatement, table } from 'ashlar/sql'
import { expectErrors } from 'ashlar/testing'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { batchClient, type BatchClient } from '../../atomic/batch-client.js'
import { resourceBody } from '../../support/client.js'
import { musicEngines } from '../../support/music-engines.js'
import type { OpenMusic } from '../../support/sql-music.js'

interface ArtistRow {
  id: number
  name: string
  trackCount: number
}

interface AlbumRow {
  id: number
  title: string
  artistId: number | null
  length: number | null
  meanLength: number | null
  longTracks: number
  isLong: boolean
}

interface EntryRow {
  playlistId: number
  trackId: number
  position: number
  opens: boolean
}

const artistTable = table<ArtistRow>('artists', {
  columns: {
    trackCount: {
      type: 'integer',
      computed: ({ column }) =>
        sql`select count(*) from tracks join albums on albums.id = tracks.album_id where albums.artist_id = ${column('id')}`,
    },
  },
})

/** Each differs between the engines: averages of PostgreSQL are texts, booleans of SQLite are numbers. */
const albumTable = table<AlbumRow>('albums', {
  columns: {
    length: {
      type: 'integer',
      computed: ({ column, engine }) =>
        sql`select sum(${sql.raw(engine === 'postgres' ? 'seconds::bigint' : 'seconds')}) from tracks where album_id = ${column('id')}`,
    },
    meanLength: {
      type: 'number',
      computed: ({ column }) => sql`select avg(seconds) from tracks where album_id = ${column('id')}`,
    },
    longTracks: {
      type: 'integer',
      computed: ({ column }) =>
        sql`select count(*) from tracks where album_id = ${column('id')} and seconds > ${250} and title <> ${'b'}`,
    },
    isLong: { type: 'boolean', computed: ({ column }) => sql`coalesce(${column('length')}, 0) > ${600}` },
  },
})

const entryTable = table<EntryRow>('playlist_tracks', {
  key: ['playlistId', 'trackId'],
  columns: { opens: { type: 'boolean', computed: ({ column }) => sql`${column('position')} = 1` } },
})

interface Declared {
  readonly hooks?: ResourceHooks<ArtistRow>
}

function resources({ hooks = {} }: Declared): readonly AnyResource[] {
  const artists = defineResource('artists', {
    model: artistTable,
    id: id(),
    attributes: (a) => ({ name: a.string().sortable(), trackCount: a.integer().readOnly().sortable() }),
    relations: { albums: hasMany('albums') },
    filters: (f) => ({
      trackCount: f.where(),
      between: f.range('trackCount'),
      oneOf: f.in('trackCount'),
      even: f.custom({ apply: sqlFilter<ArtistRow>(({ column }) => sql`${column('trackCount')} % 2 = 0`) }),
    }),
    pagination: cursorPage({ size: 20, maxSize: 20 }),
    hooks,
  })
  const albums = defineResource('albums', {
    model: albumTable,
    id: id(),
    attributes: (a) => ({
      title: a.string(),
      length: a.integer().nullable().readOnly().sortable(),
      meanLength: a.decimal().nullable().readOnly(),
      longTracks: a.integer().readOnly(),
      isLong: a.boolean().readOnly().sortable(),
      kinds: a
        .arrayList()
        .computed(({ length, meanLength, isLong }) => [length, meanLength, isLong].map((each) => typeof each)),
      artistTracks: a.integer().on('artist').storedAs('trackCount').readOnly().sortable(),
    }),
    relations: { artist: belongsTo('artists').nullable(), tracks: hasMany('tracks') },
    filters: (f) => ({ isLong: f.where(), byTracks: f.through('artist.trackCount') }),
  })
  const tracks = defineResource('tracks', {
    model: table<{ id: number; title: string; seconds: number; albumId: number | null }>('tracks'),
    id: id(),
    attributes: (a) => ({ title: a.string(), seconds: a.integer() }),
    relations: { album: belongsTo('albums').nullable() },
  })
  const playlists = defineResource('playlists', {
    model: table<{ id: number; title: string }>('playlists'),
    id: id(),
    attributes: (a) => ({ title: a.string() }),
    relations: {
      tracks: belongsToMany('tracks')
        .through(entryTable, { owner: 'playlistId', member: 'trackId' })
        .fields((a) => ({ position: a.integer(), opens: a.boolean().readOnly() })),
    },
  })
  return [artists, albums, tracks, playlists]
}

const rows = [
  'delete from playlist_tracks',
  'delete from playlists',
  'delete from tracks',
  'delete from albums',
  'delete from artists',
  "insert into artists (id, name) values (1, 'Radiohead'), (2, 'Nobody'), (3, 'Björk'), (4, 'Cher')",
  "insert into albums (id, title, artist_id) values (1, 'Kid A', 1), (2, 'Amnesiac', 1), (3, 'Post', 3), (4, 'Believe', 4), (5, 'Blank', 2)",
  "insert into tracks (id, title, seconds, album_id) values (1, 'a', 200, 1), (2, 'b', 301, 1), (3, 'c', 260, 2), (4, 'd', 100, 3), (5, 'e', 300, 4), (6, 'f', 300, 4), (7, 'g', 300, 4)",
  "insert into playlists (id, title) values (1, 'x')",
  'insert into playlist_tracks (playlist_id, track_id, position) values (1, 1, 2), (1, 2, 1)',
]

/** The pages of a list, from its first to its last. */
async function paged(api: BatchClient, path: string): Promise<readonly (string | undefined)[]> {
  const page = await api.get(path)
  const ids = page.resources.map(({ id: key }) => key)
  const next = page.document?.links?.['next']
  return typeof next === 'string' ? [...ids, ...(await paged(api, next.replace('http://localhost', '')))] : ids
}

describe.each(musicEngines)('A column that %s computes', (engine, open) => {
  let music: OpenMusic
  beforeAll(async () => {
    music = await open()
  })
  afterAll(() => music.close())
  beforeEach(async () => {
    for (const statement of rows) await music.rows(statement)
    if (engine === 'SQLite') return
    for (const name of ['artists', 'albums']) await music.rows(`alter sequence ${name}_id_seq restart with 100`)
  })

  interface Serving {
    readonly api: BatchClient
    readonly ran: RanStatement[]
    readonly logged: unknown[]
  }

  const serving = (declared: Declared = {}): Serving => {
    const [ran, logged]: [RanStatement[], unknown[]] = [[], []]
    const data = sqlData(music.database, { naming: 'snake_case', onStatement: (statement) => ran.push(statement) })
    const logger = { error: ({ err }: { err: unknown }) => logged.push(err) }
    const server = createServer({ resources: resources(declared), data, logger, extensions: [atomic()] })
    return { api: batchClient(server), ran, logged }
  }

  it('is read with the others, in lists and of one resource', async () => {
    const { api } = serving()
    const { resources: artists } = await api.get('/artists')
    expect(artists.map(({ id: key, attributes }) => [key, attributes?.['trackCount']])).toEqual([
      ['1', 3],
      ['2', 0],
      ['3', 1],
      ['4', 3],
    ])
    expect((await api.get('/artists/1')).resource.attributes).toEqual({ name: 'Radiohead', trackCount: 3 })
  })

  it.each([
    ['1', { length: 501, meanLength: 250.5, longTracks: 0, isLong: false }],
    ['4', { length: 900, meanLength: 300, longTracks: 3, isLong: true }],
    ['5', { length: null, meanLength: null, longTracks: 0, isLong: false }],
  ])('has values of the declared type, whatever type the database returns: the album %s', async (album, expected) => {
    const fields = Object.keys(expected).join(',')
    const { attributes } = (await serving().api.get(`/albums/${album}?fields[albums]=${fields}`)).resource
    expect(attributes).toEqual(expected)
  })

  it('has the same values in rows', async () => {
    const { api } = serving()
    const { attributes } = (await api.get('/albums/1?fields[albums]=kinds')).resource
    expect(attributes).toEqual({ kinds: ['number', 'number', 'boolean'] })
  })

  it('is computed only if the fieldset selects it', async () => {
    const { api, ran } = serving()
    await api.get('/artists?fields[artists]=name')
    await api.get('/artists/1?fields[artists]=name')
    expect(ran.map(({ sql: text }) => text).filter((text) => text.includes('tracks'))).toEqual([])
    await api.get('/artists?fields[artists]=trackCount')
    expect(ran.map(({ sql: text }) => text).filter((text) => text.includes('tracks'))).toHaveLength(1)
  })

  it('is there in related and in included resources, for one parent and for several', async () => {
    const { api } = serving()
    const shown = async (path: string): Promise<unknown> =>
      (await api.get(path)).resources.map(({ attributes }) => attributes?.['length'])
    expect(await shown('/artists/1/albums')).toEqual([501, 260])
    expect((await api.get('/albums/3/artist')).resource.attributes).toEqual({ name: 'Björk', trackCount: 1 })
    const { document } = await api.get('/artists?include=albums&fields[albums]=length')
    expect(document?.included?.map(({ id: key, attributes }) => [key, attributes?.['length']])).toEqual([
      ['1', 501],
      ['2', 260],
      ['5', null],
      ['3', 100],
      ['4', 900],
    ])
  })

  it('may be flattened, and sorted by from there', async () => {
    const { api } = serving()
    const { resources: albums } = await api.get('/albums?sort=-artistTracks&fields[albums]=artistTracks')
    expect(albums.map(({ id: key, attributes }) => [key, attributes?.['artistTracks']])).toEqual([
      ['4', 3],
      ['2', 3],
      ['1', 3],
      ['3', 1],
      ['5', 0],
    ])
  })

  it.each([
    ['trackCount', ['2', '3', '1', '4']],
    ['-trackCount', ['4', '1', '3', '2']],
    ['-trackCount,-name', ['1', '4', '3', '2']],
  ])('sorts by %s, on pages that begin after a row', async (sort, expected) => {
    const { api } = serving()
    expect(await paged(api, `/artists?sort=${sort}&page[size]=1&fields[artists]=name`)).toEqual(expected)
    const whole = await api.get(`/artists?sort=${sort}&page[size]=3`)
    expect(whole.resources.map(({ id: key }) => key)).toEqual(expected.slice(0, 3))
  })

  it('sorts rows that have no value after all others', async () => {
    const { api } = serving()
    const ids = async (path: string): Promise<unknown> => (await api.get(path)).resources.map(({ id: key }) => key)
    expect(await ids('/albums?sort=length')).toEqual(['3', '2', '1', '4', '5'])
    expect(await ids('/albums?sort=-length')).toEqual(['5', '4', '1', '2', '3'])
    expect(await ids('/albums?sort=-isLong,length')).toEqual(['4', '3', '2', '1', '5'])
  })

  it.each([
    ['/artists?filter[trackCount]=3', ['1', '4']],
    ['/artists?filter[between][min]=1&filter[between][max]=2', ['3']],
    ['/artists?filter[oneOf]=0,1', ['2', '3']],
    ['/artists?filter[even]=1', ['2']],
    ['/albums?filter[isLong]=true', ['4']],
    ['/albums?filter[byTracks]=1', ['3']],
  ])('is filtered by %s', async (path, expected) => {
    const { api } = serving()
    expect((await api.get(path)).resources.map(({ id: key }) => key)).toEqual(expected)
  })

  it('does not mix the parameters of its expression with those of requests', async () => {
    const { api, ran } = serving()
    for (const [album, expected] of [
      ['4', 3],
      ['1', 0],
      ['2', 1],
    ]) {
      const { attributes } = (await api.get(`/albums/${album}?fields[albums]=longTracks`)).resource
      expect(attributes).toEqual({ longTracks: expected })
    }
    const statements = ran.filter(({ sql: text }) => text.includes('seconds >'))
    expect(new Set(statements.map(({ sql: text }) => text)).size).toBe(1)
    expect(statements.map(({ values }) => values.slice(0, 2))).toEqual([
      [250, 'b'],
      [250, 'b'],
      [250, 'b'],
    ])
  })

  it('may be one of join rows', async () => {
    const { api } = serving()
    const linkage = await api.get('/playlists/1/relationships/tracks')
    expect(linkage.document?.data).toMatchObject([
      { id: '1', meta: { pivot: { position: 2, opens: false } } },
      { id: '2', meta: { pivot: { position: 1, opens: true } } },
    ])
    const body = { data: [{ type: 'tracks', id: '3', meta: { pivot: { position: 1 } } }] }
    expect((await api.post('/playlists/1/relationships/tracks', { body })).status).toBeLessThan(300)
    expect(await music.rows('select position from playlist_tracks where track_id = 3')).toEqual([{ position: 1 }])
  })

  it('is in the response to a create, with its new value', async () => {
    const { api, ran } = serving()
    const album = await api.post('/albums', { body: resourceBody('albums', { title: 'In Rainbows' }) })
    expect(album.resource.attributes).toMatchObject({ length: null, meanLength: null, longTracks: 0, isLong: false })
    const artist = await api.post('/artists', { body: resourceBody('artists', { name: 'New' }) })
    expect(artist.resource.attributes).toEqual({ name: 'New', trackCount: 0 })
    expect(ran.filter(({ sql: text }) => /^(?:insert|update).*count\(/s.test(text))).toEqual([])
  })

  it('is in the response to an update, with its new value', async () => {
    const { api } = serving()
    const updated = await api.patch('/artists/1', { body: resourceBody('artists', { name: 'On a Friday' }, '1') })
    expect(updated.resource.attributes).toEqual({ name: 'On a Friday', trackCount: 3 })
    const unchanged = await api.patch('/artists/1', { body: resourceBody('artists', {}, '1') })
    expect(unchanged.resource.attributes).toEqual({ name: 'On a Friday', trackCount: 3 })
  })

  it('is in each result of a batch, read for all rows by one more statement', async () => {
    const { api, ran } = serving()
    const operations = ['x', 'y', 'z'].map((name) => ({ op: 'add', ...resourceBody('artists', { name }) }))
    const results = await api.results(operations)
    expect(results.map(({ data }) => (data as { attributes: object }).attributes)).toEqual([
      { name: 'x', trackCount: 0 },
      { name: 'y', trackCount: 0 },
      { name: 'z', trackCount: 0 },
    ])
    const reads = ran.filter(({ sql: text }) => text.includes('count('))
    expect(reads).toHaveLength(1)
  })

  it('is in the rows that hooks are given', async () => {
    const seen: unknown[] = []
    const { api } = serving({
      hooks: {
        beforeUpdate: (_draft, row) => void seen.push(row.trackCount),
        afterCreate: (row) => void seen.push(row.trackCount),
        afterUpdate: (row) => void seen.push(row.trackCount),
      },
    })
    await api.patch('/artists/1', { body: resourceBody('artists', { name: 'On a Friday' }, '1') })
    await api.post('/artists', { body: resourceBody('artists', { name: 'New' }) })
    expect(seen).toEqual([3, 3, 0])
  })

  it('cannot be set by a hook, nor by rows()', async () => {
    const errors = [new Error("'trackCount' of the table 'artists' is computed by the database: it cannot be set.")]
    const body = resourceBody('artists', { name: 'New' })
    const draft = serving({ hooks: { beforeCreate: (values) => void (values.trackCount = 5) } })
    expectErrors(await draft.api.post('/artists', { body }), [{ status: 500 }])
    expect(draft.logged).toEqual(errors)
    const update = serving({ hooks: { beforeUpdate: (values) => void (values.trackCount = 5) } })
    const patch = { body: resourceBody('artists', { name: 'New' }, '1') }
    expectErrors(await update.api.patch('/artists/1', patch), [{ status: 500 }])
    expect(update.logged).toEqual(errors)
    const others = serving({
      hooks: {
        async beforeCreate(_values, context) {
          await context.rows('artists').update(2, { trackCount: 5 })
        },
      },
    })
    expectErrors(await others.api.post('/artists', { body }), [{ status: 500 }])
    expect(others.logged).toEqual(errors)
    expect(await music.rows('select count(*) as n from artists')).toMatchObject([{ n: engine === 'SQLite' ? 4 : '4' }])
  })

  it('cannot be sent', async () => {
    const { api } = serving()
    const body = resourceBody('artists', { name: 'New', trackCount: 7 })
    const created = await api.post('/artists', { body })
    expect(created.resource.attributes).toEqual({ name: 'New', trackCount: 0 })
  })
})
