import { reply, belongsTo, createServer, defineResource, hasMany, id, model, noContent, numberPage } from 'ashlar'
import { memoryData } from 'ashlar/memory'
import { Validator } from '@seriousme/openapi-schema-validator'
import { describe, expect, test } from 'vitest'
import { strictProblems } from '../support/strict-schemas.js'

interface AlbumRow {
  id: number
  title: string
  rank: number
  artistId: number
  label: { name: string; code: string }
}

const sunset = '2031-12-31'

const albums = defineResource('albums', {
  model: model<AlbumRow>('albums'),
  id: id(),
  attributes: (a) => ({
    title: a.string().describedAs('The title.').deprecated({ sunset, note: 'Use `name`.' }),
    rank: a.integer().sortable().deprecated(),
    label: a.object().fields({ name: a.string(), code: a.string().deprecated({ sunset }) }),
  }),
  relations: { artist: belongsTo('artists').filterable().deprecated({ sunset }) },
  filters: (f) => ({ title: f.contains().deprecated({ sunset }), rank: f.where().default(1) }),
  sorts: (s) => ({ name: s.field('title').deprecated({ sunset }) }),
  defaultSort: ['-rank'],
  defaultIncludes: ['artist'],
  actions: (a) => ({
    reissue: a.resource({
      deprecated: { sunset, note: 'Create another one.' },
      responds: noContent(),
      handle: () => reply.noContent(),
    }),
    report: a.collection({ deprecated: true, responds: noContent(), handle: () => reply.noContent() }),
    play: a.resource({ responds: noContent(), handle: () => reply.noContent() }),
  }),
})

const artists = defineResource('artists', {
  model: model<{ id: number }>('artists'),
  id: id(),
  relations: { albums: hasMany('albums').via('artistId') },
  pagination: numberPage({ size: 7 }),
  deprecation: true,
  sunset: 'Wed, 31 Dec 2031 23:59:59 GMT',
})

type Loose = Readonly<Record<string, any>> // oxlint-disable-line no-explicit-any -- The documents are plain JSON.

const document = createServer({
  resources: [albums, artists],
  data: memoryData(),
  limits: { bodyBytes: 5000 },
}).openapi()
const paths: Loose = document.paths
const schemas: Loose = document.components['schemas'] ?? {}

const deprecated = { deprecated: true, 'x-sunset': sunset }
const sentence = 'Deprecated, and may be removed from 2031-12-31 on.'

function parameter(path: string, name: string): Loose {
  const components: Loose = document.components['parameters'] ?? {}
  const listed = paths[path].get.parameters as readonly Loose[]
  const all = listed.map((each) =>
    each['$ref'] === undefined ? each : (components[each['$ref'].split('/').at(-1)] as Loose),
  )
  return all.find((each) => each['name'] === name) ?? {}
}

describe('deprecated parts are marked, with the date of their sunset', () => {
  test('attributes, read and sent, and members of composite values', () => {
    for (const name of ['AlbumsAttributes', 'AlbumsCreateAttributes', 'AlbumsUpdateAttributes']) {
      const { title, rank, label } = schemas[name].properties
      expect(title).toEqual({ type: 'string', description: `The title.\n\n${sentence} Use \`name\`.`, ...deprecated })
      expect(rank).toMatchObject({ description: 'Deprecated.', deprecated: true })
      expect(rank).not.toHaveProperty('x-sunset')
      expect(label.properties.code).toEqual({ type: 'string', description: sentence, ...deprecated })
      expect(label.properties.name).toEqual({ type: 'string' })
    }
  })

  test('relations, read and sent, and their operations', () => {
    expect(schemas['AlbumsArtistRelationship']).toMatchObject(deprecated)
    expect(schemas['AlbumsCreateRequest'].properties.data.properties.relationships.properties.artist).toMatchObject(
      deprecated,
    )
    expect(paths['/albums/{id}/artist'].get).toMatchObject({ ...deprecated, description: sentence })
    expect(paths['/albums/{id}/relationships/artist'].patch).toMatchObject(deprecated)
  })

  test('filters, and those of deprecated relations', () => {
    expect(parameter('/albums', 'filter[title]')).toMatchObject({
      ...deprecated,
      description: expect.stringContaining(` ${sentence}`),
    })
    expect(parameter('/albums', 'filter[artist]')).toMatchObject(deprecated)
    expect(parameter('/albums', 'filter[rank]')).not.toHaveProperty('deprecated')
  })

  test('sorts, and those of deprecated attributes', () => {
    expect(parameter('/albums', 'sort')).toMatchObject({
      'x-deprecated': { name: sunset, rank: null },
      description: `The order. A leading \`-\` means descending. \`rank\`: Deprecated. \`name\`: ${sentence}`,
    })
    expect(parameter('/artists', 'sort')).not.toHaveProperty('x-deprecated')
  })

  test('actions', () => {
    expect(paths['/albums/{id}/-actions/reissue'].post).toMatchObject({
      ...deprecated,
      description: `${sentence} Create another one.`,
    })
    expect(paths['/albums/-actions/report'].post).toMatchObject({ deprecated: true, description: 'Deprecated.' })
    expect(paths['/albums/{id}/-actions/play'].post).not.toHaveProperty('deprecated')
  })

  test('the operations of types with deprecation headers', () => {
    expect(paths['/artists'].get).toMatchObject({ deprecated: true, 'x-sunset': '2031-12-31T23:59:59Z' })
    expect(paths['/albums'].get).not.toHaveProperty('deprecated')
    const server = createServer({ resources: [artists, albums], data: memoryData(), deprecation: true, sunset: 'soon' })
    const root = (server.openapi().paths as Loose)['/'].get
    expect(root).toMatchObject({ deprecated: true })
    expect(root).not.toHaveProperty('x-sunset')
  })
})

test('requests without a sort, a filter or an include use those of the declaration', () => {
  expect(parameter('/albums', 'sort')['x-default']).toEqual(['-rank'])
  expect(parameter('/albums', 'filter[rank]')['x-default']).toBe(1)
  expect(parameter('/albums', 'include')['x-default']).toEqual(['artist'])
})

test('the limits are described as they apply', () => {
  expect(document['x-limits']).toMatchObject({ bodyBytes: 5000, jsonDepth: 64, includePaths: 100 })
})

test('validators find nothing', async () => {
  expect(await new Validator().validate(structuredClone(document) as Loose)).toMatchObject({ valid: true })
  expect(strictProblems(document)).toEqual([])
})
