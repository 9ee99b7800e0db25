import { atomic, belongsTo, createServer, defineResource, hasMany, id, model, noContent } from 'ashlar'
import type { IdDeclaration } from '../../src/declare/resource/fields/id-declaration.js'
import type { DataSource } from 'ashlar/store'
import { expectErrors } from 'ashlar/testing'
import { describe, expect, test } from 'vitest'
import { type LinkedMusic, linkedMusic } from '../support/linked-music.js'
import { shown } from '../support/shown.js'
import { storedData } from '../support/stored-data.js'
import { add, batchClient, type BatchClient, idsOf, linked, remove } from './batch-client.js'

function shop(settings: LinkedMusic = {}): BatchClient {
  return batchClient(linkedMusic({ extensions: [atomic()], ...settings }))
}

const lid = (type: string, name: string) => ({ type, lid: name })
const named = (type: string, name: string, relationships?: object) =>
  add(type, { title: name }, { lid: name, ...(relationships && { relationships }) })
const members = async (api: BatchClient, path: string) => shown((await api.get(path)).document?.data)

describe('a local id refers to the resource that an earlier operation adds', () => {
  test('in the ref of an update and of a removal', async () => {
    const api = shop()
    const results = await api.results([
      named('albums', 'a'),
      { op: 'update', ref: lid('albums', 'a'), data: { ...lid('albums', 'a'), attributes: { title: 'Renamed' } } },
      named('albums', 'b'),
      { op: 'remove', ref: lid('albums', 'b') },
    ])
    expect(idsOf(results)).toEqual(['5', '5', '6', null])
    expect((await api.get('/albums/5')).resource).toMatchObject({ attributes: { title: 'Renamed' } })
    expectErrors(await api.get('/albums/6'), [{ status: 404 }])
  })

  test('in the data of an update without a ref', async () => {
    const [, updated] = await shop().results([
      named('albums', 'a'),
      { op: 'update', data: { ...lid('albums', 'a'), attributes: { title: 'Renamed' } } },
    ])
    expect(updated).toMatchObject({ data: { id: '5', attributes: { title: 'Renamed' } } })
    expect(updated?.data).not.toHaveProperty('lid')
  })

  test('in the linkage of a resource: by its own key, by keys of others, by join rows, of several types', async () => {
    const api = shop()
    const results = await api.results([
      named('artists', 'band'),
      named('tracks', 'one'),
      named('tracks', 'two'),
      named('albums', 'record', {
        artist: linked(lid('artists', 'band')),
        tracks: linked([lid('tracks', 'one'), { type: 'tracks', id: '4' }, lid('tracks', 'two')]),
      }),
      named('playlists', 'list', {
        dedicatedTo: linked(lid('albums', 'record')),
        items: linked([lid('albums', 'record'), lid('artists', 'band')]),
        tracks: linked([lid('tracks', 'two')]),
      }),
    ])
    expect(idsOf(results)).toEqual(['4', '5', '6', '5', '3'])
    expect(await members(api, '/albums/5/relationships/artist')).toEqual(['artists 4'])
    expect(await members(api, '/albums/5/relationships/tracks')).toEqual(['tracks 4', 'tracks 5', 'tracks 6'])
    expect(await members(api, '/playlists/3/relationships/dedicatedTo')).toEqual(['albums 5'])
    expect(await members(api, '/playlists/3/relationships/items')).toEqual(['artists 4', 'albums 5'])
    expect(await members(api, '/playlists/3/relationships/tracks')).toEqual(['tracks 6'])
  })

  test('in the linkage of an update', async () => {
    const api = shop()
    await api.results([
      named('artists', 'band'),
      { op: 'update', data: { type: 'albums', id: '1', relationships: { artist: linked(lid('artists', 'band')) } } },
    ])
    expect(await members(api, '/albums/1/relationships/artist')).toEqual(['artists 4'])
  })

  test('in the data of relationships, and in their ref', async () => {
    const ref = (relationship: string) => ({ ...lid('albums', 'record'), relationship })
    const results = await shop().results([
      named('artists', 'band'),
      named('albums', 'record'),
      named('tracks', 'one'),
      { op: 'update', ref: ref('artist'), data: lid('artists', 'band') },
      { op: 'update', ref: ref('tracks'), data: [lid('tracks', 'one'), { type: 'tracks', id: '1' }] },
      { op: 'remove', ref: ref('tracks'), data: [lid('tracks', 'one')] },
      { op: 'add', ref: ref('tracks'), data: [lid('tracks', 'one')] },
      { op: 'add', href: '/albums/1/relationships/tracks', data: [lid('tracks', 'one')] },
      { op: 'update', href: '/albums/1/relationships/artist', data: lid('artists', 'band') },
    ])
    expect(results.slice(3).map(({ data }) => shown(data))).toEqual([
      ['artists 4'],
      ['tracks 1', 'tracks 5'],
      ['tracks 1'],
      ['tracks 1', 'tracks 5'],
      ['tracks 2', 'tracks 5'],
      ['artists 4'],
    ])
  })

  test('with the values of join rows', async () => {
    const api = shop()
    const pivot = { position: 7, weight: 9 }
    const [, , , linkage] = await api.results([
      named('tracks', 'one'),
      add(
        'playlists',
        { title: 'x' },
        {
          lid: 'list',
          relationships: { orderedTracks: linked([{ ...lid('tracks', 'one'), meta: { pivot } }]) },
        },
      ),
      named('tracks', 'two'),
      {
        op: 'add',
        ref: { ...lid('playlists', 'list'), relationship: 'orderedTracks' },
        data: [{ ...lid('tracks', 'two'), meta: { pivot: { position: 8 } } }],
      },
    ])
    expect(linkage?.data).toMatchObject([
      { type: 'tracks', id: '5', meta: { pivot } },
      { type: 'tracks', id: '6', meta: { pivot: { position: 8, weight: null } } },
    ])
    expect(await members(api, '/playlists/3/relationships/orderedTracks')).toEqual(['tracks 5', 'tracks 6'])
  })

  test('only within its type', async () => {
    const api = shop()
    const results = await api.results([
      named('artists', 'x'),
      named('albums', 'x', { artist: linked(lid('artists', 'x')) }),
      named('tracks', 'x', { album: linked(lid('albums', 'x')) }),
    ])
    expect(idsOf(results)).toEqual(['4', '5', '5'])
    expect(await members(api, '/tracks/5/relationships/album')).toEqual(['albums 5'])
    expect(await members(api, '/albums/5/relationships/artist')).toEqual(['artists 4'])
  })

  test('with any characters', async () => {
    const names = ['__proto__', 'constructor', 'a\nb', ' ', '\u{1F3B5}', '5']
    const results = await shop().results([
      ...names.map((name) => named('albums', name)),
      ...names.map((name) => ({ op: 'update', data: { ...lid('albums', name), attributes: { title: 'x' } } })),
    ])
    const ids = idsOf(results)
    expect(new Set(ids).size).toBe(names.length)
    expect(ids.slice(names.length)).toEqual(ids.slice(0, names.length))
  })

  test('also after the resource is removed, which is then not found', async () => {
    expectErrors(
      await shop().batch([
        named('albums', 'a'),
        { op: 'remove', ref: lid('albums', 'a') },
        { op: 'update', data: lid('albums', 'a') },
      ]),
      [{ status: 404, code: 'RESOURCE_NOT_FOUND', pointer: '/atomic:operations/2' }],
    )
  })
})

const missing = (index: number, rest: string) => ({
  status: 400,
  code: 'LOCAL_ID_NOT_FOUND',
  pointer: `/atomic:operations/${index}${rest}`,
})

describe('an unknown local id', () => {
  test('is reported with its pointer, at each position', async () => {
    const ref = { ...lid('albums', 'a'), relationship: 'tracks' }
    const relationships = { artist: linked(lid('artists', 'a')), tracks: linked([lid('tracks', 'a')]) }
    const response = await shop().batch([
      { op: 'remove', ref: lid('albums', 'a') },
      { op: 'update', data: lid('albums', 'a') },
      { op: 'add', ref, data: [lid('tracks', 'a'), { type: 'tracks', id: '1' }, lid('tracks', 'b')] },
      add('albums', {}, { relationships }),
    ])
    expectErrors(response, [
      missing(0, '/ref/lid'),
      missing(1, '/data/lid'),
      missing(2, '/ref/lid'),
      missing(2, '/data/0/lid'),
      missing(2, '/data/2/lid'),
      missing(3, '/data/relationships/artist/data/lid'),
      missing(3, '/data/relationships/tracks/data/0/lid'),
    ])
  })

  test('may be defined by a later operation, by the operation itself, or for another type', async () => {
    const response = await shop().batch([
      { op: 'remove', ref: lid('albums', 'later') },
      named('albums', 'later'),
      named('playlists', 'self', { dedicatedTo: linked(lid('playlists', 'self')) }),
      { op: 'remove', ref: lid('artists', 'later') },
    ])
    expectErrors(response, [
      missing(0, '/ref/lid'),
      missing(2, '/data/relationships/dedicatedTo/data/lid'),
      missing(3, '/ref/lid'),
    ])
  })

  test('may be the one of an update or of a relationship operation', async () => {
    const response = await shop().batch([
      { op: 'update', data: { type: 'albums', id: '1', lid: 'a' } },
      { op: 'remove', ref: lid('albums', 'a') },
    ])
    expect(response.status).toBe(400)
    expect(response.errors.map(({ code }) => code)).toContain('LOCAL_ID_NOT_FOUND')
  })

  test('may be the one of an earlier batch', async () => {
    const api = shop()
    await api.results([named('albums', 'a')])
    expectErrors(await api.batch([{ op: 'remove', ref: lid('albums', 'a') }]), [missing(0, '/ref/lid')])
  })
})

describe('a local id must be unique', () => {
  test('within a type', async () => {
    const again = [named('albums', 'a'), named('artists', 'a'), named('albums', 'a'), named('albums', 'a')]
    expectErrors(
      await shop().batch(again),
      [2, 3].map((index) => ({
        status: 400,
        code: 'LOCAL_ID_CONFLICT',
        pointer: `/atomic:operations/${index}/data/lid`,
      })),
    )
  })

  test('and must not be empty', async () => {
    const results = await shop().results([
      add('albums', { title: 'a' }, { lid: '' }),
      add('albums', { title: 'b' }, { lid: '' }),
      { op: 'update', ref: { type: 'albums', id: '5', lid: '' }, data: { type: 'albums', id: '5', lid: '' } },
    ])
    expect(idsOf(results)).toEqual(['5', '6', '5'])
  })
})

describe('if an operation fails, the pointer refers to the local id', () => {
  test('where it would refer to the id', async () => {
    const data = { ...lid('albums', 'a'), attributes: { title: 'x' } }
    expectErrors(await shop().batch([named('albums', 'a'), { op: 'update', ref: { type: 'albums', id: '1' }, data }]), [
      { status: 409, pointer: '/atomic:operations/1/data/lid' },
    ])
  })

  test('as a member if the resource is gone', async () => {
    const upTo = (last: object) => [named('artists', 'a'), { op: 'remove', ref: lid('artists', 'a') }, last]
    const relationships = { artist: linked(lid('artists', 'a')) }
    expectErrors(await shop().batch(upTo(add('albums', {}, { relationships }))), [
      { status: 404, pointer: '/atomic:operations/2/data/relationships/artist/data' },
    ])
    const ref = { type: 'playlists', id: '1', relationship: 'items' }
    const data = [{ type: 'albums', id: '1' }, lid('artists', 'a'), { type: 'albums', id: '99' }]
    expectErrors(await shop().batch(upTo({ op: 'add', ref, data })), [
      { status: 404, pointer: '/atomic:operations/2/data/1' },
      { status: 404, pointer: '/atomic:operations/2/data/2' },
    ])
  })

  test('or to the type if that is wrong', async () => {
    const relationships = { artist: linked(lid('albums', 'x')) }
    expectErrors(await shop().batch([named('albums', 'x'), add('albums', {}, { relationships })]), [
      { status: 409, pointer: '/atomic:operations/1/data/relationships/artist/data/type' },
    ])
  })
})

describe('ids from every source', () => {
  interface Row {
    id: string | number
    title: string
    parentId: string | number | null
  }

  function things(ids: IdDeclaration, others: object = {}, data: DataSource = storedData()): BatchClient {
    const resource = defineResource('things', {
      model: model<Row>('things'),
      id: ids,
      attributes: (a) => ({ title: a.string() }),
      relations: { parent: belongsTo('things'), children: hasMany('things').via('parentId') },
      ...others,
    })
    return batchClient(createServer({ resources: [resource] as never, data, extensions: [atomic()] }))
  }

  const codec = {
    encode: (key: number) => `t-${key.toString(36)}`,
    decode: (text: string) => (/^t-[0-9a-z]+$/.test(text) ? Number.parseInt(text.slice(2), 36) : null),
  }
  const family = [
    named('things', 'parent'),
    named('things', 'child', { parent: linked(lid('things', 'parent')) }),
    { op: 'update', ref: { ...lid('things', 'parent'), relationship: 'children' }, data: [lid('things', 'child')] },
  ]

  test.each<[string, () => IdDeclaration, RegExp]>([
    ['numbers of the store', () => id(), /^\d+$/],
    ['encoded', () => id().encodeUsing(codec), /^t-[0-9a-z]+$/],
    ['UUIDs of the store', () => id().uuid(), /^[0-9a-f-]{36}$/],
    ['UUIDs of the service', () => id().uuid().generated(), /^[0-9a-f-]{36}$/],
    ['ULIDs of the service', () => id().ulid().generated(), /^[0-9A-Z]{26}$/],
  ])('%s are known to later operations', async (_name, ids, form) => {
    const api = things(ids())
    const [parent, child, children] = await api.results(family)
    const [first, second] = idsOf([parent ?? {}, child ?? {}])
    expect([first, second]).toEqual([expect.stringMatching(form), expect.stringMatching(form)])
    expect(children).toEqual({ data: [{ type: 'things', id: second }] })
    expect((await api.get(`/things/${second}/relationships/parent`)).document?.data).toEqual({
      type: 'things',
      id: first,
    })
  })

  test('of the client may be sent with a local id', async () => {
    const api = things(id().allowClientId(), {}, storedData({ things: [{ id: 1, title: 'x', parentId: null }] }))
    const results = await api.results([
      add('things', { title: 'a' }, { id: '70', lid: 'a' }),
      add('things', {}, { relationships: { parent: linked(lid('things', 'a')) } }),
      { op: 'update', data: { type: 'things', id: '70', attributes: { title: 'b' } } },
    ])
    expect(results[0]).toMatchObject({ data: { id: '70' } })
    expect(await members(api, '/things/70/relationships/children')).toEqual([`things ${idsOf(results)[1]}`])
  })

  test.each<[string, object]>([
    ['alone', {}],
    ['if hooks run for each', { hooks: { beforeSave: () => undefined } }],
  ])('are known although the result is empty, %s', async (_name, others) => {
    const api = things(id(), { create: noContent(), ...others })
    const response = await api.batch([named('things', 'a'), named('things', 'b')])
    expect([response.status, response.text]).toEqual([204, ''])
    const [parent, child, children] = await api.results(family)
    expect([parent, child]).toEqual([{}, {}])
    expect(shown(children?.data)).toEqual(['things 4'])
    expect(await members(api, '/things/4/relationships/parent')).toEqual(['things 3'])
  })

  test('that a batch generates are the same as in a batch after a failure', async () => {
    const api = things(id())
    const failing = await api.batch([...family, remove('things', '99')])
    expect(failing.status).toBe(404)
    const [parent, , children] = await api.results(family)
    expect(children).toMatchObject({ data: [{ type: 'things' }] })
    expect((await api.get('/things')).resources).toHaveLength(2)
    expect(idsOf([parent ?? {}])).toHaveLength(1)
  })
})
