import {
  belongsToMany,
  createServer,
  defineResource,
  enumeration,
  hasMany,
  id,
  model,
  morphTo,
  numberPage,
  type AnyResource,
} from 'ashlar'
import { memoryData } from 'ashlar/memory'
import { describe, expect, test } from 'vitest'

/** The parts of the document that client generators read by their position, without following references. */

/** A numeric enum, as TypeScript compiles it. */
const Grade = { 1: 'Low', 2: 'High', Low: 1, High: 2 } as const

const formats = enumeration('Format', {
  lp: 'Twelve inches.',
  'cd-single': 'A short disc.',
  'cd single': 'Too.',
  '7"': '',
})

const albums = defineResource('albums', {
  model: model<{ id: number; title: string; format: string; grade: number; subjectId: number; subjectType: string }>(
    'albums',
  ),
  id: id(),
  attributes: (a) => ({
    title: a.string(),
    format: a.string().enum(formats),
    grade: a.integer().nullable().enum(Grade),
  }),
  relations: {
    tracks: hasMany('tracks').via('albumId'),
    subject: morphTo(['albums', 'tags']),
    tags: belongsToMany('tags')
      .through(model<{ albumId: number; tagId: number; position: number; addedAt: Date }>('albumTags'), {
        owner: 'albumId',
        member: 'tagId',
      })
      .fields((a) => ({ position: a.integer().required(), addedAt: a.dateTime().readOnly() })),
  },
  pagination: () => numberPage(),
})
const tracks = defineResource('tracks', {
  model: model<{ id: number; title: string; albumId: number }>('tracks'),
  id: id(),
  attributes: (a) => ({ title: a.string() }),
})
const tags = defineResource('tags', {
  model: model<{ id: number; name: string }>('tags'),
  id: id(),
  attributes: (a) => ({ name: a.string() }),
})

type Loose = Readonly<Record<string, any>> // oxlint-disable-line no-explicit-any -- The documents are plain JSON.

function documentOf(resources: readonly AnyResource[]): Loose {
  return createServer({ resources: resources as never, data: memoryData() }).openapi()
}

const { paths, components } = documentOf([albums, tracks, tags])
const schemas = components.schemas as Readonly<Record<string, Loose>>

describe('a generator of the reference finds', () => {
  test('the include paths and the sorts of a collection in the operation itself', () => {
    const listed = paths['/albums'].get.parameters as readonly Loose[]
    const items = (name: string): unknown => listed.find((each) => each['name'] === name)?.['schema'].items.enum
    expect(items('include')).toEqual(expect.arrayContaining(['tracks', 'tags', 'subject']))
    expect(items('sort')).toEqual(['id', '-id'])
  })

  test.each([0, 32])('a type for each component whose name ends with Resource, also among %i other types', (count) => {
    const others = Array.from({ length: count }, (_, index) =>
      defineResource(`others${index}`, {
        model: model<{ id: number; nextId: number }>(`others${index}`),
        id: id(),
        relations: { next: hasMany(`others${(index + 1) % count}`).via('nextId') },
      }),
    )
    const found = documentOf([albums, tracks, tags, ...others])['components'].schemas as Readonly<Record<string, Loose>>
    const resources = Object.entries(found).filter(([name]) => name.endsWith('Resource'))
    expect(resources).toHaveLength(3 + count)
    for (const [, schema] of resources) expect(schema).toHaveProperty('properties.type.const')
  })

  test('the fields of join rows in a part of allOf, with what clients do not write', () => {
    const items = schemas['AlbumsTagsRelationship']?.['properties'].data.items as Loose
    const [reference, part] = items['allOf'] as readonly Loose[]
    expect(reference).toEqual({ $ref: '#/components/schemas/TagsResourceIdentifier' })
    expect(part?.['properties'].meta.properties.pivot).toMatchObject({
      properties: { position: { type: 'integer' }, addedAt: { format: 'date-time', readOnly: true } },
      required: ['position', 'addedAt'],
    })
    const sent = schemas['AlbumsCreateRequest']?.['properties'].data.properties.relationships.properties.tags as Loose
    expect(sent['properties'].data.items.allOf[1]).toMatchObject({
      properties: { meta: { properties: { pivot: { required: ['position'] } }, required: ['pivot'] } },
      required: ['meta'],
    })
  })

  test('the types of a relation to several types', () => {
    expect(schemas['AlbumsSubjectRelationship']?.['properties'].data.anyOf).toEqual([
      {
        anyOf: [
          { $ref: '#/components/schemas/AlbumsResourceIdentifier' },
          { $ref: '#/components/schemas/TagsResourceIdentifier' },
        ],
      },
      { type: 'null' },
    ])
  })

  test('a name and a description for each value of an enumeration', () => {
    expect(schemas['Format']).toEqual({
      type: 'string',
      enum: ['lp', 'cd-single', 'cd single', '7"'],
      'x-enum-varnames': ['Lp', 'CdSingle', 'CdSingle2', '_7'],
      'x-enum-descriptions': ['Twelve inches.', 'A short disc.', 'Too.', ''],
      description: '- `lp`: Twelve inches.\n- `cd-single`: A short disc.\n- `cd single`: Too.\n- `7"`:',
    })
    expect(schemas['AlbumsAttributes']?.['properties'].grade).toMatchObject({
      anyOf: [{ enum: [1, 2], 'x-enum-varnames': ['Low', 'High'] }, { type: 'null' }],
    })
  })
})
