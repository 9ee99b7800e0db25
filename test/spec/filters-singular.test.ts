import { createServer, cursorPage, defineResource, hasMany, id, model, numberPage } from 'ashlar'
import { expectErrors } from 'ashlar/testing'
import { describe, expect, test } from 'vitest'
import { catalogueServer } from '../support/catalogue.js'
import { client } from '../support/client.js'
import { storedData } from '../support/stored-data.js'

const albums = defineResource('albums', {
  model: model<{ id: number; title: string; year: number; artistId: number }>('albums'),
  id: id(),
  attributes: (a) => ({ title: a.string().sortable(), year: a.integer().sortable() }),
  filters: (f) => ({
    title: f.where().singular(),
    titles: f.in('title').singular(),
    notTitles: f.notIn('title').singular(),
    year: f.where(),
    after: f.numeric('year', '>').singular().default(1990),
  }),
  countable: true,
  pagination: numberPage().withCount(),
  relations: { tracks: hasMany('tracks').via('albumId') },
})

const artists = defineResource('artists', {
  model: model<{ id: number }>('artists'),
  id: id(),
  relations: { albums: hasMany('albums').via('artistId').paginate(cursorPage()) },
})

const tracks = defineResource('tracks', {
  model: model<{ id: number; title: string; albumId: number }>('tracks'),
  id: id(),
  attributes: (a) => ({ title: a.string() }),
})

const api = client(
  createServer({
    resources: [albums, artists, tracks],
    data: storedData({
      artists: [{ id: 1 }],
      albums: [
        { id: 1, title: 'OK Computer', year: 1997, artistId: 1 },
        { id: 2, title: 'Kid A', year: 2000, artistId: 1 },
        { id: 3, title: 'Kid A', year: 2021, artistId: 1 },
        { id: 4, title: 'Early Demos', year: 1986, artistId: 1 },
      ],
      tracks: [{ id: 7, title: 'Airbag', albumId: 1 }],
    }),
  }),
)

describe('a singular filter that the client sends', () => {
  test('makes the collection a document of one resource: the first match', async () => {
    const { document, resource } = await api.get('/albums?filter[title]=Kid%20A')
    expect(resource).toEqual({
      type: 'albums',
      id: '2',
      attributes: { title: 'Kid A', year: 2000 },
      relationships: {
        tracks: {
          links: {
            self: 'http://localhost/albums/2/relationships/tracks',
            related: 'http://localhost/albums/2/tracks',
          },
        },
      },
      links: { self: 'http://localhost/albums/2' },
    })
    expect(document).toEqual({
      data: resource,
      links: { self: 'http://localhost/albums?filter%5Btitle%5D=Kid%20A' },
      jsonapi: { version: '1.1' },
    })
  })

  test('is null if nothing matches, and not 404', async () => {
    const { status, document } = await api.get('/albums?filter[title]=nobody')
    expect(status).toBe(200)
    expect(document?.data).toBeNull()
    expect(document).not.toHaveProperty('meta')
  })

  test('the first match is that of the requested order', async () => {
    expect((await api.get('/albums?filter[title]=Kid A&sort=-year')).resource.id).toBe('3')
    expect((await api.get('/albums?filter[notTitles]=OK Computer&sort=-year')).resource.id).toBe('3')
    expect((await api.get('/albums?filter[titles]=OK Computer,Kid A&sort=-title')).resource.id).toBe('1')
  })

  test('is never paginated: no page links, no meta.page, no meta.total, whatever page is sent', async () => {
    for (const page of ['page[number]=2', 'page[size]=0', 'page[number]=2&page[size]=1']) {
      const { document, resource } = await api.get(`/albums?filter[title]=Kid A&${page}`)
      expect(resource.id).toBe('2')
      expect(document).not.toHaveProperty('meta')
      expect(Object.keys(document?.links ?? {})).toEqual(['self'])
    }
  })

  test('is combined with other filters, all of which must hold', async () => {
    expect((await api.get('/albums?filter[title]=Kid A&filter[year]=2021')).resource.id).toBe('3')
    expect((await api.get('/albums?filter[year]=1986&filter[title]=Kid A')).document?.data).toBeNull()
  })

  test('may include, and has fieldsets', async () => {
    const { document, resource } = await api.get('/albums?filter[title]=OK Computer&include=tracks&fields[albums]=year')
    expect(resource.attributes).toEqual({ year: 1997 })
    expect(document?.included?.map(({ type }) => type)).toEqual(['tracks'])
    const none = await api.get('/albums?filter[title]=nobody&include=tracks')
    expect(none.document).toMatchObject({ data: null, included: [] })
  })

  test('is checked like any other', async () => {
    expectErrors(await api.get('/albums?filter[after]=x'), [
      { status: 400, code: 'FILTER_VALUE_INVALID', parameter: 'filter[after]' },
    ])
    expect((await api.get('/albums?filter[after]=2000')).resource.id).toBe('3')
  })

  test('in the catalogue: the artist of a slug', async () => {
    const catalogue = client(catalogueServer())
    expect((await catalogue.get('/artists?filter[slug]=bjork')).resource.attributes).toMatchObject({ name: 'Björk' })
    expect((await catalogue.get('/artists?filter[slug]=nobody')).document?.data).toBeNull()
  })
})

describe('a singular filter that the client does not send', () => {
  test('does not change the list, even if its default applies', async () => {
    const { document, resources } = await api.get('/albums')
    expect(resources.map((each) => each.id)).toEqual(['1', '2', '3'])
    expect(document?.meta).toMatchObject({ total: 3 })
  })
})

describe('a singular filter elsewhere', () => {
  test('only filters on related and relationship endpoints', async () => {
    const related = await api.get('/artists/1/albums?filter[title]=Kid A')
    expect(related.resources.map((each) => each.id)).toEqual(['2', '3'])
    expect(related.document?.meta).toHaveProperty('page')
    const linkage = await api.get('/artists/1/relationships/albums?filter[title]=Kid A')
    expect(linkage.document?.data).toEqual([
      { type: 'albums', id: '2' },
      { type: 'albums', id: '3' },
    ])
    expect((await api.get('/artists/1/albums?filter[title]=nobody')).resources).toEqual([])
  })
})
