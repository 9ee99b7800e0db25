import {
  accepted,
  reply,
  belongsTo,
  createServer,
  defineResource,
  hasMany,
  id,
  model,
  ok,
  type ResourceHooks,
  type ResourceMetadata,
} from 'ashlar'
import { expectErrors, type TestClient, type TestResponse } from 'ashlar/testing'
import { describe, expect } from 'vitest'
import { catalogueWorld } from '../../support/catalogue-world.js'
import { exemptFromDescription } from '../../support/described-exchange.js'
import { client } from '../../support/client.js'
import { shown } from '../../support/shown.js'
import { storedData } from '../../support/stored-data.js'
import { statement } from './statement.js'

/** https://jsonapi.org/format/1.1/#crud-updating-relationships */

const artist = (known: string) => ({ type: 'artists', id: known })
const track = (known: string) => ({ type: 'tracks', id: known })
/** Requests the resulting linkage. */
const linkage = (data: unknown) => ({ body: { data }, headers: { Prefer: 'return=representation' } })

const roadTrip = '/playlists/b0c7e3a4-6a59-4e64-8f0e-0f4f5e6a7b8c'
const toOne = '/albums/1/relationships/artist'
const toMany = `${roadTrip}/relationships/tracks`
const members = ({ document }: TestResponse) => shown(document?.data).toSorted()

interface AlbumRow {
  id: number
  artistId: number | null
}

/** Albums by artists, with user-defined settings; the first two albums are by the first artist. */
function albumsWith(choices: ResourceMetadata & { readonly hooks?: ResourceHooks<AlbumRow> }): TestClient {
  const albums = defineResource('albums', {
    model: model<AlbumRow>('albums'),
    id: id(),
    relations: { artist: belongsTo('artists') },
    ...choices,
  })
  const artists = defineResource('artists', {
    model: model<{ id: number }>('artists'),
    id: id(),
    relations: {
      albums: hasMany('albums').via('artistId'),
      fixed: hasMany('albums').via('artistId').readOnly(),
      locked: hasMany('albums').via('artistId').cannotAdd().cannotRemove().cannotReplace(),
    },
  })
  const jobs = defineResource('jobs', {
    model: model<{ id: number; status: string }>('jobs'),
    id: id(),
    attributes: (a) => ({ status: a.string() }),
  })
  const data = storedData({
    artists: [{ id: 1 }, { id: 2 }],
    albums: [
      { id: 1, artistId: 1 },
      { id: 2, artistId: 1 },
      { id: 3, artistId: null },
    ],
  })
  return client(createServer({ resources: [albums, artists, jobs], data }))
}

const album = (known: string) => ({ type: 'albums', id: known })

describe('a to-one relationship', () => {
  statement(
    ['respond-patch-to-one-relationship-link', 'patch-to-one-response'],
    'a PATCH of its URL replaces or clears a to-one relationship',
    async () => {
      const { api } = catalogueWorld()
      const { resource } = await api.get('/albums/1')
      expect(resource.relationships?.['artist']?.links?.['self']).toBe(`http://localhost${toOne}`)
      const replaced = await api.patch(toOne, linkage(artist('2')))
      expect([replaced.status, replaced.document?.data]).toEqual([200, artist('2')])
      expect((await api.get('/albums/1/artist')).resource).toMatchObject(artist('2'))
      const cleared = await api.patch(toOne, linkage(null))
      expect([cleared.status, cleared.document?.data]).toEqual([200, null])
      expect((await api.get('/albums/1/artist')).document?.data).toBeNull()
    },
  )

  statement(
    'patch-to-one-data-member',
    'the data for a to-one relationship is an identifier or null; anything else is 400',
    async () => {
      const { api, rows } = catalogueWorld()
      const before = await rows()
      for (const body of [{}, { meta: {} }]) {
        expectErrors(await api.patch(toOne, { body }), [{ status: 400, code: 'DATA_MEMBER_MISSING' }])
      }
      expectErrors(await api.patch(toOne), [{ status: 400, code: 'DATA_MEMBER_MISSING' }])
      for (const data of [[], [artist('2')]]) {
        expectErrors(await api.patch(toOne, linkage(data)), [
          { status: 400, code: 'RELATIONSHIP_TYPE_INAPPROPRIATE', pointer: '/data' },
        ])
      }
      for (const [data, code, pointer] of [
        ['2', 'REQUEST_BODY_INVALID_JSON_API', '/data'],
        [{ id: '2' }, 'RESOURCE_IDENTIFIER_TYPE_MISSING', '/data'],
        [{ type: 7, id: '2' }, 'RESOURCE_IDENTIFIER_TYPE_INVALID', '/data/type'],
        [{ type: 'artists' }, 'RESOURCE_IDENTIFIER_ID_MISSING', '/data'],
        [{ type: 'artists', id: 2 }, 'RESOURCE_IDENTIFIER_ID_INVALID', '/data/id'],
        [{ type: 'artists', lid: 'new' }, 'LOCAL_ID_NOT_SUPPORTED', '/data/lid'],
        [{ type: 'artists', lid: 7 }, 'RESOURCE_IDENTIFIER_LID_INVALID', '/data/lid'],
      ] as const) {
        expectErrors(await api.patch(toOne, linkage(data)), [{ status: 400, code, pointer }])
      }
      expect(await rows()).toEqual(before)
    },
  )
})

describe('a to-many relationship', () => {
  statement(
    'respond-patch-post-delete-to-many-relationship-link',
    'PATCH, POST and DELETE of its URL replace, add and remove members of a to-many relationship',
    async () => {
      const { api } = catalogueWorld()
      const { resource } = await api.get(roadTrip)
      expect(resource.relationships?.['tracks']?.links?.['self']).toBe(`http://localhost${toMany}`)
      expect(members(await api.patch(toMany, linkage([track('2')])))).toEqual(['tracks 2'])
      expect(members(await api.post(toMany, linkage([track('4')])))).toEqual(['tracks 2', 'tracks 4'])
      expect(members(await api.delete(toMany, linkage([track('2')])))).toEqual(['tracks 4'])
      expect(members(await api.get(toMany))).toEqual(['tracks 4'])
    },
  )

  statement(
    'patch-post-delete-to-many-data-member',
    'the data for a to-many relationship is a list of identifiers; anything else is 400',
    async () => {
      const { api, rows } = catalogueWorld()
      const before = await rows()
      for (const method of ['PATCH', 'POST', 'DELETE']) {
        expectErrors(await api.request(method, toMany), [{ status: 400, code: 'DATA_MEMBER_MISSING' }])
        expectErrors(await api.request(method, toMany, { body: {} }), [{ status: 400, code: 'DATA_MEMBER_MISSING' }])
        for (const data of [null, track('1'), 'tracks']) {
          expectErrors(await api.request(method, toMany, linkage(data)), [
            { status: 400, code: 'RELATIONSHIP_TYPE_INAPPROPRIATE', pointer: '/data' },
          ])
        }
        expectErrors(await api.request(method, toMany, linkage([track('1'), {}, 'x'])), [
          { status: 400, code: 'RESOURCE_IDENTIFIER_TYPE_MISSING', pointer: '/data/1' },
          { status: 400, code: 'RESOURCE_IDENTIFIER_ID_MISSING', pointer: '/data/1' },
          { status: 400, code: 'REQUEST_BODY_INVALID_JSON_API', pointer: '/data/2' },
        ])
      }
      expect(await rows()).toEqual(before)
      expect((await api.post(toMany, linkage([]))).status).toBe(200)
      expect((await api.delete(toMany, linkage([]))).status).toBe(200)
      expect(await rows()).toEqual(before)
    },
  )

  statement(
    'patch-to-many-complete-replace',
    'a to-many relationship is replaced completely, or the change is refused completely',
    async () => {
      const { api, rows } = catalogueWorld()
      expect(members(await api.patch(toMany, linkage([track('4'), track('1')])))).toEqual(['tracks 1', 'tracks 4'])
      expect(members(await api.get(toMany))).toEqual(['tracks 1', 'tracks 4'])
      const before = await rows()
      expectErrors(await api.patch(toMany, linkage([track('2'), track('99')])), [
        { status: 404, code: 'RELATED_RESOURCE_NOT_FOUND', pointer: '/data/1' },
      ])
      const playlists = [{ type: 'playlists', id: roadTrip.slice('/playlists/'.length) }]
      expectErrors(await api.patch('/tracks/2/relationships/playlists', linkage(playlists)), [
        { status: 403, code: 'FULL_REPLACEMENT_PROHIBITED', pointer: '/data' },
      ])
      expect(await rows()).toEqual(before)
      expect((await api.patch(toMany, linkage([]))).document?.data).toEqual([])
    },
  )

  statement('post-to-many-add', 'a POST adds the members that it names', async () => {
    const { api } = catalogueWorld()
    const before = members(await api.get(toMany))
    expect(members(await api.post(toMany, linkage([track('2'), track('4')])))).toEqual(
      [...before, 'tracks 2', 'tracks 4'].toSorted(),
    )
  })

  statement('post-to-many-add-again', 'a POST adds no member a second time', async () => {
    const { api, rows } = catalogueWorld()
    const { playlist_tracks: before = [] } = await rows()
    await api.post(toMany, linkage([track('1'), track('5')]))
    expect((await rows())['playlist_tracks']).toEqual(before)
    await api.post(toMany, linkage([track('2'), track('2'), track('1')]))
    expect((await rows())['playlist_tracks']).toHaveLength(before.length + 1)
  })

  statement('post-to-many-response', 'a POST succeeds also if the resources are members already', async () => {
    const { api } = catalogueWorld()
    expect((await api.post(toMany, linkage([track('1')]))).status).toBe(200)
    expect((await api.post(toMany, linkage([track('1'), track('2')]))).status).toBe(200)
  })

  statement('delete-to-many', 'a DELETE removes the members that it names, or is 403', async () => {
    const { api, rows } = catalogueWorld()
    const { playlist_tracks: _, ...others } = await rows()
    expect(members(await api.delete(toMany, linkage([track('5'), track('3')])))).toEqual(['tracks 1'])
    // The tracks themselves are still there.
    expect(await rows()).toMatchObject(others)
    const withDefaults = albumsWith({})
    expectErrors(await withDefaults.delete('/artists/1/relationships/locked', linkage([album('1')])), [
      { status: 403, code: 'REMOVAL_PROHIBITED', pointer: '/data' },
    ])
    expect(members(await withDefaults.get('/artists/1/relationships/albums'))).toEqual(['albums 1', 'albums 2'])
  })

  statement('delete-to-many-success', 'a DELETE succeeds also if the resources are no members', async () => {
    const { api } = catalogueWorld()
    for (const missing of [track('2'), track('99')]) {
      const response = await api.delete(toMany, linkage([missing, track('1')]))
      expect([response.status, members(response)]).toEqual([200, ['tracks 3', 'tracks 5']])
    }
  })
})

describe('responses', () => {
  statement(
    'updating-relationship-202-status',
    'a change of a relationship that continues after the response is 202',
    async () => {
      const job = { id: 1, status: 'running' }
      const api = albumsWith({
        update: [ok(), accepted('jobs')],
        persister: (store) => ({ ...store, update: () => reply.accepted({ job }) }),
      })
      const response = await api.patch(toOne, linkage(artist('2')))
      expect(response.status).toBe(202)
      expect(response.resource).toMatchObject({ type: 'jobs', attributes: { status: 'running' } })
      expect((await api.get(toOne)).document?.data).toEqual(artist('1'))
    },
  )

  statement(
    'updating-relationship-204-status',
    'a change that results in what was sent is 204, or 200 if the client prefers the linkage',
    async () => {
      const { api } = catalogueWorld()
      for (const known of ['1', '2']) {
        const plain = await api.patch(toOne, { body: { data: artist(known) } })
        expect([plain.status, plain.text]).toEqual([204, ''])
      }
      for (const method of ['PATCH', 'POST', 'DELETE']) {
        const plain = await api.request(method, toMany, { body: { data: [track('1')] } })
        expect([plain.status, plain.text]).toEqual([204, ''])
      }
      const response = await api.patch(toOne, linkage(artist('1')))
      expect([response.status, response.document?.data]).toEqual([200, artist('1')])
      const silent = albumsWith({ hooks: { afterRelationshipMutate: () => reply.noContent() } })
      const changed = await silent.patch(toOne, linkage(artist('2')))
      expect([changed.status, changed.text]).toEqual([204, ''])
      expect((await silent.get(toOne)).document?.data).toEqual(artist('2'))
    },
  )

  statement(
    ['updating-relationship-200-status', 'updating-relationship-200-response'],
    'a change is 200 with the resulting relationship if more has changed than was sent',
    async () => {
      const api = albumsWith({
        persister: (store) => ({
          ...store,
          update: (type, key, values, write) => store.update(type, key, { ...values, artistId: 2 }, write),
        }),
      })
      const response = await api.patch('/albums/3/relationships/artist', { body: { data: artist('1') } })
      expect(response.status).toBe(200)
      expect(response.document).toEqual({
        data: artist('2'),
        links: {
          self: 'http://localhost/albums/3/relationships/artist',
          related: 'http://localhost/albums/3/artist',
        },
        jsonapi: { version: '1.1' },
      })
      expect((await api.get('/albums/3/relationships/artist')).document).toEqual(response.document)
    },
  )

  statement(
    ['updating-relationship-200-meta', 'updating-relationship-200-meta-content'],
    'a change that returns only meta is 200, without linkage',
    async () => {
      exemptFromDescription('exchanges', 'A hook that returns another document with the usual status is not described.')
      const api = albumsWith({ hooks: { afterRelationshipMutate: () => reply.meta({ moved: 1 }) } })
      const response = await api.patch(toOne, linkage(artist('2')))
      expect(response.status).toBe(200)
      expect(response.document?.meta).toEqual({ moved: 1 })
      expect(response.document).not.toHaveProperty('data')
    },
  )

  statement('updating-relationship-403-status', 'a change that a relation forbids is 403', async () => {
    const api = albumsWith({})
    const send = (method: string, name: string) =>
      api.request(method, `/artists/1/relationships/${name}`, linkage([album('3')]))
    for (const [method, code] of [
      ['PATCH', 'FULL_REPLACEMENT_PROHIBITED'],
      ['POST', 'ADDITION_PROHIBITED'],
      ['DELETE', 'REMOVAL_PROHIBITED'],
    ] as const) {
      expectErrors(await send(method, 'locked'), [{ status: 403, code, pointer: '/data' }])
      expectErrors(await send(method, 'fixed'), [{ status: 403, code: 'RELATIONSHIP_READ_ONLY' }])
    }
    expect(members(await api.get('/artists/1/relationships/albums'))).toEqual(['albums 1', 'albums 2'])
  })
})
