import { belongsTo, belongsToMany, createServer, defineResource, hasMany, id, model } from 'ashlar'
import { expectErrors } from 'ashlar/testing'
import { describe, expect, test } from 'vitest'
import { catalogueServer } from '../support/catalogue.js'
import { client } from '../support/client.js'
import { linkageWriter } from '../support/linkage-writer.js'
import { storedData } from '../support/stored-data.js'

const catalogue = client(catalogueServer())
const roadTrip = '/playlists/b0c7e3a4-6a59-4e64-8f0e-0f4f5e6a7b8c'

const ids = async (target: string, api = catalogue): Promise<readonly string[]> =>
  (await api.get(target)).resources.map((resource) => resource.id)

async function refuses(target: string, code: string, parameter: string, api = catalogue): Promise<void> {
  expectErrors(await api.get(target), [{ status: 400, code, parameter }])
}

describe('the filters of a relation', () => {
  test('apply at its related endpoint and its relationship endpoint', async () => {
    expect(await ids('/albums/1/tracks?filter[longerThan]=300')).toEqual(['2'])
    const linkage = await catalogue.get('/albums/1/relationships/tracks?filter[longerThan]=300')
    expect(linkage.document?.data).toEqual([{ type: 'tracks', id: '2', meta: { served_by: 'music' } }])
  })

  test('are added to those of the related type', async () => {
    expect(await ids('/albums/1/tracks?filter[title]=ar')).toEqual(['2', '6'])
    expect(await ids('/albums/1/tracks?filter[longerThan]=270')).toEqual(['1', '2'])
    expect(await ids('/albums/1/tracks?filter[title]=ar&filter[longerThan]=270')).toEqual(['2'])
    await refuses('/albums/1/tracks?filter[nobody]=1', 'FILTERING_UNRECOGNIZED', 'filter[nobody]')
    await refuses('/albums/1/tracks?filter[longerThan]=x', 'FILTER_VALUE_INVALID', 'filter[longerThan]')
  })

  test('are unknown to the collection of the type, and to other relations', async () => {
    await refuses('/tracks?filter[longerThan]=300', 'FILTERING_UNRECOGNIZED', 'filter[longerThan]')
    await refuses(`${roadTrip}/tracks?filter[longerThan]=1`, 'FILTERING_UNRECOGNIZED', 'filter[longerThan]')
  })

  test('win over those of the related type', async () => {
    const artists = defineResource('artists', {
      model: model<{ id: number }>('artists'),
      id: id(),
      relations: {
        albums: hasMany('albums').withFilters((f) => ({ title: f.startsWith(), year: f.greaterThan() })),
      },
    })
    const albums = defineResource('albums', {
      model: model<{ id: number; title: string; year: number; artistId: number }>('albums'),
      id: id(),
      attributes: (a) => ({ title: a.string(), year: a.integer() }),
      relations: { artist: belongsTo('artists') },
      filters: (f) => ({ title: f.endsWith(), year: f.where().default(1997) }),
    })
    const rows = {
      artists: [{ id: 1 }],
      albums: [
        { id: 1, title: 'OK Computer', year: 1997, artistId: 1 },
        { id: 2, title: 'Kid A', year: 2000, artistId: 1 },
      ],
    }
    const api = client(createServer({ resources: [artists, albums], data: storedData(rows) }))
    expect(await ids('/albums?filter[title]=r&filter[year]=1997', api)).toEqual(['1'])
    expect(await ids('/artists/1/albums?filter[title]=r', api)).toEqual([])
    expect(await ids('/artists/1/albums?filter[title]=k', api)).toEqual(['2'])
    expect(await ids('/artists/1/albums?filter[year]=1997', api)).toEqual(['2'])
    // A default that is overridden does not apply.
    expect(await ids('/albums', api)).toEqual(['1'])
    expect(await ids('/artists/1/albums', api)).toEqual(['1', '2'])
  })
})

describe('filters by the fields of join rows', () => {
  test.each([
    ['filter[position]=2', ['1']],
    ['filter[weight]=3', ['5']],
    ['filter[weight]=9&filter[position]=3', ['3']],
    ['filter[weight]=3&filter[position]=3', []],
    ['filter[weight]=3&filter[title]=what', ['5']],
    ['filter[weight]=9&filter[title]=what', []],
    ['filter[position]=9', []],
  ])('apply at the related endpoint: %s', async (query, expected) => {
    expect(await ids(`${roadTrip}/orderedTracks?${query}`)).toEqual(expected)
  })

  test('have values of the kind of the field', async () => {
    await refuses(`${roadTrip}/orderedTracks?filter[position]=x`, 'FILTER_VALUE_INVALID', 'filter[position]')
  })

  test('compare the join row of the parent, not those of other parents', async () => {
    const rainyDay = '/playlists/2f1d6c5e-93b7-4d0a-9c58-7a1e0b4d3f62'
    expect(await ids(`${rainyDay}/orderedTracks?filter[position]=1`)).toEqual(['1'])
    expect(await ids(`${rainyDay}/orderedTracks?filter[position]=2`)).toEqual(['11'])
    // Airbag comes second on the road.
    expect(await ids(`${roadTrip}/orderedTracks?filter[position]=2&filter[title]=airbag`)).toEqual(['1'])
    expect(await ids(`${rainyDay}/orderedTracks?filter[position]=2&filter[title]=airbag`)).toEqual([])
  })

  test('are unknown if the rows have no join row', async () => {
    await refuses('/tracks?filter[position]=1', 'FILTERING_UNRECOGNIZED', 'filter[position]')
    await refuses(`${roadTrip}/tracks?filter[position]=1`, 'FILTERING_UNRECOGNIZED', 'filter[position]')
    await refuses('/albums/1/tracks?filter[position]=1', 'FILTERING_UNRECOGNIZED', 'filter[position]')
  })

  test('a queried relationship read over join rows with fields is 400', async () => {
    const linkage = `${roadTrip}/relationships/orderedTracks`
    await refuses(`${linkage}?filter[position]=1`, 'QUERY_PARAM_UNRECOGNIZED', 'filter')
    await refuses(`${linkage}?sort=position`, 'QUERY_PARAM_UNRECOGNIZED', 'sort')
    await refuses(`${linkage}?page[size]=1`, 'QUERY_PARAM_UNRECOGNIZED', 'page')
  })

  test('every kind of filter may use them', async () => {
    const playlists = defineResource('playlists', {
      model: model<{ id: number }>('playlists'),
      id: id(),
      relations: {
        tracks: belongsToMany('tracks')
          .through('entries', { owner: 'playlistId', member: 'trackId' })
          .fields((a) => ({ place: a.integer(), addedAt: a.dateTime().storedAs('added').nullable() }))
          .withFilters((f) => ({
            added: f.dateRange('pivot.addedAt'),
            places: f.in('pivot.place'),
            from: f.numeric('pivot.place', '>='),
            undated: f.isNull('pivot.addedAt'),
            on: f.where('pivot.added'),
          }))
          .defaultSort('-place'),
      },
    })
    const tracks = defineResource('tracks', { model: model<{ id: number }>('tracks'), id: id() })
    const entries = [
      { id: 1, playlistId: 1, trackId: 1, place: 1, added: new Date('2024-01-01T00:00:00Z') },
      { id: 2, playlistId: 1, trackId: 2, place: 2, added: new Date('2024-02-01T00:00:00Z') },
      { id: 3, playlistId: 1, trackId: 3, place: 3, added: null },
    ]
    const rows = { playlists: [{ id: 1 }], tracks: [{ id: 1 }, { id: 2 }, { id: 3 }], entries }
    const api = client(createServer({ resources: [playlists, tracks], data: storedData(rows) }))
    expect(await ids('/playlists/1/tracks?filter[added][min]=2024-01-02', api)).toEqual(['2'])
    expect(await ids('/playlists/1/tracks?filter[places]=1,3', api)).toEqual(['3', '1'])
    expect(await ids('/playlists/1/tracks?filter[from]=2', api)).toEqual(['3', '2'])
    expect(await ids('/playlists/1/tracks?filter[undated]', api)).toEqual(['3'])
    expect(await ids('/playlists/1/tracks?filter[on]=2024-02-01T00:00:00Z', api)).toEqual(['2'])
    await refuses('/playlists/1/tracks?filter[places]=x', 'FILTER_VALUE_INVALID', 'filter[places]', api)
  })
})

describe('a filter on a to-one', () => {
  test.each(['/albums/1/artist', '/albums/1/relationships/artist'])('%s: the one, or null', async (address) => {
    const { data } = (await catalogue.get(address)).document ?? {}
    expect((await catalogue.get(`${address}?filter[name]=Radiohead`)).document?.data).toEqual(data)
    expect((await catalogue.get(`${address}?filter[q]=radio`)).document?.data).toEqual(data)
    const excluded = await catalogue.get(`${address}?filter[name]=Björk`)
    expect([excluded.status, excluded.document?.data]).toEqual([200, null])
  })

  test('has the filters of the related type', async () => {
    await refuses('/albums/1/artist?filter[title]=x', 'FILTERING_UNRECOGNIZED', 'filter[title]')
    await refuses('/albums/1/relationships/artist?filter[title]=x', 'FILTERING_UNRECOGNIZED', 'filter[title]')
  })

  test('has no default filters: they are for lists', async () => {
    const artists = defineResource('artists', {
      model: model<{ id: number; name: string; active: boolean }>('artists'),
      id: id(),
      attributes: (a) => ({ name: a.string(), active: a.boolean() }),
      filters: (f) => ({ name: f.where(), active: f.where().default(true) }),
    })
    const albums = defineResource('albums', {
      model: model<{ id: number; artistId: number }>('albums'),
      id: id(),
      relations: { artist: belongsTo('artists') },
    })
    const rows = { artists: [{ id: 1, name: 'Burial', active: false }], albums: [{ id: 1, artistId: 1 }] }
    const api = client(createServer({ resources: [artists, albums], data: storedData(rows) }))
    expect(await ids('/artists', api)).toEqual([])
    for (const address of ['/albums/1/artist', '/albums/1/relationships/artist']) {
      for (const query of ['', '?filter[name]=Burial', '?filter[active]=false']) {
        expect((await api.get(`${address}${query}`)).document?.data).toMatchObject({ type: 'artists', id: '1' })
      }
      expect((await api.get(`${address}?filter[active]=true`)).document?.data).toBeNull()
    }
  })

  test.each(['/albums/1/artist', '/albums/1/relationships/artist'])(
    '%s is neither sorted nor windowed',
    async (address) => {
      await refuses(`${address}?sort=name`, 'QUERY_PARAM_UNRECOGNIZED', 'sort')
      await refuses(`${address}?page[size]=1`, 'QUERY_PARAM_UNRECOGNIZED', 'page')
    },
  )

  test('of several types is FILTERING_UNRECOGNIZED, whether it is empty or not', async () => {
    const api = linkageWriter(catalogueServer())
    expect((await api.replace('/favorites/fav-1d/favoritable', null)).status).toBe(200)
    for (const favorite of ['fav-z', 'fav-1d']) {
      for (const address of [
        `/favorites/${favorite}/favoritable`,
        `/favorites/${favorite}/relationships/favoritable`,
      ]) {
        await refuses(`${address}?filter[title]=x&filter[name]=y`, 'FILTERING_UNRECOGNIZED', 'filter[title]', api)
        await refuses(`${address}?sort=title`, 'QUERY_PARAM_UNRECOGNIZED', 'sort', api)
        await refuses(`${address}?page[size]=1`, 'QUERY_PARAM_UNRECOGNIZED', 'page', api)
      }
    }
  })
})

describe('a to-many of several types', () => {
  test.each(['/libraries/1/items', '/libraries/1/relationships/items'])(
    '%s: filter and sort are QUERY_PARAM_UNRECOGNIZED, naming the parameter',
    async (address) => {
      await refuses(`${address}?filter[title]=x`, 'QUERY_PARAM_UNRECOGNIZED', 'filter')
      await refuses(`${address}?sort=title`, 'QUERY_PARAM_UNRECOGNIZED', 'sort')
    },
  )
})
