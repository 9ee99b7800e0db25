import { belongsTo, belongsToMany, createServer, defineResource, hasMany, id, model } from 'ashlar'
import { expectErrors } from 'ashlar/testing'
import { describe, expect, test } from 'vitest'
import { catalogueServer } from '../support/catalogue.js'
import { addedApart, catalogueData } from '../support/catalogue-rows.js'
import { client } from '../support/client.js'
import { storedData } from '../support/stored-data.js'

const artists = defineResource('artists', {
  model: model<{ id: number }>('artists'),
  id: id(),
  relations: {
    albums: hasMany('albums').withSorts((s) => ({ newest: s.field('year'), title: s.field('year') })),
    byTitle: hasMany('albums').via('artistId').defaultSort('title'),
    scoped: hasMany('albums')
      .via('artistId')
      .withSorts((s) => ({ title: s.field('year') }))
      .defaultSort('title'),
    unordered: hasMany('albums').via('artistId').defaultSort(),
  },
})

const albums = defineResource('albums', {
  model: model<{ id: number; title: string; year: number; artistId: number }>('albums'),
  id: id(),
  attributes: (a) => ({ title: a.string().sortable(), year: a.integer() }),
  relations: { artist: belongsTo('artists') },
  defaultSort: ['-title'],
})

const playlists = defineResource('playlists', {
  model: model<{ id: number }>('playlists'),
  id: id(),
  relations: {
    albums: belongsToMany('albums')
      .through('entries', { owner: 'playlistId', member: 'albumId' })
      .fields((a) => ({
        place: a.integer(),
        addedAt: a.dateTime().storedAs('added').nullable(),
        title: a.string().storedAs('note'),
        secret: a.integer().hidden(),
      })),
    queue: belongsToMany('albums')
      .through('entries', { owner: 'playlistId', member: 'albumId' })
      .fields((a) => ({ place: a.integer() }))
      .withSorts((s) => ({ place: s.field('year') }))
      .defaultSort('-place', 'title'),
  },
})

const entry = (key: number, albumId: number, rest: object) => ({ id: key, playlistId: 1, albumId, ...rest })

const api = client(
  createServer({
    resources: [artists, albums, playlists],
    data: storedData({
      artists: [{ id: 1 }, { id: 2 }],
      albums: [
        { id: 1, title: 'Kid A', year: 2000, artistId: 1 },
        { id: 2, title: 'OK Computer', year: 1997, artistId: 1 },
        { id: 3, title: 'Amnesiac', year: 2001, artistId: 1 },
        { id: 4, title: 'Debut', year: 1993, artistId: 2 },
        { id: 5, title: 'Venus', year: 1993, artistId: 2 },
      ],
      playlists: [{ id: 1 }],
      entries: [
        entry(1, 1, { place: 2, added: null, note: 'x', secret: 3 }),
        entry(2, 2, { place: 3, added: new Date('2024-01-01T00:00:00Z'), note: 'z', secret: 1 }),
        entry(3, 3, { place: 1, added: new Date('2024-02-01T00:00:00Z'), note: 'y', secret: 2 }),
      ],
    }),
  }),
)

/** The ids of the resources at a URL, in their order. */
async function ids(target: string): Promise<readonly string[]> {
  const { data } = (await api.get(target)).document ?? {}
  return (data as readonly { readonly id: string }[]).map((each) => each.id)
}

async function refuses(target: string, code: string, by = api): Promise<void> {
  expectErrors(await by.get(target), [{ status: 400, code, parameter: 'sort' }])
}

describe('the default sort', () => {
  test('applies without sort, and with an empty one', async () => {
    expect(await ids('/albums')).toEqual(['5', '2', '1', '4', '3'])
    expect(await ids('/albums?sort=')).toEqual(['5', '2', '1', '4', '3'])
  })

  test('is not appended to a sort that is requested', async () => {
    expect(await ids('/artists/2/albums')).toEqual(['5', '4'])
    expect(await ids('/artists/2/albums?sort=newest')).toEqual(['4', '5'])
    expect(await ids('/artists/2/albums?sort=-newest')).toEqual(['5', '4'])
  })

  test('of a related collection is that of the related type', async () => {
    expect(await ids('/artists/1/albums')).toEqual(['2', '1', '3'])
    expect(await ids('/artists/1/relationships/albums')).toEqual(['2', '1', '3'])
  })

  test('of a relation overrides it, with the sort keys of the relation, wherever its members are shown', async () => {
    expect(await ids('/artists/1/byTitle')).toEqual(['3', '1', '2'])
    expect(await ids('/artists/1/scoped')).toEqual(['2', '1', '3'])
    expect(await ids('/artists/1/relationships/scoped')).toEqual(['2', '1', '3'])
    expect(await ids('/playlists/1/queue')).toEqual(['3', '1', '2'])
    const { resource } = await api.get('/playlists/1?include=queue')
    expect(resource.relationships?.['queue']?.data).toMatchObject([{ id: '3' }, { id: '1' }, { id: '2' }])
  })

  test('of the related type retains its own meaning if a relation redefines its key', async () => {
    // There, title is the year; by default it is still the title.
    expect(await ids('/artists/1/albums?sort=-title')).toEqual(['3', '1', '2'])
    expect(await ids('/artists/1/albums')).toEqual(['2', '1', '3'])
  })

  test('that is empty leaves the order of keys', async () => {
    expect(await ids('/artists/1/unordered')).toEqual(['1', '2', '3'])
  })
})

describe('the sorts of a relation', () => {
  test('apply at its related endpoint and its relationship endpoint', async () => {
    expect(await ids('/artists/1/albums?sort=-newest')).toEqual(['3', '1', '2'])
    expect(await ids('/artists/1/relationships/albums?sort=-newest')).toEqual(['3', '1', '2'])
  })

  test('are added to those of the related type, and win over them', async () => {
    expect(await ids('/artists/1/byTitle?sort=-title')).toEqual(['2', '1', '3'])
    expect(await ids('/artists/1/albums?sort=title')).toEqual(['2', '1', '3'])
  })

  test('are unknown to the collection of the type, and to other relations', async () => {
    await refuses('/albums?sort=newest', 'SORTING_UNRECOGNIZED')
    await refuses('/artists/1/byTitle?sort=newest', 'SORTING_UNRECOGNIZED')
    await refuses('/artists/1/albums?sort=nobody', 'SORTING_UNRECOGNIZED')
  })

  test('make a collection sortable whose type is not', async () => {
    await refuses('/artists?sort=title', 'SORTING_UNRECOGNIZED')
    const catalogue = client(catalogueServer())
    await refuses('/playlists?sort=position', 'SORTING_UNRECOGNIZED', catalogue)
    const { resources } = await catalogue.get('/albums/1/tracks?sort=-duration')
    expect(resources.map((each) => each.id)).toEqual(['2', '1', '6'])
  })
})

describe('sorts by the fields of join rows', () => {
  test('exist for each of them, by its name', async () => {
    expect(await ids('/playlists/1/albums?sort=place')).toEqual(['3', '1', '2'])
    expect(await ids('/playlists/1/albums?sort=-place')).toEqual(['2', '1', '3'])
  })

  test('read the column of the field, null as the largest', async () => {
    expect(await ids('/playlists/1/albums?sort=addedAt')).toEqual(['2', '3', '1'])
    expect(await ids('/playlists/1/albums?sort=-addedAt')).toEqual(['1', '3', '2'])
  })

  test('are overridden by a sort of the type or of the relation with the same name', async () => {
    expect(await ids('/playlists/1/albums?sort=title')).toEqual(['3', '1', '2'])
    expect(await ids('/playlists/1/queue?sort=place')).toEqual(['2', '1', '3'])
  })

  test('are combined with others', async () => {
    expect(await ids('/playlists/1/albums?sort=-place,title')).toEqual(['2', '1', '3'])
  })

  test('by hidden fields are unknown', async () => {
    await refuses('/playlists/1/albums?sort=secret', 'SORTING_UNRECOGNIZED')
  })

  test('are unknown if the rows have no join row', async () => {
    await refuses('/albums?sort=place', 'SORTING_UNRECOGNIZED')
    await refuses('/artists/1/albums?sort=place', 'SORTING_UNRECOGNIZED')
  })

  test('in the catalogue: the tracks of a playlist by their position, unless the request has a sort', async () => {
    const catalogue = client(catalogueServer({ data: catalogueData({ playlist_tracks: addedApart }) }))
    const target = '/playlists/b0c7e3a4-6a59-4e64-8f0e-0f4f5e6a7b8c/orderedTracks'
    const found = async (query: string): Promise<readonly string[]> =>
      (await catalogue.get(`${target}${query}`)).resources.map((each) => each.id)
    expect(await found('')).toEqual(['5', '1', '3'])
    expect(await found('?sort=-weight')).toEqual(['3', '5', '1'])
    expect(await found('?sort=addedAt')).toEqual(['5', '3', '1'])
    expect(await found('?sort=title')).toEqual(['1', '3', '5'])
  })
})
