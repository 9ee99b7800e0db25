import { belongsTo, createServer, defineResource, id, model } from 'ashlar'
import type { TestResource } from 'ashlar/testing'
import { describe, expect, test } from 'vitest'
import { client, resourceBody } from '../support/client.js'
import { countedData } from '../support/counted-data.js'
import { flattenedData, flattenedMusic, staff } from '../support/flattened-music.js'
import { recordingProvider } from '../support/recording-provider.js'
import { storedData } from '../support/stored-data.js'

// reference-fields 1.4: attributes that are flattened from a chain of to-one relations.

const music = client(flattenedMusic())

function attribute(name: string, resources: readonly TestResource[]): readonly unknown[] {
  return resources.map(({ attributes }) => attributes?.[name])
}

describe('a flattened attribute is read', () => {
  test('from the row at the end of its path, in the form of its own kind', async () => {
    const { resource } = await music.get('/albums/1')
    expect(resource.attributes).toEqual({
      title: 'Kid A',
      artistName: 'Radiohead',
      artistFounded: '1985-01-01',
      producerName: 'Björk',
      labelName: 'XL',
      portraitUrl: 'https://example.com/radiohead.png',
    })
  })

  test('as null if a relation of the path is empty, first or last', async () => {
    const { resources } = await music.get('/albums')
    expect(attribute('artistName', resources)).toEqual(['Radiohead', 'Björk', null, null])
    expect(attribute('labelName', resources)).toEqual(['XL', null, null, null])
    expect(attribute('portraitUrl', resources)).toEqual(['https://example.com/radiohead.png', null, null, null])
  })

  test('as null if the row is hidden from the caller by the scope of its type', async () => {
    expect((await music.get('/albums/3')).resource.attributes).toMatchObject({ artistName: null })
    expect((await music.get('/albums/3', staff)).resource.attributes).toMatchObject({ artistName: 'Burial' })
  })

  test('over hidden relations, and over relations that cannot be included', async () => {
    const { resource, document } = await music.get('/albums/1')
    expect(resource.attributes).toMatchObject({ artistName: 'Radiohead', producerName: 'Björk' })
    expect(resource.relationships).not.toHaveProperty('producer')
    expect(document).not.toHaveProperty('included')
  })

  test('beyond the depth of inclusion', async () => {
    const { resource } = await music.get('/tracks/1?fields[tracks]=artistName')
    expect(resource.attributes).toEqual({ artistName: 'Radiohead' })
  })

  test('of included and of related resources', async () => {
    const { document } = await music.get('/tracks?include=album')
    expect(attribute('artistName', document?.included ?? [])).toEqual(['Radiohead', 'Björk', null])
    expect((await music.get('/tracks/2/album')).resource.attributes).toMatchObject({ artistName: 'Björk' })
    const { resources } = await music.get('/artists/1/albums')
    expect(attribute('labelName', resources)).toEqual(['XL'])
  })

  test('of primary resources that are included too', async () => {
    const { resource } = await music.get('/albums/1?include=tracks.album')
    expect(resource.attributes).toMatchObject({ artistName: 'Radiohead' })
  })

  test('if a fieldset leaves everything else out', async () => {
    const { resources } = await music.get('/albums?fields[albums]=labelName')
    expect(resources.map(({ attributes }) => attributes)).toEqual([
      { labelName: 'XL' },
      { labelName: null },
      { labelName: null },
      { labelName: null },
    ])
  })

  test('in the responses to writes', async () => {
    const fresh = client(flattenedMusic())
    const body = resourceBody('albums', { title: 'Debut' }, '2')
    const { resource } = await fresh.patch('/albums/2', { body })
    expect(resource.attributes).toMatchObject({ title: 'Debut', artistName: 'Björk' })
  })
})

/** The calls of the providers by a request, by name. */
async function readsOf(path: string): Promise<readonly string[]> {
  const { data, calls } = countedData(flattenedData())
  expect((await client(flattenedMusic(data)).get(path)).status).toBe(200)
  return calls
    .map(({ type, method, relation }) => `${method} ${relation === undefined ? type : `${type}.${relation}`}`)
    .toSorted()
}

describe('flattened attributes cost one provider call per relation', () => {
  test('for any number of resources, and of attributes over the same path', async () => {
    const calls = [
      'fetchRelated albums.artist',
      'fetchRelated albums.producer',
      'fetchRelated artists.label',
      'fetchRelated artists.portrait',
    ]
    const fields = 'fields[albums]=artistName,artistFounded,producerName,labelName,portraitUrl'
    expect(await readsOf(`/albums?${fields}`)).toEqual(['fetchCollection albums', ...calls])
    expect(await readsOf(`/albums/1?${fields}`)).toEqual(['fetchOne albums', ...calls])
  })

  test('and none if the fieldset leaves them out', async () => {
    expect(await readsOf('/albums?fields[albums]=title')).toEqual(['fetchCollection albums'])
    expect(await readsOf('/tracks')).toEqual(['fetchCollection tracks'])
  })

  test('and none beyond a relation that is empty everywhere', async () => {
    expect(await readsOf('/albums/4?fields[albums]=labelName')).toEqual([
      'fetchOne albums',
      'fetchRelated albums.artist',
    ])
  })

  test('of a type, wherever in the document its resources are', async () => {
    const path = '/albums?include=tracks.album&fields[albums]=artistName,tracks'
    expect(await readsOf(path)).toEqual([
      'fetchCollection albums',
      'fetchRelated albums.artist',
      'fetchRelated albums.tracks',
      'fetchRelated tracks.album',
    ])
  })

  test('and no provider gets a column that its rows do not have', async () => {
    const columns: unknown[] = []
    const albums = recordingProvider([{ id: 1, title: 'Kid A', artistId: 1 }])
    const spied = {
      ...albums.provider,
      fetchOne: (...given: Parameters<typeof albums.provider.fetchOne>) => {
        columns.push(given[2].columns)
        return albums.provider.fetchOne(...given)
      },
    }
    const server = createServer({
      resources: crossStore(spied),
      data: storedData({ artists: [{ id: 1, name: 'Radiohead' }] }),
    })
    expect((await client(server).get('/albums/1')).resource.attributes).toEqual({
      title: 'Kid A',
      artistName: 'Radiohead',
    })
    expect(columns).toEqual([['id', 'title', 'artistId']])
  })
})

const artists = defineResource('artists', {
  model: model<{ id: number; name: string }>('artists'),
  id: id(),
  attributes: (a) => ({ name: a.string() }),
})

/** Albums of a separate store. */
function crossStore(provider: ReturnType<typeof recordingProvider>['provider']) {
  const albums = defineResource('albums', {
    model: model<{ id: number; title: string; artistId: number | null }>('albums'),
    id: id(),
    attributes: (a) => ({ title: a.string(), artistName: a.string().on('artist').storedAs('name').readOnly() }),
    relations: { artist: belongsTo('artists') },
    provider,
    readOnly: true,
  })
  return [albums, artists] as const
}

describe('a flattened attribute', () => {
  test('is read across stores', async () => {
    const albums = recordingProvider([
      { id: 1, title: 'Kid A', artistId: 1 },
      { id: 2, title: 'Amnesiac', artistId: 1 },
      { id: 3, title: 'Demos', artistId: null },
    ])
    const { data, calls } = countedData(storedData({ artists: [{ id: 1, name: 'Radiohead' }] }))
    const server = createServer({ resources: crossStore(albums.provider), data })
    const { resources } = await client(server).get('/albums')
    expect(attribute('artistName', resources)).toEqual(['Radiohead', 'Radiohead', null])
    expect(calls).toEqual([{ type: 'artists', method: 'fetchCollection' }])
  })

  test('is read over a relation that a function reads', async () => {
    const albums = defineResource('albums', {
      model: model<{ id: number; by: string }>('albums'),
      id: id(),
      attributes: (a) => ({ artistName: a.string().on('artist').storedAs('name').readOnly() }),
      relations: (r) => ({ artist: r.belongsTo('artists').extractUsing(({ by }) => ({ id: 1, name: by })) }),
    })
    const data = storedData({ albums: [{ id: 1, by: 'Radiohead' }] })
    const server = createServer({ resources: [albums, artists], data })
    const { resource } = await client(server).get('/albums/1?fields[albums]=artistName')
    expect(resource.attributes).toEqual({ artistName: 'Radiohead' })
  })

  test('shows a column without an attribute in the related type, and is hidden by a predicate', async () => {
    const albums = defineResource('albums', {
      model: model<{ id: number; secret: boolean; artistId: number }>('albums'),
      id: id(),
      attributes: (a) => ({
        origin: a
          .string()
          .on('artist')
          .storedAs('country')
          .hidden(({ secret }) => secret),
      }),
      relations: { artist: belongsTo('artists') },
    })
    const ofCountries = defineResource('artists', {
      model: model<{ id: number; country: string }>('artists', { columns: ['id', 'country'] }),
      id: id(),
    })
    const server = createServer({
      resources: [albums, ofCountries],
      data: storedData({
        artists: [{ id: 1, country: 'England' }],
        albums: [
          { id: 1, secret: false, artistId: 1 },
          { id: 2, secret: true, artistId: 1 },
        ],
      }),
    })
    const { resources } = await client(server).get('/albums')
    expect(resources.map(({ attributes }) => attributes)).toEqual([{ origin: 'England' }, undefined])
  })
})

async function titles(path: string): Promise<readonly unknown[]> {
  return attribute('title', (await music.get(path)).resources)
}

describe('queries by a flattened attribute follow its path', () => {
  test('sorts', async () => {
    expect(await titles('/albums?sort=artistName')).toEqual(['Homogenic', 'Kid A', 'Untrue', 'Test Pressing'])
    expect(await titles('/albums?sort=-labelName,artistName')).toEqual([
      'Homogenic',
      'Untrue',
      'Test Pressing',
      'Kid A',
    ])
  })

  test('paths that end in one', async () => {
    expect(await titles('/tracks?filter[by]=Björk')).toEqual(['Jóga'])
    expect(await titles('/tracks?sort=by')).toEqual(['Jóga', 'Idioteque', 'Take 1', 'Humming'])
  })

  test('cursor pages of such an order', async () => {
    const first = await music.get('/albums?sort=artistName&page[size]=1')
    expect(attribute('title', first.resources)).toEqual(['Homogenic'])
    const next = first.document?.links?.['next']
    expect(await titles(String(next).replace('http://localhost', ''))).toEqual(['Kid A'])
  })

  test('filters, with values of the attribute and not of the related one', async () => {
    expect(await titles('/albums?filter[artistName]=Radiohead')).toEqual(['Kid A'])
    expect(await titles('/albums?filter[artistName]=Burial')).toEqual([])
    expect(await titles('/albums?filter[founded][min]=1980-01-01')).toEqual(['Kid A'])
    expect(await titles('/albums?filter[unsigned]=')).toEqual(['Homogenic', 'Untrue', 'Test Pressing'])
  })
})
