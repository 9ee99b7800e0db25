import { belongsTo, createServer, defineResource, hasMany, id, model, type RequestContext } from 'ashlar'
import type { RowObject } from '../../src/declare/resource/fields/field-spec.js'
import { expectErrors } from 'ashlar/testing'
import { describe, expect, test } from 'vitest'
import { client } from '../support/client.js'
import { recordShop } from '../support/record-shop.js'
import { relationshipLinks, shown } from '../support/shown.js'
import { storedData } from '../support/stored-data.js'

const kinds = (resource: { readonly relationships?: object }): readonly string[] =>
  Object.keys(resource.relationships ?? {})

const marked = () =>
  client(
    recordShop({
      albums: {
        relations: {
          artist: belongsTo('artists').identifierMeta((album, artist) => ({
            title: album['title'],
            name: artist['name'],
          })),
          tracks: hasMany('tracks').identifierMeta((_album, track) => (track['id'] === 1 ? { first: true } : {})),
        },
      },
    }),
  )

describe('identifierMeta()', () => {
  test('adds meta to identifiers of a resource, from both rows', async () => {
    const { resource } = await marked().get('/albums/1?include=tracks&fields[artists]=')
    expect(resource.relationships).toEqual({
      artist: {
        links: relationshipLinks('/albums/1', 'artist'),
        data: { type: 'artists', id: '1', meta: { title: 'OK Computer', name: 'Radiohead' } },
      },
      tracks: {
        links: relationshipLinks('/albums/1', 'tracks'),
        data: [
          { type: 'tracks', id: '1', meta: { first: true } },
          { type: 'tracks', id: '2' },
        ],
      },
    })
  })

  test('adds it at the relationship endpoint', async () => {
    expect((await marked().get('/albums/2/relationships/artist')).document?.data).toEqual({
      type: 'artists',
      id: '1',
      meta: { title: 'Kid A', name: 'Radiohead' },
    })
    expect((await marked().get('/albums/1/relationships/tracks?sort=title')).document?.data).toEqual([
      { type: 'tracks', id: '1', meta: { first: true } },
      { type: 'tracks', id: '2' },
    ])
  })

  test('adds none to the resources themselves', async () => {
    expect((await marked().get('/albums/1/artist')).resource).not.toHaveProperty('meta')
    const { document } = await marked().get('/albums/1?include=artist,tracks&fields[albums]=title')
    expect(document?.included?.some((resource) => 'meta' in resource)).toBe(false)
  })
})

const sparse = () =>
  client(
    recordShop({
      albums: {
        relations: { artist: belongsTo('artists').sparseByDefault(), tracks: hasMany('tracks').sparseByDefault() },
      },
    }),
  )

describe('a sparseByDefault() relation', () => {
  test('is omitted from the default response, primary or included', async () => {
    expect((await sparse().get('/albums/1')).resource).not.toHaveProperty('relationships')
    const { document } = await sparse().get('/tracks/1?include=album')
    expect(document?.included?.[0]).not.toHaveProperty('relationships')
  })

  test('is rendered when fields names it', async () => {
    const { resource } = await sparse().get('/albums/1?fields[albums]=artist,tracks')
    expect(resource.relationships).toEqual({
      artist: { links: relationshipLinks('/albums/1', 'artist'), data: { type: 'artists', id: '1' } },
      tracks: { links: relationshipLinks('/albums/1', 'tracks') },
    })
  })

  test('is rendered when it is included, so that included resources are linked', async () => {
    const { document, resource } = await sparse().get('/albums/1?include=artist')
    expect(kinds(resource)).toEqual(['artist'])
    expect(shown(document?.included)).toEqual(['artists 1'])
  })

  test('can be included if a fieldset leaves it out', async () => {
    const { document, resource } = await sparse().get('/albums/1?include=artist&fields[albums]=title')
    expect(resource).not.toHaveProperty('relationships')
    expect(shown(document?.included)).toEqual(['artists 1'])
  })

  test('has its endpoints', async () => {
    expect(shown((await sparse().get('/albums/1/artist')).resource)).toEqual(['artists 1'])
    expect(shown((await sparse().get('/albums/1/relationships/tracks')).document?.data)).toEqual([
      'tracks 1',
      'tracks 2',
    ])
  })
})

describe('a notSparseField() relation', () => {
  test('is always rendered regardless of fields', async () => {
    const relations = { artist: belongsTo('artists').notSparseField(), tracks: hasMany('tracks') }
    const api = client(recordShop({ albums: { relations } }))
    for (const fieldset of ['title', '', 'tracks']) {
      expect(kinds((await api.get(`/albums/1?fields[albums]=${fieldset}`)).resource)).toContain('artist')
    }
  })
})

interface ExtractCall {
  readonly row: RowObject
  readonly context: RequestContext
}

/** Albums whose relations are read by functions, which record their calls. */
function extracting(calls: ExtractCall[] = []) {
  const note = (row: RowObject, context: RequestContext): number => calls.push({ row, context })
  const tracks = defineResource('tracks', {
    model: model<{ id: number; title: string; albumId: number }>('tracks'),
    id: id(),
    attributes: (a) => ({ title: a.string().sortable() }),
    filters: (f) => ({ title: f.contains('title') }),
    scope: (_context, f) => f.where('title', '!=').fixed('Secret'),
  })
  const albums = defineResource('albums', {
    model: model<{ id: number; title: string }>('albums'),
    id: id(),
    attributes: (a) => ({ title: a.string() }),
    relations: {
      hits: hasMany('tracks').extractUsing((row, context) => {
        note(row, context)
        const hits = ['Zulu', 'Alpha', 'Secret'].map((title, index) => ({ id: index + 1, title, albumId: 1 }))
        return Promise.resolve(row['id'] === 1 ? hits : [])
      }),
      opener: belongsTo('tracks').extractUsing((row) =>
        row['id'] === 1 ? { id: 9, title: 'Airbag', albumId: 1 } : null,
      ),
    },
  })
  const data = storedData({
    albums: [
      { id: 1, title: 'OK Computer' },
      { id: 2, title: 'Kid A' },
    ],
  })
  return client(createServer({ resources: [albums, tracks], data }))
}

describe('an extractUsing() relation', () => {
  test('is read by its function: linkage, related, included', async () => {
    const { document, resources } = await extracting().get('/albums?include=hits')
    expect(resources.map(({ relationships }) => shown(relationships?.['hits']?.data))).toEqual([
      ['tracks 1', 'tracks 2'],
      [],
    ])
    expect(document?.included?.map(({ attributes }) => attributes)).toEqual([{ title: 'Zulu' }, { title: 'Alpha' }])
    expect(shown((await extracting().get('/albums/1/relationships/hits')).document?.data)).toEqual([
      'tracks 1',
      'tracks 2',
    ])
  })

  test('to one renders linkage on every response, as its kind determines', async () => {
    const { resources } = await extracting().get('/albums')
    expect(resources.map(({ relationships }) => relationships?.['opener']?.data)).toEqual([
      { type: 'tracks', id: '9' },
      null,
    ])
    expect((await extracting().get('/albums/1/opener')).resource.attributes).toEqual({ title: 'Airbag' })
    expect((await extracting().get('/albums/2/opener')).document?.data).toBeNull()
  })

  test('takes the filters, sorts and pages of the related type, and its scope', async () => {
    const api = extracting()
    expect(shown((await api.get('/albums/1/hits?sort=title')).resources)).toEqual(['tracks 2', 'tracks 1'])
    expect(shown((await api.get('/albums/1/hits?filter[title]=zu')).resources)).toEqual(['tracks 1'])
    expect(shown((await api.get('/albums/1/hits?page[size]=1&page[number]=2')).resources)).toEqual(['tracks 2'])
    expectErrors(await api.get('/albums/1/hits?filter[nonsense]=1'), [{ status: 400, code: 'FILTERING_UNRECOGNIZED' }])
  })

  test('is not called if its members are not needed', async () => {
    const calls: ExtractCall[] = []
    await extracting(calls).get('/albums/1')
    await extracting(calls).get('/albums/1/opener')
    expect(calls).toEqual([])
  })

  test('sees the whole row and the request', async () => {
    const calls: ExtractCall[] = []
    await extracting(calls).get('/albums/2/hits?fields[albums]=')
    expect(calls.map(({ row, context }) => [row, context.type])).toEqual([[{ id: 2, title: 'Kid A' }, 'albums']])
  })
})
