import { belongsTo, createServer, defineResource, hasMany, id, model, numberPage } from 'ashlar'
import { countableProfile, relationshipQueriesProfile } from '../../src/declare/profiles/profile.js'
import { describe, expect, test } from 'vitest'
import { client } from '../support/client.js'
import { countedData } from '../support/counted-data.js'
import { shown } from '../support/shown.js'
import { storedData } from '../support/stored-data.js'

const artists = defineResource('artists', {
  model: model<{ id: number }>('artists'),
  id: id(),
  relations: { albums: hasMany('albums'), tracks: hasMany('tracks').countable() },
})

const albums = defineResource('albums', {
  model: model<{ id: number; artistId: number }>('albums'),
  id: id(),
  relations: { artist: belongsTo('artists'), tracks: hasMany('tracks').withData() },
})

const tracks = defineResource('tracks', {
  model: model<{ id: number; title: string; artistId: number; albumId: number }>('tracks'),
  id: id(),
  attributes: (a) => ({ title: a.string() }),
  relations: { artist: belongsTo('artists'), album: belongsTo('albums') },
  filters: (f) => ({ title: f.where('title') }),
})

const headers = {
  accept: `application/vnd.api+json; profile="${relationshipQueriesProfile.uri} ${countableProfile.uri}"`,
}

const { data, calls } = countedData(
  storedData({
    artists: [{ id: 1 }, { id: 2 }],
    albums: [
      { id: 1, artistId: 1 },
      { id: 2, artistId: 2 },
    ],
    tracks: [
      { id: 1, title: 'x', artistId: 1, albumId: 1 },
      { id: 2, title: 'y', artistId: 1, albumId: 1 },
      { id: 3, title: 'y', artistId: 2, albumId: 1 },
    ],
  }),
)

const api = client(createServer({ resources: [artists, albums, tracks], data, pagination: numberPage({ size: 1 }) }), {
  headers,
})

describe('a query of a relationship of a primary resource', () => {
  test('was lost when the resource was reached again by an include path', async () => {
    const path = '/artists/1?rQ[tracks][filter][title]=x'
    const { resource: single } = await api.get(`${path}&include=tracks`)
    expect(shown(single.relationships?.['tracks']?.data)).toEqual(['tracks 1'])
    expect(Object.keys(single.relationships?.['tracks']?.links ?? {})).toContain('first')

    const { resource, document } = await api.get(`${path}&include=albums.artist.tracks`)
    expect(resource.relationships?.['tracks']).toEqual(single.relationships?.['tracks'])
    expect(shown(document?.included)).toEqual(['albums 1', 'tracks 1'])
  })

  test('applies to the primary resource only, though others of its type are read too', async () => {
    calls.length = 0
    const { resource, document } = await api.get(
      '/artists/1?rQ[tracks][filter][title]=y&withCount=tracks&include=albums.tracks.artist.tracks',
    )
    expect(shown(resource.relationships?.['tracks']?.data)).toEqual(['tracks 2'])
    expect(resource.relationships?.['tracks']?.meta).toEqual({ total: 1 })
    const other = document?.included?.find(({ type, id: wireId }) => type === 'artists' && wireId === '2')
    expect(shown(other?.relationships?.['tracks']?.data)).toEqual(['tracks 3'])
    expect(other?.relationships?.['tracks']?.links).not.toHaveProperty('first')
    expect(calls.filter(({ method, relation }) => method === 'fetchRelated' && relation === 'tracks')).toEqual([
      { type: 'albums', method: 'fetchRelated', relation: 'tracks' },
      { type: 'artists', method: 'fetchRelated', relation: 'tracks' },
      { type: 'artists', method: 'fetchRelated', relation: 'tracks' },
    ])
  })
})
