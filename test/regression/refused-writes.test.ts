import type { Conflict, Persister } from 'ashlar/store'
import { belongsTo, belongsToMany, createServer, defineResource, defineType, hasMany, id, model } from 'ashlar'
import { storeConflict } from 'ashlar/store'
import { memoryData } from 'ashlar/memory'
import { expectErrors } from 'ashlar/testing'
import { describe, expect, test, vi } from 'vitest'
import { client, resourceBody } from '../support/client.js'

interface AlbumRow {
  id: number
  title: string | null
  wide: number | null
  high: number | null
  labelId: number | null
  artistId: number | null
  deletedAt: Date | null
}

interface ArtistRow {
  id: number
  name: string | null
}

type Refused = Exclude<Conflict['kind'], 'unique' | 'key' | 'inUse'>

/** A store that refuses every write of albums, and of members of relations. */
function shop(kind: Refused, columns: readonly string[], of: { type?: string; key?: unknown } = {}) {
  const refuse = (): never => {
    const details = { type: 'albums', columns, ...of }
    throw storeConflict(kind === 'check' ? { kind, ...details, name: 'albums_check' } : { kind, ...details })
  }
  const refusing = (store: Persister): Persister => ({
    ...store,
    create: refuse,
    update: refuse,
    delete: refuse,
    mutateRelationship: refuse,
  })
  const albums = defineResource('albums', {
    model: model<AlbumRow>('albums'),
    id: id().allowClientId(),
    attributes: (a) => ({
      title: a.string().nullable(),
      cover: a
        .map()
        .nullable()
        .fields({ wide: a.integer().nullable(), tall: a.integer().nullable().storedAs('high') }),
    }),
    relations: { artist: belongsTo('artists').nullable(), label: belongsTo('labels').nullable() },
    softDeletes: true,
    persister: refusing,
  })
  const artists = defineResource('artists', {
    model: model<ArtistRow>('artists'),
    id: id(),
    attributes: (a) => ({ name: a.string().nullable() }),
    relations: {
      albums: hasMany('albums').via('artistId'),
      listed: belongsToMany('albums')
        .through('listings', { owner: 'artist', member: 'album' })
        .fields((a) => ({ position: a.integer().nullable().storedAs('place') })),
    },
    persister: (store) => ({ ...store, mutateRelationship: refuse }),
  })
  // Labels cannot be read: only the store of albums knows whether one exists.
  const labels = defineType('labels', { fields: () => ({ id: id() }) })
  const row = { title: 'x', wide: null, high: null, labelId: null, artistId: null }
  const error = vi.fn<(members: object, message: string) => void>()
  const data = memoryData({
    albums: [
      { id: 1, ...row, deletedAt: null },
      { id: 2, ...row, deletedAt: new Date() },
    ],
    artists: [{ id: 1, name: 'Radiohead' }],
  })
  const api = client(createServer({ resources: [albums, artists, labels], data, logger: { error } }))
  return { api, logged: () => error.mock.calls.length }
}

const post = ({ api }: ReturnType<typeof shop>, members: object = {}) =>
  api.post('/albums', { body: { data: { type: 'albums', ...members } } })
const members = { data: [{ type: 'albums', id: '1' }] }
const violation = (pointer: string | null) => ({ status: 422, code: 'VALIDATION_FAILED', pointer })
const attributes = { title: 'y' }

const at = async (path: string, ...given: Parameters<typeof shop>) => shop(...given).api.post(path, { body: members })

describe('a column without a value', () => {
  test('is reported at the member that could have had the value, children of maps included', async () => {
    expectErrors(await post(shop('null', ['title'])), [violation('/data/attributes/title')])
    expectErrors(await post(shop('null', ['high'])), [violation('/data/attributes/cover/tall')])
    const cover = { tall: null }
    expectErrors(await post(shop('null', ['high']), { attributes: { cover } }), [
      violation('/data/attributes/cover/tall'),
    ])
    expectErrors(await post(shop('null', ['artistId'])), [violation('/data/relationships/artist')])
  })

  test('is an error of the application if the body has a value, or cannot have one', async () => {
    expectErrors(await post(shop('null', ['title']), { attributes }), [{ status: 500 }])
    expectErrors(await post(shop('null', ['deletedAt'])), [{ status: 500 }])
    expectErrors(await post(shop('null', ['title'], { type: 'artists' })), [{ status: 500 }])
  })
})

describe('a check of the store', () => {
  test('is reported at the one attribute that was sent, else at the resource', async () => {
    expectErrors(await post(shop('check', ['title']), { attributes }), [violation('/data/attributes/title')])
    expectErrors(await post(shop('check', ['title', 'wide']), { attributes }), [violation('/data')])
    expectErrors(await post(shop('check', []), { attributes }), [violation('/data')])
    expectErrors(await post(shop('check', ['deletedAt']), { attributes }), [violation('/data')])
  })

  test('is reported without a pointer if no body has the value', async () => {
    const { api } = shop('check', ['deletedAt'])
    expectErrors(await api.delete('/albums/1'), [violation(null)])
    expectErrors(await api.post('/albums/2/-actions/restore'), [violation(null)])
    expectErrors(await shop('null', ['deletedAt']).api.delete('/albums/1'), [{ status: 500 }])
  })

  test('never shows its constraint name', async () => {
    const { document } = await post(shop('check', ['title']), { attributes })
    expect(JSON.stringify(document)).not.toContain('albums_check')
  })
})

describe('a value that cannot be stored', () => {
  test('is reported at its attribute, at the id, or at the resource', async () => {
    expectErrors(await post(shop('value', ['title']), { attributes }), [violation('/data/attributes/title')])
    expectErrors(await post(shop('value', []), { attributes }), [violation('/data')])
    const body = resourceBody('albums', {}, 'abc')
    expectErrors(await shop('value', ['id']).api.post('/albums', { body }), [violation('/data/id')])
    expectErrors(await post(shop('value', ['id'])), [{ status: 500 }])
  })
})

describe('a missing row', () => {
  const label = { data: { type: 'labels', id: '9' } }

  test('is reported at the identifier, if only the store can find out', async () => {
    const missing = { status: 404, code: 'RELATED_RESOURCE_NOT_FOUND' }
    expectErrors(await post(shop('reference', ['labelId']), { relationships: { label } }), [
      { ...missing, pointer: '/data/relationships/label/data' },
    ])
    expectErrors(await shop('reference', ['labelId']).api.patch('/albums/1/relationships/label', { body: label }), [
      { ...missing, pointer: '/data' },
    ])
  })

  test('is an error of the application if all that the body names exists, or it names nothing', async () => {
    const artist = { data: { type: 'artists', id: '1' } }
    const refused = shop('reference', ['artistId'])
    expectErrors(await post(refused, { relationships: { artist } }), [{ status: 500 }])
    expectErrors(await post(refused), [{ status: 500 }])
    expect(refused.logged()).toBe(2)
    const path = '/artists/1/relationships/albums'
    expectErrors(await shop('reference', ['artistId']).api.post(path, { body: members }), [{ status: 500 }])
  })
})

describe('a member of a relation', () => {
  const listed = '/artists/1/relationships/listed'
  test('is reported at the field of its join row, at its identifier, or at the linkage', async () => {
    const which = { key: 1 }
    expectErrors(await at(listed, 'null', ['place'], which), [violation('/data/0/meta/pivot/position')])
    expectErrors(await at(listed, 'check', ['place'], which), [violation('/data/0/meta/pivot/position')])
    expectErrors(await at(listed, 'check', ['place', 'album'], which), [violation('/data/0')])
    expectErrors(await at(listed, 'check', ['place']), [violation('/data')])
    expectErrors(await at(listed, 'value', [], which), [violation('/data/0')])
  })

  test('is an error of the application if no field caused it', async () => {
    expectErrors(await at(listed, 'null', ['other'], { key: 1 }), [{ status: 500 }])
    expectErrors(await at(listed, 'check', ['place'], { type: 'jobs' }), [{ status: 500 }])
  })

  test('that needs an owner is reported at the linkage', async () => {
    expectErrors(await at('/artists/1/relationships/albums', 'null', ['artistId']), [violation('/data')])
  })
})
