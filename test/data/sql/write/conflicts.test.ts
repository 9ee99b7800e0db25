import {
  belongsTo,
  belongsToMany,
  createServer,
  defineResource,
  hasMany,
  id,
  isStoreConflict,
  type WorkContext,
} from 'ashlar'
import { sqlData, table } from 'ashlar/sql'
import { expectErrors, type TestClient } from 'ashlar/testing'
import { describe, expect, test, vi } from 'vitest'
import { client, resourceBody } from '../../../support/client.js'
import type { Engine } from './open-databases.js'
import { databases, engines } from './open-databases.js'

interface ArtistRow {
  id: number
  name: string
}

interface AlbumRow {
  id: number
  title: string
  barcode: string | null
  rating: number | null
  lowest: number | null
  highest: number | null
  code: string | null
  slug: string
  artistId: number
  labelId: number | null
}

interface ListRow {
  id: number
  name: string
}

const open = databases()

const tables = [
  'create table artists (id serial, name text not null unique)',
  'create table labels (id serial, name text)',
  `create table albums (id serial, title text not null, barcode text unique, rating integer check (rating between 1 and 5),
    lowest integer, highest integer, code varchar(3) check (length(code) <= 3), slug text not null default 'none',
    "artistId" integer not null references artists (id), "labelId" integer references labels (id),
    constraint in_order check (lowest <= highest), unique (title, "artistId"))`,
  'create table lists (id serial, name text)',
  `create table list_albums (list integer not null references lists (id) on delete cascade,
    album integer not null references albums (id) on delete restrict, position integer not null check (position > 0), note text unique,
    primary key (list, album))`,
  `insert into artists (name) values ('Radiohead'), ('Björk')`,
  `insert into labels (name) values ('Parlophone')`,
  `insert into albums (title, barcode, "artistId") values ('OK Computer', '1', 1), ('Kid A', '2', 1), ('Debut', '3', 2), ('Kid A', '4', 2)`,
  `insert into lists (name) values ('Road')`,
  'insert into list_albums (list, album, position) values (1, 1, 1)',
]

type Rows = Awaited<ReturnType<typeof open>>['rows']

type Before = (draft: Partial<AlbumRow>, context: WorkContext) => unknown

const artists = defineResource('artists', {
  model: table<ArtistRow>('artists'),
  id: id().allowClientId(),
  attributes: (a) => ({ name: a.string() }),
  relations: { albums: hasMany('albums').via('artistId') },
})

const labels = defineResource('labels', {
  model: table<{ id: number; name: string | null }>('labels'),
  id: id(),
  attributes: (a) => ({ name: a.string().nullable() }),
})

const albumsWith = (before?: Before) =>
  defineResource('albums', {
    model: table<AlbumRow>('albums'),
    id: id(),
    attributes: (a) => ({
      title: a.string().nullable(),
      barcode: a.string().nullable().unique({ message: 'There is an album with it.' }),
      rating: a.integer().nullable(),
      lowest: a.integer().nullable(),
      highest: a.integer().nullable(),
      code: a.string().nullable(),
    }),
    relations: { artist: belongsTo('artists').nullable(), label: belongsTo('labels').nullable() },
    hooks: {
      async beforeSave(draft, _creating, context) {
        await before?.(draft, context)
      },
    },
  })

const listsWith = (beforeLinking: () => unknown) =>
  defineResource('lists', {
    model: table<ListRow>('lists'),
    id: id(),
    attributes: (a) => ({ name: a.string().nullable() }),
    relations: {
      albums: belongsToMany('albums')
        .through('list_albums', { owner: 'list', member: 'album' })
        .fields((a) => ({ position: a.integer().nullable(), note: a.string().nullable() })),
    },
    hooks: {
      async beforeRelationshipMutate() {
        await beforeLinking()
      },
    },
  })

const joinRows = table<{ list: number; album: number; position: number; note: string | null }>('list_albums', {
  key: ['list', 'album'],
})

const linked = (type: string, key: string | null) => ({ data: key === null ? null : { type, id: key } })
const violation = (pointer: string | null, detail?: string) => ({
  status: 422,
  code: 'VALIDATION_FAILED',
  pointer,
  ...(detail === undefined ? {} : { detail }),
})
const missing = (pointer: string) => ({ status: 404, code: 'RELATED_RESOURCE_NOT_FOUND', pointer })

const post = (api: TestClient, attributes: object, relationships: object = { artist: linked('artists', '1') }) =>
  api.post('/albums', { body: { data: { type: 'albums', attributes, relationships } } })
const patch = (api: TestClient, key: string, members: object) =>
  api.patch(`/albums/${key}`, { body: { data: { type: 'albums', id: key, ...members } } })

const member = (key: string, pivot: object) => ({ type: 'albums', id: key, meta: { pivot } })
const addTo = (api: TestClient, ...members: readonly object[]) =>
  api.post('/lists/1/relationships/albums', { body: { data: members } })

async function shopOn(engine: Engine, before?: Before, beforeLinking?: (rows: Rows) => unknown) {
  const { database, rows, options } = await open(engine, tables)
  const error = vi.fn<(members: object, message: string) => void>()
  const server = createServer({
    resources: [artists, labels, albumsWith(before), listsWith(() => beforeLinking?.(rows))],
    data: sqlData(database, { ...options, tables: [joinRows] }),
    logger: { error },
  })
  const logged = () => error.mock.calls.map(([members]) => (members as { err: unknown }).err)
  return { api: client(server), rows, logged }
}

describe.each(engines)('on %s', (engine) => {
  const shop = (before?: Before) => shopOn(engine, before)

  test('a duplicate value is reported at its attribute', async () => {
    const { api } = await shop()
    const taken = violation('/data/attributes/barcode', 'There is an album with it.')
    expectErrors(await post(api, { title: 'x', barcode: '1' }), [taken])
    expectErrors(await patch(api, '2', { attributes: { barcode: '1' } }), [taken])
  })

  test('an undeclared set of columns is reported at the first of them that was sent', async () => {
    const { api } = await shop()
    expectErrors(await post(api, { title: 'Kid A' }), [
      violation('/data/attributes/title', 'This value is already taken.'),
    ])
    expectErrors(await patch(api, '2', { relationships: { artist: linked('artists', '2') } }), [
      violation('/data/relationships/artist/data'),
    ])
  })

  test('a duplicate client id is 409, whatever else is a duplicate too', async () => {
    const { api } = await shop()
    expectErrors(await api.post('/artists', { body: resourceBody('artists', { name: 'Radiohead' }, '1') }), [
      { status: 409, code: 'CLIENT_GENERATED_ID_ALREADY_EXISTS', pointer: '/data/id' },
    ])
  })

  test('a client id that the column cannot hold is 422', async () => {
    const { api } = await shop()
    for (const key of ['abc', '01', '1.5', engine === 'postgres' ? '2147483648' : '9223372036854775808']) {
      expectErrors(await api.post('/artists', { body: resourceBody('artists', { name: 'x' }, key) }), [
        violation('/data/id', 'This id does not have the required form.'),
      ])
    }
  })

  test('generated keys follow keys that clients chose', async () => {
    const { api } = await shop()
    for (const key of ['3', '4', '6']) {
      expect((await api.post('/artists', { body: resourceBody('artists', { name: `n${key}` }, key) })).status).toBe(201)
    }
    const made = async (name: string) =>
      (await api.post('/artists', { body: resourceBody('artists', { name }) })).resource.id
    const keys = [await made('a'), await made('b'), await made('c')]
    expect(new Set(keys).size).toBe(3)
    expect((await api.get('/artists')).resources).toHaveLength(8)
  })

  test('a missing value is reported at the member that could contain it', async () => {
    const { api } = await shop()
    expectErrors(await post(api, {}), [violation('/data/attributes/title', 'This is required.')])
    expectErrors(await post(api, { title: null }), [violation('/data/attributes/title', 'This must not be null.')])
    expectErrors(await post(api, { title: 'x' }, {}), [violation('/data/relationships/artist', 'This is required.')])
    expectErrors(await post(api, { title: 'x' }, { artist: linked('artists', null) }), [
      violation('/data/relationships/artist/data', 'This must not be null.'),
    ])
    expectErrors(await patch(api, '1', { attributes: { title: null } }), [violation('/data/attributes/title')])
    expectErrors(await api.patch('/albums/1/relationships/artist', { body: linked('artists', null) }), [
      violation('/data', 'This must not be null.'),
    ])
  })

  test('a value that a hook has removed is an error of the hook', async () => {
    const { api, logged } = await shop((draft) => Object.assign(draft, { slug: null }))
    expectErrors(await post(api, { title: 'x' }), [{ status: 500 }])
    expect(logged()).toMatchObject([{ conflicts: [{ kind: 'null', type: 'albums', columns: ['slug'] }] }])
  })

  test('a check of one column is reported at its attribute, one of several columns at the resource', async () => {
    const { api } = await shop()
    expectErrors(await post(api, { title: 'x', rating: 6 }), [
      violation('/data/attributes/rating', 'This must be from 1 to 5.'),
    ])
    expectErrors(await patch(api, '1', { attributes: { lowest: 2, highest: 1 } }), [
      violation('/data', 'This breaks a rule that holds for its values.'),
    ])
  })

  test('a value that does not fit is reported without details of the database', async () => {
    const { api } = await shop()
    const refused = await post(api, { title: 'x', code: 'abcd' })
    expectErrors(refused, [violation('/data/attributes/code', 'This must have at most 3 characters.')])
    expect(JSON.stringify(refused.document)).not.toMatch(/varchar|constraint|albums_|varying/)
  })

  test('linkage to a row that a hook has deleted is an error of the hook', async () => {
    const { api, logged } = await shop((_draft, context) => context.rows('labels').delete(1))
    expectErrors(await patch(api, '1', { relationships: { label: linked('labels', '1') } }), [{ status: 500 }])
    expect(logged()).toMatchObject([{ conflicts: [{ kind: 'reference', type: 'albums', columns: ['labelId'] }] }])
    expect((await api.get('/labels/1')).status).toBe(200)
  })

  test('a row that others refer to cannot be deleted', async () => {
    const { api } = await shop()
    expectErrors(await api.delete('/artists/1'), [{ status: 409, code: 'RESOURCE_IN_USE', pointer: null }])
    expectErrors(await api.delete('/albums/1'), [{ status: 409, code: 'RESOURCE_IN_USE', pointer: null }])
    expect((await api.delete('/lists/1')).status).toBe(204)
    expect((await api.delete('/albums/1')).status).toBe(204)
  })

  test('a row cannot be deleted if the reference of another row would become null, and must not', async () => {
    const { database, options } = await open(engine, [
      'create table artists (id serial, name text not null)',
      'create table labels (id serial, name text, "parentId" integer not null references labels (id) on delete set null)',
      'create table albums (id serial, title text, "artistId" integer not null references artists (id) on delete set null)',
      `insert into artists (name) values ('Radiohead'), ('Björk')`,
      `insert into albums (title, "artistId") values ('OK Computer', 1)`,
      `insert into labels (name, "parentId") values ('EMI', 1), ('Parlophone', 1)`,
    ])
    const albums = defineResource('albums', {
      model: table<Pick<AlbumRow, 'id' | 'title' | 'artistId'>>('albums'),
      id: id(),
      attributes: (a) => ({ title: a.string() }),
    })
    const server = createServer({ resources: [artists, albums, labels], data: sqlData(database, options) })
    const api = client(server)
    const inUse = { status: 409, code: 'RESOURCE_IN_USE', pointer: null }
    expectErrors(await api.delete('/artists/1'), [inUse])
    expectErrors(await api.delete('/labels/1'), [inUse])
    expect((await api.delete('/artists/2')).status).toBe(204)
  })

  test('members with equal values are all reported', async () => {
    const { api } = await shop()
    const body = { data: [3, 4].map((key) => ({ type: 'albums', id: String(key) })) }
    expectErrors(await api.post('/artists/1/relationships/albums', { body }), [
      violation('/data/1', 'This value is already taken.'),
    ])
    const data = {
      type: 'artists',
      attributes: { name: 'Both' },
      relationships: { albums: { data: [2, 4].map((key) => ({ type: 'albums', id: String(key) })) } },
    }
    expectErrors(await api.post('/artists', { body: { data } }), [
      violation('/data/relationships/albums/data/0'),
      violation('/data/relationships/albums/data/1'),
    ])
    expect((await api.get('/artists')).resources).toHaveLength(2)
  })

  test('members that need an owner are reported at the linkage', async () => {
    const { api } = await shop()
    expectErrors(await api.patch('/artists/2/relationships/albums', { body: { data: [] } }), [
      violation('/data', 'A resource that is left out here cannot be without this relationship.'),
    ])
  })

  test('fields of join rows are reported at the field', async () => {
    const { api, rows } = await shop()
    expectErrors(await addTo(api, member('2', { position: 2 }), member('3', {})), [
      violation('/data/1/meta/pivot/position', 'This is required.'),
    ])
    expectErrors(await addTo(api, member('2', { position: 0 })), [
      violation('/data/0/meta/pivot/position', 'This must be greater than 0.'),
    ])
    expectErrors(await addTo(api, member('2', { position: 0 }), member('3', { position: 1 })), [
      violation('/data/0/meta/pivot/position'),
    ])
    expect((await addTo(api, member('2', { position: 2, note: 'a' }))).status).toBe(204)
    expectErrors(await addTo(api, member('3', { position: 2, note: 'a' })), [violation('/data/0')])
    expect(await rows('select album, position from list_albums order by album')).toMatchObject([
      { album: 1, position: 1 },
      { album: 2, position: 2 },
    ])
  })

  test('a conflict of a write of user-defined code can be caught there, and the transaction continues', async () => {
    const caught: unknown[] = []
    const { api } = await shop(async (draft, context) => {
      const attempts = [
        () => context.rows('artists').create({ name: 'Radiohead' }),
        () => context.rows('artists').create({}),
        () => context.rows('albums').update(1, { artistId: 99 }),
        () => context.rows('albums').update(1, { rating: 9 }),
        () => context.rows('artists').delete(1),
      ]
      for (const attempt of attempts) {
        await attempt().catch((thrown: unknown) => {
          caught.push(isStoreConflict(thrown) ? thrown.conflicts : thrown)
        })
      }
      draft.slug = (await context.rows<ArtistRow>('artists').create({ name: 'Kept' })).name
    })
    expect((await post(api, { title: 'x' })).status).toBe(201)
    expect(caught).toMatchObject([
      [{ kind: 'unique', type: 'artists', columns: ['name'] }],
      [{ kind: 'null', type: 'artists', columns: ['name'] }],
      [{ kind: 'reference', type: 'albums', columns: ['artistId'] }],
      [{ kind: 'check', type: 'albums', columns: ['rating'] }],
      [{ kind: 'inUse', type: 'artists' }],
    ])
    expect((await api.get('/artists')).resources.map(({ attributes }) => attributes?.['name'])).toContain('Kept')
  })

  test('an unknown column is an error of the application, in a sentence', async () => {
    const { api, logged } = await shop((draft) => Object.assign(draft, { year: 1997 }))
    expectErrors(await post(api, { title: 'x' }), [{ status: 500 }])
    expect(logged()).toMatchObject([{ message: "The table 'albums' has no column for 'year'." }])
  })
})

// On SQLite no other writer runs between the check of linkage and the write.
test('on postgres, linkage to a row that was deleted meanwhile is reported at the identifier', async () => {
  const { api, rows } = await shopOn('postgres', () => rows('delete from labels'))
  const label = linked('labels', '1')
  expectErrors(await patch(api, '1', { relationships: { label } }), [missing('/data/relationships/label/data')])
  expectErrors(await post(api, { title: 'x' }, { artist: linked('artists', '1'), label }), [
    missing('/data/relationships/label/data'),
  ])
})

test('on postgres, members that were deleted meanwhile are reported at their identifiers', async () => {
  const { api } = await shopOn('postgres', undefined, (rows) => rows('delete from albums where id in (2, 4)'))
  const members = ['2', '3', '4'].map((key) => member(key, { position: 1 }))
  expectErrors(await addTo(api, ...members), [missing('/data/0'), missing('/data/2')])
})
