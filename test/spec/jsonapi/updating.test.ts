import {
  accepted,
  reply,
  createServer,
  defineResource,
  id,
  model,
  noContent,
  type ResourceHooks,
  type ResourceMetadata,
} from 'ashlar'
import { expectErrors, type TestClient } from 'ashlar/testing'
import { describe, expect } from 'vitest'
import { catalogueWorld } from '../../support/catalogue-world.js'
import { client, resourceBody } from '../../support/client.js'
import { always, importing, patch } from '../../support/imports.js'
import { storedData } from '../../support/stored-data.js'
import { statement } from './statement.js'

/** https://jsonapi.org/format/1.1/#crud-updating */

const track = (known: string) => ({ type: 'tracks', id: known })
const album = (members: object) => ({ body: { data: { type: 'albums', id: '1', ...members } } })

describe('the document of an update', () => {
  statement('update-patch-resource', 'the data of an update is one resource object; anything else is 400', async () => {
    const { api, rows } = catalogueWorld()
    const before = await rows()
    const resource = { type: 'albums', id: '1', attributes: { title: 'Changed' } }
    for (const data of [[], [resource], 'albums', 1, null]) {
      expectErrors(await api.patch('/albums/1', { body: { data } }), [
        { status: 400, code: 'REQUEST_BODY_INVALID_JSON_API', pointer: '/data' },
      ])
    }
    expectErrors(await api.patch('/albums/1'), [{ status: 400, code: 'DATA_MEMBER_MISSING' }])
    expect(await rows()).toEqual(before)
    expect((await api.patch('/albums/1', { body: { data: resource } })).status).toBe(200)
  })

  statement(
    'update-patch-resource-members',
    'the resource object of an update must have its type and its id; otherwise 400',
    async () => {
      const { api } = catalogueWorld()
      const attributes = { title: 'Changed' }
      expectErrors(await api.patch('/albums/1', { body: { data: { id: '1', attributes } } }), [
        { status: 400, code: 'RESOURCE_TYPE_MISSING', pointer: '/data' },
      ])
      expectErrors(await api.patch('/albums/1', { body: { data: { type: 'albums', attributes } } }), [
        { status: 400, code: 'RESOURCE_ID_MISSING', pointer: '/data' },
      ])
      expectErrors(await api.patch('/albums/1', album({ id: 1, attributes })), [
        { status: 400, code: 'RESOURCE_ID_INVALID', pointer: '/data/id' },
      ])
    },
  )
})

describe('attributes', () => {
  statement('update-resource-attributes', 'some, all or none of the attributes may be sent', async () => {
    const { api } = catalogueWorld()
    const { attributes = {} } = (await api.get('/artists/2')).resource
    const update = (sent?: object) =>
      api.patch('/artists/2', { body: { data: { type: 'artists', id: '2', ...(sent && { attributes: sent }) } } })
    expect((await update()).resource.attributes).toEqual(attributes)
    expect((await update({})).resource.attributes).toEqual(attributes)
    expect((await update({ bio: 'From Reykjavík.' })).resource.attributes).toEqual({
      ...attributes,
      bio: 'From Reykjavík.',
    })
    expect((await update(attributes)).resource.attributes).toEqual(attributes)
  })

  statement('update-interpret-resource-attributes', 'attributes that are not sent are unchanged', async () => {
    const { api, rows } = catalogueWorld()
    const before = await rows()
    const { resource } = await api.patch('/albums/1', album({ attributes: { explicit: true } }))
    const { albums = [], ...others } = await rows()
    const changed = String(before['albums']?.[0]).replace('explicit: false', 'explicit: true')
    expect(albums[0]).toBe(changed.replace('version: 1', 'version: 2'))
    expect(resource.attributes).toMatchObject({ title: 'OK Computer', averageRating: 4.8, explicit: true })
    const { albums: _, ...othersBefore } = before
    expect(others).toEqual(othersBefore)
  })
})

describe('relationships', () => {
  statement('update-resource-relationships', 'some, all or none of the relationships may be sent', async () => {
    const { api } = catalogueWorld()
    const relationships = {
      artist: { data: { type: 'artists', id: '2' } },
      tracks: { data: [track('1'), track('4')] },
    }
    const { resource } = await api.patch('/albums/1?include=tracks', album({ relationships }))
    expect(resource.relationships).toMatchObject(relationships)
    const { artist } = { artist: { data: null } }
    const cleared = await api.patch('/albums/1?include=tracks', album({ relationships: { artist } }))
    expect(cleared.resource.relationships).toMatchObject({ artist, tracks: relationships.tracks })
  })

  statement('update-interpret-resource-relationships', 'relationships that are not sent are unchanged', async () => {
    const { api, rows } = catalogueWorld()
    const before = await rows()
    const relationships = { artist: { data: { type: 'artists', id: '2' } } }
    await api.patch('/albums/1', album({ relationships }))
    const { albums = [], ...others } = await rows()
    const changed = String(before['albums']?.[0]).replace('artistId: 1', 'artistId: 2')
    expect(albums[0]).toBe(changed.replace('version: 1', 'version: 2'))
    const { albums: _, ...othersBefore } = before
    expect(others).toEqual(othersBefore)
    expect((await api.patch('/albums/1', album({}))).resource.relationships?.['artist']).toMatchObject(
      relationships.artist,
    )
  })

  statement(
    'update-resource-relationship-value',
    'a relationship of an update is an object, and its data lists the members',
    async () => {
      const { api, rows } = catalogueWorld()
      const before = await rows()
      const links = { self: 'http://localhost/albums/1/relationships/artist' }
      expect((await api.patch('/albums/1', album({ relationships: { artist: { links } } }))).status).toBe(200)
      for (const artist of [null, '1', [{ type: 'artists', id: '1' }]]) {
        expectErrors(await api.patch('/albums/1', album({ relationships: { artist } })), [
          { status: 400, code: 'REQUEST_BODY_INVALID_JSON_API', pointer: '/data/relationships/artist' },
        ])
      }
      expect(await rows()).toEqual(before)
    },
  )

  statement(
    [
      'update-resource-relationship-reject-full-replacement',
      'update-resource-relationship-reject-full-replacement-response',
    ],
    'if a relation cannot be replaced, the whole update is 403',
    async () => {
      const { api, rows } = catalogueWorld()
      const before = await rows()
      const relationships = { playlists: { data: [] }, album: { data: { type: 'albums', id: '2' } } }
      const data = { type: 'tracks', id: '1', attributes: { title: 'Changed' }, relationships }
      expectErrors(await api.patch('/tracks/1', { body: { data } }), [
        { status: 403, code: 'FULL_REPLACEMENT_PROHIBITED', pointer: '/data/relationships/playlists/data' },
      ])
      expect(await rows()).toEqual(before)
    },
  )
})

interface LabelRow {
  id: number
  name: string
  slug: string
}

function labelsWith(choices: ResourceMetadata & { readonly hooks?: ResourceHooks<LabelRow> }): TestClient {
  const labels = defineResource('labels', {
    model: model<LabelRow>('labels'),
    id: id(),
    attributes: (a) => ({ name: a.string(), slug: a.string().unique() }),
    ...choices,
  })
  const rows = [
    { id: 1, name: 'ECM', slug: 'ecm' },
    { id: 2, name: 'Warp', slug: 'warp' },
  ]
  return client(createServer({ resources: [labels], data: storedData({ labels: rows }) }), { isDescribed: false })
}

const rename = (api: TestClient, attributes: Readonly<Record<string, unknown>> = { name: 'XL' }) =>
  api.patch('/labels/1', { body: resourceBody('labels', attributes, '1') })

describe('success', () => {
  statement('update-resource-202-status', 'an update that continues after the response is 202', async () => {
    const job = { id: 1, status: 'running', importId: 1 }
    const response = await patch(importing({ update: accepted('jobs'), persister: always(reply.accepted({ job })) }))
    expect(response.status).toBe(202)
    expect(response.resource).toMatchObject({ type: 'jobs', attributes: { status: 'running' } })
  })

  statement(
    'update-resource-200-status',
    'an update that changes more than was sent is 200 with the resource',
    async () => {
      const api = labelsWith({
        hooks: {
          beforeUpdate(draft) {
            draft.slug = draft.name?.toLowerCase() ?? ''
          },
        },
      })
      const response = await rename(api)
      expect(response.status).toBe(200)
      expect(response.resource.attributes).toEqual({ name: 'XL', slug: 'xl' })
    },
  )

  statement(
    'update-resource-relationship-200-response',
    'the response to an update has the document that a GET of the same URL has',
    async () => {
      const { api } = catalogueWorld()
      const relationships = {
        artist: { data: { type: 'artists', id: '2' } },
        tracks: { data: [track('5'), track('1')] },
      }
      for (const query of [
        '',
        '?include=tracks,artist&fields[artists]=name',
        '?fields[albums]=tracks&include=tracks',
      ]) {
        const { text } = await api.patch(`/albums/1${query}`, album({ attributes: { title: 'B' }, relationships }))
        expect(JSON.parse(text)).toEqual(JSON.parse((await api.get(`/albums/1${query}`)).text))
      }
    },
  )

  statement(
    ['update-resource-200-meta', 'update-resource-200-meta-representation'],
    'an update that returns only meta is 200, without a resource',
    async () => {
      const api = labelsWith({ hooks: { afterUpdate: () => reply.meta({ saved: true }) } })
      const response = await rename(api)
      expect(response.status).toBe(200)
      expect(response.document?.meta).toEqual({ saved: true })
      expect(response.document).not.toHaveProperty('data')
      expect((await api.get('/labels/1')).resource.attributes).toMatchObject({ name: 'XL' })
    },
  )

  statement('update-resource-204-status', 'an update is 200 with a document, or 204 without', async () => {
    expect((await rename(labelsWith({}))).status).toBe(200)
    const silent = labelsWith({ update: noContent() })
    const response = await rename(silent)
    expect(response.status).toBe(204)
    expect(response.text).toBe('')
    expect((await silent.get('/labels/1')).resource.attributes).toMatchObject({ name: 'XL' })
  })
})

describe('refusals', () => {
  statement(
    'update-resource-403-status',
    'a change that a relation forbids is 403, and an update of a type without updates is 405',
    async () => {
      const { api } = catalogueWorld()
      const relationships = { playlists: { data: [] } }
      expectErrors(await api.patch('/tracks/1', { body: { data: { type: 'tracks', id: '1', relationships } } }), [
        { status: 403, code: 'FULL_REPLACEMENT_PROHIBITED' },
      ])
      const body = resourceBody('public-profiles', { displayName: 'Eve' }, '1')
      expectErrors(await api.patch('/public-profiles/1', { body }), [{ status: 405, code: 'METHOD_NOT_ALLOWED' }])
    },
  )

  statement('update-resource-404-status', 'an update of a resource that does not exist is 404', async () => {
    const { api } = catalogueWorld()
    expectErrors(await api.patch('/albums/99', { body: resourceBody('albums', { title: 5 }, '99') }), [
      { status: 404, code: 'RESOURCE_NOT_FOUND' },
    ])
  })

  statement(
    'update-resource-404-related',
    'an update that names a related resource that does not exist is 404',
    async () => {
      const { api, rows } = catalogueWorld()
      const before = await rows()
      const relationships = {
        artist: { data: { type: 'artists', id: '98' } },
        tracks: { data: [track('1'), track('99')] },
      }
      expectErrors(await api.patch('/albums/1', album({ attributes: { title: 'Changed' }, relationships })), [
        { status: 404, code: 'RELATED_RESOURCE_NOT_FOUND', pointer: '/data/relationships/artist/data' },
        { status: 404, code: 'RELATED_RESOURCE_NOT_FOUND', pointer: '/data/relationships/tracks/data/1' },
      ])
      expect(await rows()).toEqual(before)
    },
  )

  statement(
    'update-resource-409-status',
    'a value that must be unique and is taken is 422 with the pointer of its attribute, together with all other violations',
    async () => {
      const api = labelsWith({})
      expectErrors(await rename(api, { name: 5, slug: 'warp' }), [
        { status: 422, code: 'VALIDATION_FAILED', pointer: '/data/attributes/name' },
        { status: 422, code: 'VALIDATION_FAILED', pointer: '/data/attributes/slug' },
      ])
      expect((await api.get('/labels/1')).resource.attributes).toEqual({ name: 'ECM', slug: 'ecm' })
    },
  )

  statement('update-resource-409-no-match', 'another type or id than that of the URL is 409', async () => {
    const { api, rows } = catalogueWorld()
    const before = await rows()
    const attributes = { title: 'Changed' }
    expectErrors(await api.patch('/albums/1', album({ type: 'artists', attributes })), [
      { status: 409, code: 'RESOURCE_TYPE_UNACCEPTABLE', pointer: '/data/type' },
    ])
    for (const other of ['2', '01', '', ' 1']) {
      expectErrors(await api.patch('/albums/1', album({ id: other, attributes })), [
        { status: 409, code: 'RESOURCE_ID_CONFLICT', pointer: '/data/id' },
      ])
    }
    expect(await rows()).toEqual(before)
  })

  statement('update-resource-409-details', 'a conflict names both sides', async () => {
    const { api } = catalogueWorld()
    const [wrongId] = (await api.patch('/albums/1', album({ id: '2' }))).errors
    expect(wrongId?.detail).toBe("The document has the id '2', but the URL has the id '1'.")
    const [wrongType] = (await api.patch('/albums/1', album({ type: 'artists' }))).errors
    expect(wrongType?.detail).toMatch(/artists.*albums/)
  })
})
