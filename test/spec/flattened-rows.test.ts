import { belongsTo, createServer, defineResource, hasOne, id, model } from 'ashlar'
import type { Persister } from 'ashlar/store'
import { describe, expect, test } from 'vitest'
import { client } from '../support/client.js'
import { countedData } from '../support/counted-data.js'
import { storedData } from '../support/stored-data.js'

// reference-fields 1.4: which rows a write of flattened attributes reaches, and how.

describe('a write of flattened attributes', () => {
  test('is rolled back with everything else', async () => {
    const albums = defineResource('albums', {
      model: model<{ id: number; title: string; artistId: number }>('albums'),
      id: id(),
      attributes: (a) => ({
        title: a.string(),
        artistName: a.string().on('artist').storedAs('name'),
        country: a.string().on('artist.home').storedAs('country'),
      }),
      relations: { artist: belongsTo('artists') },
    })
    const artists = defineResource('artists', {
      model: model<{ id: number; name: string; homeId: number }>('artists'),
      id: id(),
      attributes: (a) => ({ name: a.string() }),
      relations: { home: belongsTo('homes') },
    })
    const refuses: Persister = {
      create: () => ({}),
      delete: () => false,
      update: () => {
        throw new Error('The atlas is closed.')
      },
    }
    const homes = defineResource('homes', {
      model: model<{ id: number; country: string }>('homes'),
      id: id(),
      attributes: (a) => ({ country: a.string() }),
      persister: refuses,
    })
    const data = storedData({
      albums: [{ id: 1, title: 'Kid A', artistId: 1 }],
      artists: [{ id: 1, name: 'Radiohead', homeId: 1 }],
      homes: [{ id: 1, country: 'England' }],
    })
    const logger = { error: () => undefined }
    const music = client(createServer({ resources: [albums, artists, homes], data, logger }))
    const attributes = { title: 'Kid B', artistName: 'RH', country: 'Iceland' }
    const response = await music.patch('/albums/1', { body: { data: { type: 'albums', id: '1', attributes } } })
    expect(response.status).toBe(500)
    const { resource } = await music.get('/albums/1')
    expect(resource.attributes).toEqual({ title: 'Kid A', artistName: 'Radiohead', country: 'England' })
  })

  test('changes the resource itself, if the path returns to it', async () => {
    const albums = defineResource('albums', {
      model: model<{ id: number; title: string; originalId: number }>('albums'),
      id: id(),
      attributes: (a) => ({ title: a.string(), originalTitle: a.string().on('original').storedAs('title') }),
      relations: { original: belongsTo('albums') },
    })
    const data = storedData({ albums: [{ id: 1, title: 'Kid A', originalId: 1 }] })
    const music = client(createServer({ resources: [albums], data }))
    const attributes = { originalTitle: 'Kid B' }
    const { resource } = await music.patch('/albums/1', { body: { data: { type: 'albums', id: '1', attributes } } })
    expect(resource.attributes).toEqual({ title: 'Kid B', originalTitle: 'Kid B' })
  })

  test('uses the keys that hooks have set', async () => {
    const albums = defineResource('albums', {
      model: model<{ id: number; artistId: number }>('albums'),
      id: id(),
      attributes: (a) => ({ artistName: a.string().on('artist').storedAs('name') }),
      relations: { artist: belongsTo('artists') },
      hooks: {
        beforeCreate(draft) {
          draft.artistId = 1
        },
      },
    })
    const artists = defineResource('artists', {
      model: model<{ id: number; name: string }>('artists'),
      id: id(),
      attributes: (a) => ({ name: a.string() }),
    })
    const music = client(
      createServer({ resources: [albums, artists], data: storedData({ artists: [{ id: 1, name: 'Radiohead' }] }) }),
    )
    const body = { data: { type: 'albums', attributes: { artistName: 'RH' } } }
    expect((await music.post('/albums', { body })).resource.attributes).toEqual({ artistName: 'RH' })
    expect((await music.get('/artists/1')).resource.attributes).toEqual({ name: 'RH' })
  })

  test('changes the row that a body links, if that row holds the key; its stored value is the result of deserializeUsing()', async () => {
    const artists = defineResource('artists', {
      model: model<{ id: number }>('artists'),
      id: id(),
      attributes: (a) => ({
        portraitUrl: a
          .string()
          .on('portrait')
          .storedAs('url')
          .deserializeUsing((value) => `https://example.com/${String(value)}`),
      }),
      relations: { portrait: hasOne('portraits') },
    })
    const portraits = defineResource('portraits', {
      model: model<{ id: number; url: string; artistId: number | null }>('portraits'),
      id: id(),
      attributes: (a) => ({ url: a.string() }),
      relations: { artist: belongsTo('artists') },
    })
    const data = storedData({ portraits: [{ id: 7, url: 'none', artistId: null }] })
    const music = client(createServer({ resources: [artists, portraits], data }))
    const relationships = { portrait: { data: { type: 'portraits', id: '7' } } }
    const { status } = await music.post('/artists', {
      body: { data: { type: 'artists', attributes: { portraitUrl: 'x.png' }, relationships } },
    })
    expect(status).toBe(201)
    expect((await music.get('/portraits/7')).resource.attributes).toEqual({ url: 'https://example.com/x.png' })
  })

  test('merges the members of an object into the stored value', async () => {
    const albums = defineResource('albums', {
      model: model<{ id: number; artistId: number }>('albums'),
      id: id(),
      attributes: (a) => ({
        origin: a.object().on('artist').fields({ town: a.string().required(), country: a.string() }),
      }),
      relations: { artist: belongsTo('artists') },
    })
    const artists = defineResource('artists', {
      model: model<{ id: number; origin: object }>('artists'),
      id: id(),
      attributes: (a) => ({ origin: a.object().fields({ town: a.string(), country: a.string() }) }),
    })
    const data = storedData({
      artists: [{ id: 1, origin: { town: 'Abingdon', country: 'England' } }],
      albums: [{ id: 1, artistId: 1 }],
    })
    const music = client(createServer({ resources: [albums, artists], data }))
    const body = { data: { type: 'albums', id: '1', attributes: { origin: { country: 'UK' } } } }
    const { resource } = await music.patch('/albums/1', { body })
    expect(resource.attributes).toEqual({ origin: { town: 'Abingdon', country: 'UK' } })
  })
})

describe('a PATCH reads no path', () => {
  const albums = defineResource('albums', {
    model: model<{ id: number; title: string; artistId: number }>('albums'),
    id: id(),
    attributes: (a) => ({
      title: a.string(),
      artistName: a.string().on('artist').storedAs('name').readOnly().sparseByDefault(),
    }),
    relations: { artist: belongsTo('artists') },
  })
  const artists = defineResource('artists', {
    model: model<{ id: number; name: string }>('artists'),
    id: id(),
    attributes: (a) => ({ name: a.string() }),
  })

  test('of attributes that it neither writes nor shows', async () => {
    const { data, calls } = countedData(
      storedData({ albums: [{ id: 1, title: 'Kid A', artistId: 1 }], artists: [{ id: 1, name: 'Radiohead' }] }),
    )
    const music = client(createServer({ resources: [albums, artists], data }))
    const body = { data: { type: 'albums', id: '1', attributes: { title: 'Kid B' } } }
    expect((await music.patch('/albums/1', { body })).status).toBe(200)
    expect(calls).toEqual([{ type: 'albums', method: 'fetchOne' }])
  })
})
