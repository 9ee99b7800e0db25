import { describe, expect, test } from 'vitest'
import { dataResponse, relatedResponse } from '../../src/serve/operation/response-value.js'
import type { ServedType } from '../../src/declare/resource/capabilities/served-type.js'
import { albums, artists, countries, identifier, tracks } from './music.js'
import { node, nodes, rendered, resources } from './rendered.js'

const okComputer = { id: 1, title: 'OK Computer', artistId: 7 }
const radiohead = node(artists, { id: 7, name: 'Radiohead' })

/** A type that counts how often its attributes were requested: once for each writer. */
function counted(served: ServedType): { readonly served: ServedType; readonly compiled: () => number } {
  let compiled = 0
  const { attributes, ...type } = served.type
  const counting = Object.defineProperty({ ...type }, 'attributes', {
    get() {
      compiled += 1
      return attributes
    },
  })
  return { served: { ...served, type: counting as ServedType['type'] }, compiled: () => compiled }
}

const withMeta = (meta: ServedType['type']['meta']): ServedType => ({ ...artists, type: { ...artists.type, meta } })

describe('included', () => {
  test('is after data, and each resource is written by its own type', () => {
    const primary = node(albums, okComputer, { tracks: { data: [identifier('tracks', '3')] } })
    const included = [radiohead, node(tracks, { title: 'Airbag', id: 3 })]
    const { document, text } = rendered(dataResponse(resources(primary, { included }), { meta: { a: 1 } }))
    expect(Object.keys(JSON.parse(text))).toEqual(['data', 'included', 'meta', 'links', 'jsonapi'])
    expect(document?.included).toEqual([
      {
        type: 'artists',
        id: '7',
        attributes: { name: 'Radiohead' },
        links: { self: 'http://localhost/artists/7' },
      },
      { type: 'tracks', id: '3', attributes: { title: 'Airbag' }, links: { self: 'http://localhost/tracks/3' } },
    ])
  })

  test('is an empty list if inclusion was requested and found nothing, and absent if it was not requested', () => {
    const none = { ...okComputer, artistId: null }
    expect(rendered(dataResponse(resources(node(albums, none), { included: [] }))).text).toContain(',"included":[],')
    expect(rendered(dataResponse(resources(node(albums, none)))).document).not.toHaveProperty('included')
  })

  test('is present in related documents, and next to a list', () => {
    const list = resources([node(albums, okComputer)], { included: [radiohead] })
    expect(rendered(relatedResponse(list)).document?.included).toHaveLength(1)
  })

  test('obeys the fieldset of each type', () => {
    const query = {
      fields: new Map([
        ['albums', new Set(['artist'])],
        ['artists', new Set<string>()],
      ]),
    }
    const { document } = rendered(dataResponse(resources(node(albums, okComputer), { included: [radiohead], query })))
    expect(document?.included).toEqual([{ type: 'artists', id: '7', links: { self: 'http://localhost/artists/7' } }])
  })

  test('holds resources of serializers too', () => {
    const iceland = node(countries, { code: 'is', name: 'Iceland', anthemId: 3 })
    const airbag = node(tracks, { id: 3, title: 'Airbag' })
    const { document } = rendered(dataResponse(resources([iceland], { included: [airbag] })))
    expect(document?.included?.[0]?.attributes).toEqual({ title: 'Airbag' })
  })
})

describe('rows of one type', () => {
  test('are written by one writer, however many they are and however they are mixed', () => {
    const { served, compiled } = counted(tracks)
    const titles = nodes(
      served,
      ['id', 'title'],
      [
        [1, 'Airbag'],
        [2, 'Paranoid Android'],
        [3, 'Lucky'],
      ],
    )
    const mixed = titles.flatMap((title) => [title, radiohead]).slice(0, 4)
    const { resources: shown } = rendered(dataResponse(resources([...mixed.slice(0, 3), ...titles.slice(2)])))
    expect(shown.map(({ type, id }) => `${type} ${id}`)).toEqual(['tracks 1', 'artists 7', 'tracks 2', 'tracks 3'])
    expect(compiled()).toBe(1)
  })

  test('may come with different columns, and each is read by its own', () => {
    const swapped = [
      ...nodes(tracks, ['id', 'title'], [[1, 'Airbag']]),
      ...nodes(tracks, ['title', 'id'], [['Lucky', 2]]),
    ]
    const { resources: shown } = rendered(dataResponse(resources(swapped)))
    expect(shown.map(({ id, attributes }) => [id, attributes?.['title']])).toEqual([
      ['1', 'Airbag'],
      ['2', 'Lucky'],
    ])
  })
})

describe('the meta of a resource', () => {
  test('is that of its type, overridden by that of the relation', () => {
    const served = withMeta((row) => ({ row: row['name'], pivot: 'of the type' }))
    const reached = { ...node(served, { id: 7, name: 'Radiohead' }), meta: { pivot: { position: 1 } } }
    expect(rendered(dataResponse(resources(reached))).resource.meta).toEqual({
      row: 'Radiohead',
      pivot: { position: 1 },
    })
  })

  test('is that of the relation if the type has none, and absent if both have none', () => {
    expect(rendered(dataResponse(resources({ ...radiohead, meta: { pivot: {} } }))).resource.meta).toEqual({
      pivot: {},
    })
    expect(rendered(dataResponse(resources({ ...radiohead, meta: {} }))).resource).not.toHaveProperty('meta')
  })

  test('of a serializer is overridden by key in the same way', () => {
    const iceland = { ...node(countries, { code: 'is', anthemId: null }), meta: { own: false, pivot: 1 } }
    expect(rendered(dataResponse(resources(iceland))).resource.meta).toEqual({ own: false, pivot: 1 })
  })
})
