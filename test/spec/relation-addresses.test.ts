import { belongsTo, createServer, defineResource, hasMany, id, model, morphTo } from 'ashlar'
import { expectErrors } from 'ashlar/testing'
import { describe, expect, test } from 'vitest'
import { catalogueServer } from '../support/catalogue.js'
import { client } from '../support/client.js'
import { recordShop } from '../support/record-shop.js'
import { shown } from '../support/shown.js'
import { storedData } from '../support/stored-data.js'

const missing = [{ status: 404, code: 'RELATIONSHIP_NOT_EXISTS' }]

const renamed = () =>
  client(
    recordShop({
      albums: {
        relations: {
          artist: belongsTo('artists').withUriFieldName('made-by'),
          tracks: hasMany('tracks').withUriFieldName('track-list'),
        },
      },
    }),
  )

describe('withUriFieldName(segment)', () => {
  test('is the last part of the links', async () => {
    const { resource } = await renamed().get('/albums/1')
    expect(resource.relationships).toEqual({
      artist: {
        links: {
          self: 'http://localhost/albums/1/relationships/made-by',
          related: 'http://localhost/albums/1/made-by',
        },
        data: { type: 'artists', id: '1' },
      },
      tracks: {
        links: {
          self: 'http://localhost/albums/1/relationships/track-list',
          related: 'http://localhost/albums/1/track-list',
        },
      },
    })
  })

  test('resolves as a path segment, on both endpoints', async () => {
    const related = await renamed().get('/albums/1/made-by')
    expect(shown(related.resource)).toEqual(['artists 1'])
    expect(related.document?.links).toEqual({ self: 'http://localhost/albums/1/made-by' })
    const linkage = await renamed().get('/albums/1/relationships/track-list')
    expect(shown(linkage.document?.data)).toEqual(['tracks 1', 'tracks 2'])
    expect(linkage.document?.links).toEqual({
      self: 'http://localhost/albums/1/relationships/track-list',
      related: 'http://localhost/albums/1/track-list',
    })
  })

  test('is only used in paths: documents and queries use the name of the relation', async () => {
    const { document } = await renamed().get('/albums/1?include=artist,tracks&fields[albums]=artist')
    expect(shown(document?.included)).toEqual(['artists 1', 'tracks 1', 'tracks 2'])
    expectErrors(await renamed().get('/albums/1?include=made-by'), [{ code: 'INCLUSION_UNRECOGNIZED' }])
    expectErrors(await renamed().get('/albums/1?fields[albums]=made-by'), [{ code: 'FIELDSET_MEMBER_UNRECOGNIZED' }])
  })
})

describe('a relation without any endpoint', () => {
  test('shows its linkage instead of links, to one and to many', async () => {
    const relations = {
      artist: belongsTo('artists').withoutRelatedEndpoint().withoutRelationshipEndpoint(),
      tracks: hasMany('tracks').withoutRelatedEndpoint().withoutRelationshipEndpoint(),
    }
    const api = client(recordShop({ albums: { relations } }))
    expect((await api.get('/albums/2')).resource.relationships).toEqual({
      artist: { data: { type: 'artists', id: '1' } },
      tracks: { data: [{ type: 'tracks', id: '3' }] },
    })
    for (const path of ['artist', 'tracks', 'relationships/artist', 'relationships/tracks']) {
      expectErrors(await api.get(`/albums/2/${path}`), missing)
    }
  })
})

describe('a relation of a type that cannot be read by itself', () => {
  test('has no endpoints, and no links to them', async () => {
    const data = storedData({ albums: [{ id: 1, artistId: 2 }], artists: [{ id: 2 }] })
    const albums = defineResource('albums', {
      model: model<{ id: number; artistId: number }>('albums'),
      id: id(),
      relations: { artist: belongsTo('artists') },
      operations: ['FetchCollection'],
    })
    const artists = defineResource('artists', { model: model<{ id: number }>('artists'), id: id() })
    const api = client(createServer({ resources: [albums, artists], data }))
    expect((await api.get('/albums')).resources[0]?.relationships).toEqual({
      artist: { data: { type: 'artists', id: '2' } },
    })
    expect((await api.get('/albums/1/artist')).status).toBe(404)
  })
})

const admin = (path: string) => client(catalogueServer()).get(`/admin${path}`)

describe('a related type of another server', () => {
  test('is linkage only: the relationship has no related link', async () => {
    const { resource } = await admin('/albums/1')
    expect(resource.relationships).toEqual({
      artist: {
        links: { self: 'http://localhost/admin/albums/1/relationships/artist' },
        data: { type: 'artists', id: '1' },
      },
      tracks: { links: { self: 'http://localhost/admin/albums/1/relationships/tracks' } },
    })
  })

  test('has no related endpoint there, and a relationship endpoint', async () => {
    expectErrors(await admin('/albums/1/artist'), missing)
    expectErrors(await admin('/users/1/library'), missing)
    const { document } = await admin('/albums/1/relationships/artist')
    expect(document?.data).toEqual({ type: 'artists', id: '1' })
    expect(document?.links).toEqual({ self: 'http://localhost/admin/albums/1/relationships/artist' })
    const { document: tracks } = await admin('/albums/1/relationships/tracks')
    expect(shown(tracks?.data)).toEqual(['tracks 1', 'tracks 2', 'tracks 6'])
  })

  test('cannot be included there', async () => {
    const [error] = expectErrors(await admin('/albums/1?include=artist'), [
      { status: 400, code: 'INCLUSION_NOT_ALLOWED', parameter: 'include' },
    ])
    expect(error?.detail).toBe('These include paths are not allowed here: artist.')
  })

  test('on a server that has it, the same relation is complete', async () => {
    const { document, resource } = await client(catalogueServer()).get('/albums/1?include=artist')
    expect(resource.relationships?.['artist']?.links).toEqual({
      self: 'http://localhost/albums/1/relationships/artist',
      related: 'http://localhost/albums/1/artist',
    })
    expect(shown(document?.included)).toEqual(['artists 1'])
  })

  test('one of several types prevents a mixed relation from being shown in full', async () => {
    const albums = defineResource('albums', { model: model<{ id: number }>('albums'), id: id(), server: 'admin' })
    const artists = defineResource('artists', { model: model<{ id: number }>('artists'), id: id() })
    const reviews = defineResource('reviews', {
      model: model<{ id: number; subjectId: number; subjectType: string }>('reviews'),
      id: id(),
      relations: { subject: morphTo(['albums', 'artists']) },
    })
    const data = storedData({
      albums: [{ id: 1 }],
      artists: [{ id: 2 }],
      reviews: [
        { id: 1, subjectId: 1, subjectType: 'albums' },
        { id: 2, subjectId: 2, subjectType: 'artists' },
      ],
    })
    const servers = { admin: { prefix: '/admin' } }
    const api = client(createServer({ resources: [albums, artists, reviews], data, servers }))
    expect((await api.get('/reviews')).resources.map(({ relationships }) => relationships?.['subject'])).toEqual([
      { links: { self: 'http://localhost/reviews/1/relationships/subject' }, data: { type: 'albums', id: '1' } },
      { links: { self: 'http://localhost/reviews/2/relationships/subject' }, data: { type: 'artists', id: '2' } },
    ])
    expectErrors(await api.get('/reviews/2/subject'), missing)
  })
})
