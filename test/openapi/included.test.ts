import { belongsTo, createServer, defineResource, hasMany, id, model, morphToMany } from 'ashlar'
import { memoryData } from 'ashlar/memory'
import { describe, expect, test } from 'vitest'
import { client } from '../support/client.js'

type Loose = Readonly<Record<string, any>> // oxlint-disable-line no-explicit-any -- The documents are plain JSON.

const labels = defineResource('labels', {
  model: model<{ id: number; name: string }>('labels'),
  id: id(),
  attributes: (a) => ({ name: a.string() }),
})

const artists = defineResource('artists', {
  model: model<{ id: number; name: string; labelId: number }>('artists'),
  id: id(),
  attributes: (a) => ({ name: a.string() }),
  relations: { label: belongsTo('labels'), albums: hasMany('albums').via('artistId') },
})

interface Settings {
  readonly maxIncludeDepth?: number
  readonly allowedIncludePaths?: readonly string[]
}

const albumsWith = (settings: Settings) =>
  defineResource('albums', {
    model: model<{ id: number; title: string; artistId: number; labelId: number }>('albums'),
    id: id(),
    attributes: (a) => ({ title: a.string() }),
    relations: {
      artist: belongsTo('artists'),
      label: belongsTo('labels').cannotBeIncluded(),
      tracks: hasMany('tracks').via('albumId'),
    },
    ...settings,
  })

const tracks = defineResource('tracks', {
  model: model<{ id: number; title: string; albumId: number }>('tracks'),
  id: id(),
  attributes: (a) => ({ title: a.string() }),
  relations: { album: belongsTo('albums') },
})

const shelves = defineResource('shelves', {
  model: model<{ id: number; name: string }>('shelves'),
  id: id(),
  attributes: (a) => ({ name: a.string() }),
  relations: {
    items: morphToMany(['albums', 'artists', 'tracks']).through(
      model<{ shelfId: number; itemId: number; itemType: string }>('shelfItems'),
      { owner: 'shelfId', member: 'itemId', memberType: 'itemType' },
    ),
  },
})

function serverWith(ofAlbums: Settings, maxIncludeDepth: number) {
  const data = memoryData({
    albums: [{ id: 1, title: 'Kid A', artistId: 1, labelId: 1 }],
    artists: [{ id: 1, name: 'Radiohead', labelId: 1 }],
    tracks: [{ id: 1, title: 'Idioteque', albumId: 1 }],
    labels: [{ id: 1, name: 'XL' }],
    shelves: [{ id: 1, name: 'Mine' }],
    shelfItems: [
      { shelfId: 1, itemId: 1, itemType: 'albums' },
      { shelfId: 1, itemId: 1, itemType: 'artists' },
      { shelfId: 1, itemId: 1, itemType: 'tracks' },
    ],
  })
  const resources = [albumsWith(ofAlbums), artists, tracks, labels, shelves]
  return createServer({ resources, data, maxIncludeDepth })
}

/** Returns the paths that an operation offers, and the types that its fieldsets and `included` name. */
function described(server: ReturnType<typeof serverWith>, path: string) {
  const { paths, components } = server.openapi() as Loose
  const parameters = (paths[path].get.parameters as readonly Loose[]).map((each) =>
    each['$ref'] === undefined ? each : (components.parameters[each['$ref'].split('/').at(-1)] as Loose),
  )
  const include = parameters.find(({ name }) => name === 'include')
  const { $ref } = paths[path].get.responses['200'].content['application/vnd.api+json'].schema as Loose
  const { included } = components.schemas[$ref.split('/').at(-1)].properties as Loose
  return {
    paths: (include?.['schema'].items.enum ?? []) as readonly string[],
    isOpen: include?.['x-longer-paths'] === true,
    fields: parameters.flatMap(({ name }) => /^fields\[(.*)\]$/.exec(name as string)?.[1] ?? []),
    included: typesIn(included.items, components.schemas),
  }
}

function typesIn(schema: Loose | undefined, schemas: Loose): readonly string[] {
  if (schema === undefined) return []
  if (schema['anyOf'] !== undefined)
    return [...new Set((schema['anyOf'] as readonly Loose[]).flatMap((each) => typesIn(each, schemas)))].toSorted()
  if (schema['$ref'] === undefined) return []
  const found = schemas[schema['$ref'].split('/').at(-1)] as Loose
  const own = found['properties']?.type.const as string | undefined
  return own === undefined ? typesIn(found, schemas) : [own]
}

/** Every path of up to three relations, of which a server offers some. */
const names = ['artist', 'label', 'tracks', 'albums', 'album', 'items']
const candidates = [
  ...names,
  ...names.flatMap((one) => names.map((two) => `${one}.${two}`)),
  ...names.flatMap((one) => names.flatMap((two) => names.map((three) => `${one}.${two}.${three}`))),
]

describe.each<readonly [string, Settings, number]>([
  ['nothing limits', {}, 3],
  ['the server limits to one relation', {}, 1],
  ['the type limits to one relation', { maxIncludeDepth: 1 }, 3],
  ['the type limits to listed paths', { allowedIncludePaths: ['artist.label', 'tracks'] }, 3],
  ['the type limits to none', { allowedIncludePaths: [] }, 3],
])('include paths that %s', (_name, settings, depth) => {
  const server = serverWith(settings, depth)
  const api = client(server, { isDescribed: 'always' })

  test.each(['/albums', '/shelves/{id}/items', '/artists/{id}/albums'])('are those that %s accepts', async (path) => {
    const { paths, isOpen } = described(server, path)
    expect(isOpen).toBe(false)
    const accepted: string[] = []
    for (const candidate of candidates) {
      const response = await api.get(`${path.replace('{id}', '1')}?include=${candidate}`)
      if (response.status === 200) accepted.push(candidate)
    }
    expect([...paths].toSorted()).toEqual(accepted.toSorted())
  })

  test('determine the types of included and of the fieldsets', async () => {
    const { paths, fields, included } = described(server, '/albums')
    const reached = new Set<string>()
    for (const path of paths) {
      const { document } = await api.get(`/albums?include=${path}`)
      for (const { type } of document?.included ?? []) reached.add(type)
    }
    // A resource that is primary data is never included.
    expect(included.filter((type) => type !== 'albums')).toEqual([...reached].toSorted())
    expect(fields.filter((type) => type !== 'albums')).toEqual([...reached].toSorted())
  })
})
