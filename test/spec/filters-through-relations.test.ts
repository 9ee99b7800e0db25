import {
  belongsTo,
  belongsToMany,
  createServer,
  defineResource,
  hasMany,
  hasOne,
  id,
  model,
  morphTo,
  morphToMany,
} from 'ashlar'
import { expectErrors } from 'ashlar/testing'
import { sqlFilter } from 'ashlar/sql'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { client } from '../support/client.js'
import { storedData } from '../support/stored-data.js'
import { exemptFromDescription } from '../support/described-exchange.js'

const labels = defineResource('labels', {
  model: model<{ id: number; name: string; founded: number | null }>('labels'),
  id: id(),
  attributes: (a) => ({ name: a.string(), founded: a.integer().nullable() }),
})

const artists = defineResource('artists', {
  model: model<{ id: number; name: string; labelId: number | null }>('artists'),
  id: id(),
  attributes: (a) => ({ name: a.string() }),
  relations: { label: belongsTo('labels'), albums: hasMany('albums').via('artistId') },
  filters: (f) => ({
    signed: f.has('label'),
    recording: f.has('albums'),
    trackTitle: f.through('albums.tracks.title').operator('like'),
    labelOfAlbum: f.through('albums.artist.label.name'),
  }),
})

const albums = defineResource('albums', {
  model: model<{
    id: number
    title: string
    artistId: number | null
    sourceId: number | null
    sourceType: string | null
  }>('albums'),
  id: id(),
  attributes: (a) => ({ title: a.string() }),
  relations: {
    artist: belongsTo('artists'),
    tracks: hasMany('tracks'),
    cover: hasOne('covers'),
    fans: morphToMany(['artists', 'labels']).through('fans', {
      owner: 'albumId',
      member: 'fanId',
      memberType: 'fanType',
    }),
    source: morphTo(['artists', 'labels']).via('sourceId', 'sourceType'),
  },
  filters: (f) => ({
    artist: f.has(),
    noArtist: f.doesntHave('artist'),
    tracks: f.has(),
    noTracks: f.doesntHave('tracks'),
    covered: f.has('cover'),
    bare: f.doesntHave('cover'),
    liked: f.has('fans'),
    unliked: f.doesntHave('fans'),
    sourced: f.has('source'),
    withLongTrack: f.hasMatching('tracks', {
      matches: (row, value) => Number(row['seconds']) > Number(value),
      apply: sqlFilter<{ seconds: number }>(({ column, value }) => sql`${column('seconds')} > ${Number(value)}`),
    }),
    'artist.name': f.through(),
    artistId: f.through('artist.id'),
    artistNot: f.through('artist.name').operator('!='),
    label: f.through('artist.label.name'),
    labelFounded: f.through('artist.label.founded').operator('>='),
    trackTitle: f.through('tracks.title'),
    trackNot: f.through('tracks.title').operator('<>'),
    longer: f.through('tracks.seconds').operator('>'),
    radiohead: f.through('artist.name').fixed('Radiohead'),
    anywhere: f.any({ title: f.contains(), 'artist.name': f.through().operator('like'), t: f.through('tracks.title') }),
  }),
})

const tracks = defineResource('tracks', {
  model: model<{ id: number; title: string; seconds: number | null; albumId: number | null }>('tracks'),
  id: id(),
  attributes: (a) => ({ title: a.string(), seconds: a.integer().nullable() }),
  relations: {
    album: belongsTo('albums'),
    playlists: belongsToMany('playlists').through('playlist_tracks', { owner: 'trackId', member: 'playlistId' }),
  },
  filters: (f) => ({
    listed: f.has('playlists'),
    playlist: f.through('playlists.title'),
    label: f.through('album.artist.label.name').operator('starts'),
  }),
})

const covers = defineResource('covers', {
  model: model<{ id: number; albumId: number | null }>('covers'),
  id: id(),
  relations: { album: belongsTo('albums') },
})

const playlists = defineResource('playlists', {
  model: model<{ id: number; title: string }>('playlists'),
  id: id(),
  attributes: (a) => ({ title: a.string() }),
})

const data = storedData({
  labels: [
    { id: 1, name: 'Parlophone', founded: 1896 },
    { id: 2, name: 'One Little Indian', founded: null },
  ],
  artists: [
    { id: 1, name: 'Radiohead', labelId: 1 },
    { id: 2, name: 'Björk', labelId: 2 },
    { id: 3, name: 'Miles Davis', labelId: null },
    { id: 4, name: 'Nobody', labelId: 1 },
  ],
  albums: [
    { id: 1, title: 'OK Computer', artistId: 1, sourceId: 1, sourceType: 'labels' },
    { id: 2, title: 'Homogenic', artistId: 2, sourceId: 2, sourceType: 'artists' },
    { id: 3, title: 'Kind of Blue', artistId: 3, sourceId: 9, sourceType: 'artists' },
    { id: 4, title: 'Various', artistId: null, sourceId: null, sourceType: null },
    // The artist of the key does not exist.
    { id: 5, title: 'Lost', artistId: 99, sourceId: 1, sourceType: 'genres' },
  ],
  tracks: [
    { id: 1, title: 'Airbag', seconds: 284, albumId: 1 },
    { id: 2, title: 'Paranoid Android', seconds: 383, albumId: 1 },
    { id: 3, title: 'Jóga', seconds: 305, albumId: 2 },
    { id: 4, title: 'So What', seconds: null, albumId: 3 },
    { id: 5, title: 'Untitled', seconds: 1, albumId: null },
  ],
  covers: [{ id: 1, albumId: 2 }],
  playlists: [{ id: 1, title: 'Road Trip' }],
  playlist_tracks: [
    { id: 1, playlistId: 1, trackId: 3 },
    { id: 2, playlistId: 99, trackId: 4 },
  ],
  fans: [
    { id: 1, albumId: 1, fanId: 2, fanType: 'labels' },
    { id: 2, albumId: 2, fanId: 99, fanType: 'artists' },
  ],
})

const api = client(createServer({ resources: [labels, artists, albums, tracks, covers, playlists], data }))
const ids = async (target: string): Promise<readonly string[]> =>
  (await api.get(target)).resources.map((resource) => resource.id)

describe('has and doesntHave', () => {
  test.each([
    ['a to-one', '/albums?filter[artist]=', ['1', '2', '3']],
    ['no to-one', '/albums?filter[noArtist]=', ['4', '5']],
    ['a to-many', '/albums?filter[tracks]=', ['1', '2', '3']],
    ['no to-many', '/albums?filter[noTracks]=', ['4', '5']],
    ['a to-one whose key lies in the related row', '/albums?filter[covered]=', ['2']],
    ['none of several values', '/albums?filter[bare]=', ['1', '3', '4', '5']],
    ['members through join rows', '/tracks?filter[listed]=', ['3']],
    ['one of several types', '/albums?filter[sourced]=', ['1', '2']],
    ['many of several types', '/albums?filter[liked]=', ['1']],
    ['none of several types', '/albums?filter[unliked]=', ['2', '3', '4', '5']],
  ])('%s', async (_name, target, expected) => {
    expect(await ids(target)).toEqual(expected)
  })

  test('the value is ignored', async () => {
    exemptFromDescription('queries', 'The value of a filter by presence is ignored, whatever it is.')
    for (const value of ['=false', '=0', '[]=x', '[a][b]=x']) {
      expect(await ids(`/albums?filter[noTracks]${value}`)).toEqual(['4', '5'])
    }
  })

  test('hasMatching applies its condition to related rows', async () => {
    expect(await ids('/albums?filter[withLongTrack]=300')).toEqual(['1', '2'])
    expect(await ids('/albums?filter[withLongTrack]=1000')).toEqual([])
  })
})

describe('through', () => {
  test.each([
    ['a to-one, by the key that is the path', '/albums?filter[artist.name]=Björk', ['2']],
    ['the id at the end', '/albums?filter[artistId]=3', ['3']],
    ['two hops', '/albums?filter[label]=Parlophone', ['1']],
    ['an operator', '/albums?filter[labelFounded]=1800', ['1']],
    ['three hops and a part of a text', '/tracks?filter[label]=one', ['3']],
    ['a to-many: one member is enough', '/albums?filter[trackTitle]=Airbag', ['1']],
    ['a number at the end of a to-many', '/albums?filter[longer]=300', ['1', '2']],
    ['join rows', '/tracks?filter[playlist]=Road Trip', ['3']],
    ['to-many after to-many', '/artists?filter[trackTitle]=AIR', ['1']],
    ['to-many, then back to one', '/artists?filter[labelOfAlbum]=Parlophone', ['1']],
    ['a fixed value', '/albums?filter[radiohead]=Björk', ['1']],
    ['a member of a group', '/albums?filter[anywhere]=Jóga', ['2']],
    ['another member of that group', '/albums?filter[anywhere]=miles', ['3']],
  ])('%s', async (_name, target, expected) => {
    expect(await ids(target)).toEqual(expected)
  })

  test('if a relation of the path is empty, nothing matches, not even a difference', async () => {
    expect(await ids('/albums?filter[artistNot]=Björk')).toEqual(['1', '3'])
    expect(await ids('/albums?filter[labelFounded]=0')).toEqual(['1'])
  })

  test('a difference through a to-many is true if one member differs', async () => {
    expect(await ids('/albums?filter[trackNot]=Airbag')).toEqual(['1', '2', '3'])
    expect(await ids('/albums?filter[trackNot]=Jóga')).toEqual(['1', '3'])
  })

  test('the value has the kind of the field at the end', async () => {
    for (const key of ['labelFounded', 'longer']) {
      expectErrors(await api.get(`/albums?filter[${key}]=x`), [
        { status: 400, code: 'FILTER_VALUE_INVALID', parameter: `filter[${key}]` },
      ])
    }
    expectErrors(await api.get('/albums?filter[artist.name][]=x'), [
      { status: 400, code: 'FILTER_VALUE_INVALID', parameter: 'filter[artist.name]' },
    ])
  })

  test('only declared paths can be used', async () => {
    for (const key of ['artist.label.name', 'tracks.title', 'artist']) {
      const target = `/tracks?filter[${key}]=x`
      expectErrors(await api.get(target), [
        { status: 400, code: 'FILTERING_UNRECOGNIZED', parameter: `filter[${key}]` },
      ])
    }
  })
})
