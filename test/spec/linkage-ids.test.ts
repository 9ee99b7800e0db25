import { belongsTo, belongsToMany, createServer, defineResource, defineType, hasMany, id, model, morphTo } from 'ashlar'
import { describe, expect, test } from 'vitest'
import { client } from '../support/client.js'
import { shown } from '../support/shown.js'
import { storedData } from '../support/stored-data.js'

/** Labels are known by their slug, and keys of relations point at their number. */
const labels = defineResource('labels', {
  model: model<{ id: number; slug: string; name: string }>('labels'),
  id: id('slug'),
  attributes: (a) => ({ name: a.string() }),
  relations: { artists: hasMany('artists').via('labelId') },
})

/** Artists have ids on the wire that are not their keys. */
const artists = defineResource('artists', {
  model: model<{ id: number; labelId: number | null; countryCode: string | null }>('artists'),
  id: id().encodeUsing<number>({
    encode: (key) => `artist-${key.toString(16)}`,
    decode: (wireId) => (/^artist-[0-9a-f]+$/.test(wireId) ? Number.parseInt(wireId.slice(7), 16) : null),
  }),
  relations: {
    label: belongsTo('labels'),
    country: belongsTo('countries').via('countryCode'),
    influences: belongsToMany('artists').through('influences', { owner: 'artistId', member: 'influenceId' }),
    rival: morphTo(['artists', 'labels']),
  },
})

/** Countries are written by a serializer, which returns the id too. */
const countries = defineType('countries', {
  model: model<{ code: string; name: string }>('countries', { key: 'code' }),
  fields: () => ({ code: id() }),
  serializer: {
    members: ['name'],
    serialize: (row) => ({ id: String(row['code']).toUpperCase(), attributes: { name: row['name'] } }),
  },
  operations: ['FetchCollection'],
})

const api = () =>
  client(
    createServer({
      resources: [labels, artists, countries],
      data: storedData({
        labels: [
          { id: 1, slug: 'ecm', name: 'ECM' },
          { id: 2, slug: 'warp', name: 'Warp' },
        ],
        artists: [
          { id: 10, labelId: 2, countryCode: 'is', rivalId: 1, rivalType: 'labels' },
          { id: 11, labelId: 2, countryCode: null, rivalId: 10, rivalType: 'artists' },
        ],
        influences: [{ id: 1, artistId: 10, influenceId: 11 }],
        countries: [{ code: 'is', name: 'Iceland' }],
      }),
    }),
  )

describe('linkage names the related resources as their own documents do', () => {
  test('if the id is another column than the one that keys refer to', async () => {
    expect((await api().get('/artists/artist-a')).resource.relationships?.['label']?.data).toEqual({
      type: 'labels',
      id: 'warp',
    })
    expect((await api().get('/artists/artist-a/relationships/label')).document?.data).toEqual({
      type: 'labels',
      id: 'warp',
    })
    expect((await api().get('/artists/artist-a/label')).resource).toMatchObject({
      id: 'warp',
      attributes: { name: 'Warp' },
    })
    const { document } = await api().get('/artists?include=label')
    expect(shown(document?.included)).toEqual(['labels warp'])
  })

  test('if wire ids are not the keys', async () => {
    const { document, resource } = await api().get('/labels/warp?include=artists.influences')
    expect(shown(resource.relationships?.['artists']?.data)).toEqual(['artists artist-a', 'artists artist-b'])
    expect(document?.included?.map(({ relationships }) => shown(relationships?.['influences']?.data))).toEqual([
      ['artists artist-b'],
      [],
    ])
    expect(shown((await api().get('/labels/warp/relationships/artists')).document?.data)).toEqual([
      'artists artist-a',
      'artists artist-b',
    ])
  })

  test('if a serializer returns the id', async () => {
    const { document, resource } = await api().get('/artists/artist-a?include=country')
    expect(resource.relationships?.['country']?.data).toEqual({ type: 'countries', id: 'IS' })
    expect(document?.included).toMatchObject([{ type: 'countries', id: 'IS', attributes: { name: 'Iceland' } }])
    const plain = await api().get('/artists')
    expect(plain.resources.map(({ relationships }) => relationships?.['country']?.data)).toEqual([
      { type: 'countries', id: 'IS' },
      null,
    ])
  })

  test('if the types of one relation differ in all that', async () => {
    const { document, resources } = await api().get('/artists?include=rival')
    expect(resources.map(({ relationships }) => relationships?.['rival']?.data)).toEqual([
      { type: 'labels', id: 'ecm' },
      { type: 'artists', id: 'artist-a' },
    ])
    expect(shown(document?.included)).toEqual(['labels ecm'])
    const without = await api().get('/artists')
    expect(without.resources.map(({ relationships }) => relationships?.['rival']?.data)).toEqual([
      { type: 'labels', id: 'ecm' },
      { type: 'artists', id: 'artist-a' },
    ])
  })
})

describe('the URLs of relationships', () => {
  test('have the wire id, percent-encoded', async () => {
    const { resource } = await api().get('/artists/artist-a')
    expect(resource.relationships?.['label']?.links).toEqual({
      self: 'http://localhost/artists/artist-a/relationships/label',
      related: 'http://localhost/artists/artist-a/label',
    })
    const data = storedData({ labels: [{ id: 1, slug: 'a/b ö?', name: 'Odd' }] })
    const odd = client(createServer({ resources: [labels, artists, countries], data }))
    const [label] = (await odd.get('/labels')).resources
    const related = String(label?.relationships?.['artists']?.links?.['related'])
    expect(related).toBe('http://localhost/labels/a%2Fb%20%C3%B6%3F/artists')
    expect((await odd.get(related.slice('http://localhost'.length))).document?.data).toEqual([])
  })
})
