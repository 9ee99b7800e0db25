import type { WorkContext } from 'ashlar'
import type { DataSource, Persister } from 'ashlar/store'
import { belongsTo, createServer, defineResource, fail, hasMany, id, model } from 'ashlar'
import { storeConflict } from 'ashlar/store'
import { isStoreConflict } from 'ashlar'
import { expectErrors, type TestClient } from 'ashlar/testing'
import { describe, expect, test, vi } from 'vitest'
import { client, resourceBody } from '../support/client.js'
import { storedData } from '../support/stored-data.js'

interface AlbumRow {
  id: number
  title: string
  barcode: string | null
  slug: string | null
  artistId: number | null
  deletedAt: Date | null
}

interface ArtistRow {
  id: number
  name: string
  country: string
  code: string
}

const albumModel = model<AlbumRow>('albums')

const artists = defineResource('artists', {
  model: model<ArtistRow>('artists'),
  id: id(),
  attributes: (a) => ({
    name: a.string().unique({ with: ['country'], message: 'The country has one.' }),
    country: a.string(),
    code: a.string().unique(),
  }),
  relations: { albums: hasMany('albums').via('artistId') },
})

type Hooks = { readonly before?: (draft: Partial<AlbumRow>, context: WorkContext) => unknown }

const albumsWith = ({ before }: Hooks = {}, more: { persister?: (store: Persister) => Partial<Persister> } = {}) =>
  defineResource('albums', {
    model: albumModel,
    id: id().allowClientId(),
    attributes: (a) => ({
      title: a.string().unique({ with: ['artist'], message: 'The artist has one.' }),
      barcode: a.string().nullable().unique(),
      artistName: a.string().on('artist').storedAs('name'),
      artistCountry: a.string().on('artist').storedAs('country'),
      artistCode: a.string().on('artist').storedAs('code'),
    }),
    relations: { artist: belongsTo('artists') },
    softDeletes: true,
    hooks: {
      async beforeSave(draft, _creating, context) {
        await before?.(draft, context)
      },
    },
    ...(more.persister === undefined
      ? {}
      : { persister: (store: Persister) => ({ ...store, ...more.persister?.(store) }) }),
  })

const rows = () => ({
  artists: [
    { id: 1, name: 'Radiohead', country: 'gb', code: 'rh' },
    { id: 2, name: 'Björk', country: 'is', code: 'bj' },
    { id: 3, name: 'Björk', country: 'se', code: 'b3' },
  ],
  albums: [
    { id: 1, title: 'Live', barcode: '1', slug: null, artistId: 1, deletedAt: null },
    { id: 2, title: 'Live', barcode: '2', slug: null, artistId: 2, deletedAt: null },
    { id: 3, title: 'Debut', barcode: '3', slug: null, artistId: 2, deletedAt: null },
    // From before the rule.
    { id: 4, title: 'Old', barcode: '4', slug: null, artistId: 3, deletedAt: null },
    { id: 5, title: 'Old', barcode: '5', slug: null, artistId: 3, deletedAt: null },
  ],
})

function shop(...parameters: Parameters<typeof albumsWith>) {
  const error = vi.fn<(members: object, message: string) => void>()
  const server = createServer({
    resources: [albumsWith(...parameters), artists],
    data: storedData(rows()),
    logger: { error },
  })
  const logged = () => error.mock.calls.map(([members]) => (members as { err: unknown }).err)
  return { api: client(server), logged }
}

const artist = (key: string | null) => ({ artist: { data: key === null ? null : { type: 'artists', id: key } } })
const identifiers = (...keys: readonly string[]) => ({ data: keys.map((key) => ({ type: 'albums', id: key })) })
const patch = (api: TestClient, key: string, members: object) =>
  api.patch(`/albums/${key}`, { body: { data: { type: 'albums', id: key, ...members } } })
const artistOf = async (api: TestClient, key: string) =>
  ((await api.get(`/albums/${key}/relationships/artist`)).document as { data: { id: string } | null }).data?.id

const taken = (pointer: string, detail = 'This value is already taken.') => ({
  status: 422,
  code: 'VALIDATION_FAILED',
  pointer,
  detail,
})
const artistHas = (pointer: string) => taken(pointer, 'The artist has one.')

describe('a unique set of columns with a relation', () => {
  test('is reported at the linkage, if only that was sent', async () => {
    const { api } = shop()
    const body = { data: { type: 'artists', id: '2' } }
    expectErrors(await api.patch('/albums/1/relationships/artist', { body }), [artistHas('/data')])
    expectErrors(await patch(api, '1', { relationships: artist('2') }), [artistHas('/data/relationships/artist/data')])
    expect(await artistOf(api, '1')).toBe('1')
  })

  test('is reported at the attribute, if that was sent too', async () => {
    const { api } = shop()
    const sent = { attributes: { title: 'Debut' }, relationships: artist('2') }
    expectErrors(await patch(api, '1', sent), [artistHas('/data/attributes/title')])
    expectErrors(await patch(api, '2', { attributes: { title: 'Debut' } }), [artistHas('/data/attributes/title')])
  })

  test('applies from the other side of the relation, and is reported at the identifier', async () => {
    const { api } = shop()
    expectErrors(await api.post('/artists/2/relationships/albums', { body: identifiers('3', '1') }), [
      artistHas('/data/1'),
    ])
    expectErrors(await api.patch('/artists/2/relationships/albums', { body: identifiers('1', '2') }), [
      artistHas('/data/0'),
    ])
    expect(await artistOf(api, '1')).toBe('1')
  })

  test('is reported inside a document of the other side too, on create and on update', async () => {
    const { api } = shop()
    const relationships = { albums: identifiers('1', '2') }
    const body = { data: { type: 'artists', attributes: { name: 'Both', country: 'xx', code: 'bo' }, relationships } }
    const both = ['/data/relationships/albums/data/0', '/data/relationships/albums/data/1'].map(artistHas)
    expectErrors(await api.post('/artists', { body }), both)
    expectErrors(await api.patch('/artists/3', { body: { data: { ...body.data, id: '3' } } }), both)
    expect((await api.get('/artists')).resources).toHaveLength(3)
    expect(await artistOf(api, '1')).toBe('1')
  })

  test('is not violated by members that swap with others', async () => {
    const { api } = shop()
    expect((await api.patch('/artists/2/relationships/albums', { body: identifiers('1', '3') })).status).toBe(204)
    expect([await artistOf(api, '1'), await artistOf(api, '2')]).toEqual(['2', undefined])
  })
})

describe('existing duplicate rows', () => {
  test('may be changed in other columns, deleted and restored', async () => {
    const { api } = shop()
    expect((await patch(api, '4', { attributes: { barcode: '44' } })).status).toBe(200)
    expect((await patch(api, '4', { attributes: { title: 'Old', barcode: '45' } })).status).toBe(200)
    expect((await api.delete('/albums/4')).status).toBe(204)
    expect((await api.post('/albums/4/-actions/restore')).status).toBe(200)
  })

  test('are ignored if there are other errors', async () => {
    const { api } = shop()
    expectErrors(await patch(api, '4', { attributes: { title: 'Old', barcode: 5 } }), [
      { status: 422, pointer: '/data/attributes/barcode' },
    ])
  })
})

describe('flattened attributes of one row', () => {
  test('are reported each at its own pointer', async () => {
    const { api } = shop()
    const sent = { artistCode: 'b2', artistName: 'Radiohead', artistCountry: 'gb' }
    expectErrors(await patch(api, '2', { attributes: sent }), [
      taken('/data/attributes/artistName', 'The country has one.'),
    ])
    expectErrors(await patch(api, '2', { attributes: { artistCode: 'b2', artistCountry: 'se' } }), [
      taken('/data/attributes/artistCountry', 'The country has one.'),
    ])
    expectErrors(await patch(api, '2', { attributes: { artistCountry: 'se', artistCode: 'rh' } }), [
      taken('/data/attributes/artistCountry', 'The country has one.'),
      taken('/data/attributes/artistCode'),
    ])
  })

  test('are reported together with those of the row itself', async () => {
    const { api } = shop()
    const sent = { barcode: '1', artistCode: 'rh' }
    expectErrors(await patch(api, '2', { attributes: sent }), [
      taken('/data/attributes/barcode'),
      taken('/data/attributes/artistCode'),
    ])
  })
})

const firstOf = async <Result>(written: () => Result): Promise<Awaited<Result>> => {
  try {
    return await written()
  } catch (thrown) {
    throw isStoreConflict(thrown) && thrown.conflicts[0] !== undefined ? storeConflict(thrown.conflicts[0]) : thrown
  }
}

/** A store that names the first conflict that it meets, as databases do. */
const oneAtATime = (store: Persister): Partial<Persister> => {
  return {
    create: (...given) => firstOf(() => store.create(...given)),
    update: (...given) => firstOf(() => store.update(...given)),
  }
}

/** A store with only the rows of one type. */
const only = (name: string, source: DataSource): DataSource => ({
  ...source,
  name,
  provider: (type) => (type.type === name ? source.provider(type) : null),
  persister: (type) => (type.type === name ? source.persister(type) : null),
})

test('a unique set of columns applies if the two sides of a relation are in two stores', async () => {
  const { artists: stars, albums: discs } = rows()
  const data = [only('artists', storedData({ artists: stars })), only('albums', storedData({ albums: discs }))]
  const own = defineResource('albums', {
    model: albumModel,
    id: id(),
    attributes: (a) => ({ title: a.string().unique({ with: ['artist'] }) }),
    relations: { artist: belongsTo('artists') },
  })
  const api = client(createServer({ resources: [own, artists], data }))
  expectErrors(await api.post('/artists/2/relationships/albums', { body: identifiers('3', '1') }), [taken('/data/1')])
})

test('conflicts that a store did not report are read after the rollback', async () => {
  const { api } = shop({}, { persister: oneAtATime })
  const sent = { attributes: { title: 'Live', barcode: '3' }, relationships: artist('2') }
  const both = [artistHas('/data/attributes/title'), taken('/data/attributes/barcode')]
  expectErrors(await api.post('/albums', { body: { data: { type: 'albums', ...sent } } }), both)
  expectErrors(await patch(api, '1', sent), both)
  expect((await api.get('/albums')).resources).toHaveLength(5)
})

describe('a conflict that the body did not cause', () => {
  test('reaches the code that wrote the row, and is 500 and logged if that does not catch it', async () => {
    const { api, logged } = shop({
      before: (_draft, context) => context.rows('artists').create({ id: 9, name: 'x', country: 'y', code: 'rh' }),
    })
    expectErrors(await patch(api, '1', { attributes: { barcode: '10' } }), [{ status: 500 }])
    expect(logged()).toMatchObject([{ conflicts: [{ kind: 'unique', type: 'artists', columns: ['code'] }] }])
    expect((await api.get('/albums/1')).resource.attributes).toMatchObject({ barcode: '1' })
  })

  test('may be reported by that code', async () => {
    const { api } = shop({
      before: (_draft, context) =>
        context
          .rows('artists')
          .create({ id: 1 })
          .catch((thrown: unknown) => {
            if (isStoreConflict(thrown)) fail('VALIDATION_FAILED', { message: thrown.conflicts[0]?.kind ?? '' })
          }),
    })
    expectErrors(await patch(api, '1', { attributes: { barcode: '10' } }), [{ status: 422, detail: 'key' }])
  })

  test('is 500 if a user-defined persister wrote another row', async () => {
    const { api } = shop(
      {},
      {
        persister: (store) => ({
          async update(type, key, values, write) {
            await write.context.rows('artists').update(2, { code: 'rh' })
            return store.update(type, key, values, write)
          },
        }),
      },
    )
    expectErrors(await patch(api, '1', { attributes: { barcode: '10' } }), [{ status: 500 }])
  })

  test('is reported for the resource as a whole, if a hook has set the value', async () => {
    const { api } = shop({ before: (draft) => Object.assign(draft, { barcode: '2' }) })
    expectErrors(await patch(api, '1', { attributes: { title: 'x' } }), [taken('/data')])
  })

  test('is reported for the resource as a whole, if the columns are not declared', async () => {
    const { api } = shop(
      {},
      {
        persister: () => ({
          create({ type }) {
            throw storeConflict({ kind: 'unique', type, columns: ['slug'] })
          },
        }),
      },
    )
    expectErrors(await api.post('/albums', { body: resourceBody('albums', { title: 'x' }) }), [taken('/data')])
  })
})

const post = (api: TestClient, key?: string) => api.post('/albums', { body: resourceBody('albums', {}, key) })

describe('a duplicate key', () => {
  test('is 409 if the client chose it', async () => {
    expectErrors(await post(shop().api, '1'), [
      { status: 409, code: 'CLIENT_GENERATED_ID_ALREADY_EXISTS', pointer: '/data/id' },
    ])
  })

  test('is 500 if a hook chose it', async () => {
    const { api } = shop({ before: (draft) => Object.assign(draft, { id: 2 }) })
    expectErrors(await post(api, '77'), [{ status: 500 }])
    expectErrors(await post(api), [{ status: 500 }])
    expectErrors(await patch(api, '1', { attributes: { barcode: '10' } }), [{ status: 500 }])
  })
})

const refusing = (kind: 'inUse' | 'unique' | 'key') => {
  const refuse = ({ type }: { readonly type: string }): never => {
    if (kind === 'inUse') throw storeConflict({ kind, type })
    throw storeConflict(kind === 'key' ? { kind, type, key: 1 } : { kind, type, columns: ['title'] })
  }
  return shop({}, { persister: () => ({ update: refuse, delete: refuse }) }).api
}

describe('a store that refuses a write without a body', () => {
  const nowhere = { status: 422, code: 'VALIDATION_FAILED', pointer: null }

  test('is reported without a pointer for a delete', async () => {
    expectErrors(await refusing('unique').delete('/albums/1'), [nowhere])
    expectErrors(await refusing('inUse').delete('/albums/1'), [{ status: 409, code: 'RESOURCE_IN_USE' }])
    expectErrors(await refusing('key').delete('/albums/1'), [{ status: 500 }])
  })

  test('and for a restore, or a permanent delete', async () => {
    const data = rows()
    const trashed = { ...data, albums: data.albums.map((row) => ({ ...row, deletedAt: new Date() })) }
    const albums = albumsWith(
      {},
      {
        persister: () => ({
          update({ type }) {
            throw storeConflict({ kind: 'unique', type, columns: ['title'] })
          },
          delete({ type }) {
            throw storeConflict({ kind: 'inUse', type })
          },
        }),
      },
    )
    const api = client(createServer({ resources: [albums, artists], data: storedData(trashed) }))
    expectErrors(await api.post('/albums/1/-actions/restore'), [nowhere])
    expectErrors(await api.post('/albums/1/-actions/force-delete'), [{ status: 409, code: 'RESOURCE_IN_USE' }])
  })

  test('is an error of the application if a row is in use that is not deleted', async () => {
    expectErrors(await patch(refusing('inUse'), '1', { attributes: { barcode: '10' } }), [{ status: 500 }])
  })
})

test('a persister may throw its own error for the client', async () => {
  const { api } = shop(
    {},
    {
      persister: () => ({
        update: () =>
          fail('VALIDATION_FAILED', { message: 'No.' }, { source: { pointer: '/data/attributes/barcode' } }),
      }),
    },
  )
  expectErrors(await patch(api, '1', { attributes: { barcode: '10' } }), [
    { status: 422, pointer: '/data/attributes/barcode', detail: 'No.' },
  ])
})

test('rows of user-defined code get keys like new resources', async () => {
  const made = ['k1', 'k2']
  const labels = defineResource('labels', {
    model: model<{ id: string; name: string }>('labels'),
    id: id().generateUsing(() => made.shift()),
    attributes: (a) => ({ name: a.string() }),
    hooks: {
      async beforeCreate(_draft, context) {
        const copies = context.rows<{ id: string; name: string }>('labels')
        await copies.create({ name: 'made' })
        await copies.create({ id: 'own', name: 'brought' })
      },
    },
  })
  const api = client(createServer({ resources: [labels], data: storedData() }))
  await api.post('/labels', { body: resourceBody('labels', { name: 'sent' }) })
  const found = (await api.get('/labels')).resources.map(({ id: key, attributes }) => [key, attributes?.['name']])
  expect(Object.fromEntries(found)).toEqual({ k1: 'sent', k2: 'made', own: 'brought' })
})
