import { belongsTo, createServer, defineResource, hasMany, hasOne, id, model } from 'ashlar'
import { expectErrors } from 'ashlar/testing'
import { describe, expect, test } from 'vitest'
import { catalogueServer } from '../support/catalogue.js'
import { client, resourceBody } from '../support/client.js'
import { linkageWriter } from '../support/linkage-writer.js'
import { recordShop } from '../support/record-shop.js'
import { relationshipLinks, shown } from '../support/shown.js'
import { storedData } from '../support/stored-data.js'

const get = (path: string) => client(catalogueServer()).get(path)
const shop = (path: string) => client(recordShop()).get(path)

const roadTrip = '/playlists/b0c7e3a4-6a59-4e64-8f0e-0f4f5e6a7b8c'

describe('an owner-side to-one renders linkage on every response', () => {
  const artist = { links: relationshipLinks('/albums/1', 'artist'), data: { type: 'artists', id: '1' } }

  test('BelongsTo: single, collection, related, included', async () => {
    expect((await shop('/albums/1')).resource.relationships?.['artist']).toEqual(artist)
    expect((await shop('/albums')).resources[0]?.relationships?.['artist']).toEqual(artist)
    expect((await shop('/tracks/1/album')).resource.relationships?.['artist']).toEqual(artist)
    expect((await shop('/tracks/1?include=album')).document?.included?.[0]?.relationships?.['artist']).toEqual(artist)
  })

  test('BelongsTo: the responses to writes', async () => {
    const api = client(recordShop())
    const changed = await api.patch('/albums/1', { body: resourceBody('albums', { title: 'OKNOTOK' }, '1') })
    expect(changed.resource.relationships?.['artist']).toEqual(artist)
    const created = await api.post('/albums', { body: resourceBody('albums', { title: 'Amnesiac' }, '9') })
    expect(created.resource.relationships?.['artist']).toEqual({
      links: relationshipLinks('/albums/9', 'artist'),
      data: null,
    })
  })

  test('MorphTo, whatever its type, and null', async () => {
    const api = linkageWriter(catalogueServer())
    const linkage = async () =>
      (await api.get('/favorites?include=')).resources.map(({ relationships }) => relationships?.['favoritable']?.data)
    const others = [
      { type: 'albums', id: '4' },
      { type: 'artists', id: '2' },
    ]
    expect(await linkage()).toEqual([...others, { type: 'tracks', id: '5', meta: { served_by: 'music' } }])
    await api.replace('/favorites/fav-1d/favoritable', null)
    expect(await linkage()).toEqual([...others, null])
  })

  test('with the wire id of the related type', async () => {
    const notes = defineResource('notes', {
      model: model<{ id: number; trackId: number }>('notes'),
      id: id(),
      relations: { track: belongsTo('tracks') },
    })
    const tracks = defineResource('tracks', {
      model: model<{ id: number }>('tracks'),
      id: id().encodeUsing<number>({ encode: (key) => `t${key}`, decode: (wire) => Number(wire.slice(1)) }),
    })
    const data = storedData({ notes: [{ id: 1, trackId: 7 }], tracks: [{ id: 7 }] })
    const api = client(createServer({ resources: [notes, tracks], data }))
    expect((await api.get('/notes/1')).resource.relationships?.['track']?.data).toEqual({ type: 'tracks', id: 't7' })
    expect(shown((await api.get('/notes/1/track')).resource)).toEqual(['tracks t7'])
  })
})

const artists = defineResource('artists', {
  model: model<{ id: number }>('artists'),
  id: id(),
  relations: { biography: hasOne('biographies'), portrait: hasOne('portraits').withData() },
})
const biographies = defineResource('biographies', {
  model: model<{ id: number; artistId: number }>('biographies'),
  id: id(),
  relations: { artist: belongsTo('artists') },
})
const portraits = defineResource('portraits', {
  model: model<{ id: number; artistId: number }>('portraits'),
  id: id(),
  relations: { artist: belongsTo('artists') },
})

const withOnes = () => {
  const data = storedData({
    artists: [{ id: 1 }, { id: 2 }],
    biographies: [{ id: 7, artistId: 1 }],
    portraits: [{ id: 8, artistId: 2 }],
  })
  return client(createServer({ resources: [artists, biographies, portraits], data }))
}

describe('a lazy relation', () => {
  test('to many renders linkage only when the related data is already loaded', async () => {
    expect((await shop('/albums/1')).resource.relationships?.['tracks']).toEqual({
      links: relationshipLinks('/albums/1', 'tracks'),
    })
    expect((await get(roadTrip)).resource.relationships?.['tracks']).toEqual({
      links: relationshipLinks(roadTrip, 'tracks'),
    })
    expect((await get('/libraries/1')).resource.relationships?.['items']).toEqual({
      links: relationshipLinks('/libraries/1', 'items'),
    })
  })

  test('HasOne likewise', async () => {
    expect((await withOnes().get('/artists/1')).resource.relationships?.['biography']).toEqual({
      links: relationshipLinks('/artists/1', 'biography'),
    })
  })

  test('that is explicitly included is fetched, and both linkage and included entries appear', async () => {
    const many = await shop('/albums/1?include=tracks')
    expect(many.resource.relationships?.['tracks']).toEqual({
      links: relationshipLinks('/albums/1', 'tracks'),
      data: [
        { type: 'tracks', id: '1' },
        { type: 'tracks', id: '2' },
      ],
    })
    expect(shown(many.document?.included)).toEqual(['tracks 1', 'tracks 2'])
    const { document, resources } = await withOnes().get('/artists?include=biography')
    expect(resources.map(({ relationships }) => relationships?.['biography']?.data)).toEqual([
      { type: 'biographies', id: '7' },
      null,
    ])
    expect(shown(document?.included)).toEqual(['biographies 7'])
  })
})

describe('withData() renders linkage on every response', () => {
  const rainyDay = 'playlists 2f1d6c5e-93b7-4d0a-9c58-7a1e0b4d3f62'
  const onTheRoad = 'playlists b0c7e3a4-6a59-4e64-8f0e-0f4f5e6a7b8c'
  const playlists = [rainyDay, onTheRoad]

  test('of a to-many, also empty', async () => {
    const { resources } = await get('/tracks')
    const shownIn: Readonly<Record<string, readonly string[]>> = {
      1: playlists,
      3: [onTheRoad],
      4: [rainyDay],
      5: [onTheRoad],
      11: [rainyDay],
    }
    expect(resources).toHaveLength(12)
    for (const { id: key, relationships } of resources) {
      expect([key, shown(relationships?.['playlists']?.data)]).toEqual([key, shownIn[key] ?? []])
    }
  })

  test('of an included resource', async () => {
    const { document } = await get('/albums/1?include=tracks')
    expect(shown(document?.included?.[0]?.relationships?.['playlists']?.data)).toEqual(playlists)
  })

  test('of the response to a write', async () => {
    const body = resourceBody('tracks', { title: 'Airbag (live)' }, '1')
    const { resource } = await client(catalogueServer()).patch('/tracks/1', { body })
    expect(shown(resource.relationships?.['playlists']?.data)).toEqual(playlists)
  })

  test('of a to-one whose key is in the related row', async () => {
    const { resources } = await withOnes().get('/artists')
    expect(resources.map(({ relationships }) => relationships?.['portrait']?.data)).toEqual([
      null,
      { type: 'portraits', id: '8' },
    ])
  })
})

const unlinked = () =>
  client(
    recordShop({
      albums: {
        relations: { artist: belongsTo('artists').withoutLinks(), tracks: hasMany('tracks').withoutLinks() },
      },
    }),
  )

describe('withoutLinks()', () => {
  test('leaves the links out; a relationship object is never {}, so the linkage is there', async () => {
    expect((await unlinked().get('/albums/2')).resource.relationships).toEqual({
      artist: { data: { type: 'artists', id: '1' } },
      tracks: { data: [{ type: 'tracks', id: '3' }] },
    })
    const { document } = await unlinked().get('/tracks/3?include=album')
    expect(document?.included?.[0]?.relationships?.['tracks']).toEqual({ data: [{ type: 'tracks', id: '3' }] })
  })

  test('leaves the endpoints', async () => {
    expect(shown((await unlinked().get('/albums/2/tracks')).resources)).toEqual(['tracks 3'])
    expect(shown((await unlinked().get('/albums/2/relationships/tracks')).document?.data)).toEqual(['tracks 3'])
  })
})

describe('relation targets render as the declared type', () => {
  test('in linkage: a relation may refer to a narrower view of a model that is also exposed in full', async () => {
    const { resource } = await get(roadTrip)
    expect(resource.relationships?.['owner']?.data).toEqual({ type: 'users', id: '1' })
    expect(resource.relationships?.['publicOwner']?.data).toEqual({ type: 'public-profiles', id: '1' })
  })

  test('on the related read and in included', async () => {
    const narrow = {
      type: 'public-profiles',
      id: '1',
      attributes: { displayName: 'Alice' },
      links: { self: 'http://localhost/public-profiles/1' },
    }
    expect((await get(`${roadTrip}/publicOwner`)).resource).toEqual(narrow)
    expect((await get(`${roadTrip}?include=publicOwner`)).document?.included).toEqual([narrow])
    expect((await get(`${roadTrip}/relationships/publicOwner`)).document?.data).toEqual({
      type: 'public-profiles',
      id: '1',
    })
  })
})

describe('a type’s fields are the only members it renders', () => {
  test('fields selects no other member of the row', async () => {
    for (const member of ['email', 'password', 'birthDate', 'ownerId']) {
      const path = `${roadTrip}?include=publicOwner&fields[public-profiles]=${member}`
      expectErrors(await get(path), [{ status: 400, code: 'FIELDSET_MEMBER_UNRECOGNIZED', parameter: 'fields' }])
    }
  })

  test('nor does include', async () => {
    for (const path of ['publicOwner.playlists', 'publicOwner.library', 'ownerId']) {
      expectErrors(await get(`${roadTrip}?include=${path}`), [
        { status: 400, code: 'INCLUSION_UNRECOGNIZED', parameter: 'include' },
      ])
    }
  })

  test('nor does a relationship', async () => {
    for (const path of ['/public-profiles/1/playlists', '/public-profiles/1/relationships/library']) {
      expectErrors(await get(path), [{ status: 404, code: 'RELATIONSHIP_NOT_EXISTS' }])
    }
    const { resource } = await get('/public-profiles/1')
    expect(Object.keys(resource)).toEqual(['type', 'id', 'attributes', 'links'])
  })

  test('nor does strict validation that is off', async () => {
    const api = client(catalogueServer({ strictQueryParameters: false }))
    const { document } = await api.get(`${roadTrip}?include=publicOwner&fields[public-profiles]=email,displayName`)
    expect(document?.included?.[0]?.attributes).toEqual({ displayName: 'Alice' })
  })
})
