import {
  type AnyResource,
  belongsTo,
  createServer,
  defineResource,
  hasMany,
  id,
  model,
  type OpenApiDocument,
} from 'ashlar'
import { memoryData } from 'ashlar/memory'
import { expect, test } from 'vitest'
import { expectLinear } from '../support/growth.js'

/** Types with 20 attributes and 4 relations each, which all include each other. */
function manyTypes(count: number): readonly AnyResource[] {
  const nameOf = (index: number): string => `type${index % count}`
  return Array.from({ length: count }, (_type, index) =>
    defineResource(nameOf(index), {
      model: model<Record<string, string>>(nameOf(index)),
      id: id(),
      attributes: (a) =>
        Object.fromEntries(Array.from({ length: 20 }, (_attribute, at) => [`text${at}`, a.string().maxLength(at + 1)])),
      relations: {
        parent: belongsTo(nameOf(index + 1)),
        origin: belongsTo(nameOf(index + 7)),
        children: hasMany(nameOf(index + count - 1)).via('parentId'),
        others: hasMany(nameOf(index + count - 7)).via('originId'),
      },
    }),
  )
}

function documentOf(count: number): OpenApiDocument {
  return createServer({ resources: manyTypes(count), data: memoryData() }).openapi()
}

test('the document of many types is created in linear time', async () => {
  await expectLinear(
    (size) => {
      const server = createServer({ resources: manyTypes(size), data: memoryData() })
      return () => server.openapi()
    },
    { small: 25, times: 4 },
  )
})

test('the document of many types grows with their number, however they include each other', () => {
  const [some, many] = [50, 200].map((count) => JSON.stringify(documentOf(count)).length / count)
  expect(many).toBeLessThan((some ?? 0) * 1.05)
  expect(many).toBeLessThan(50_000)
})

test('parameters of many types are shared', () => {
  const { paths, components } = documentOf(32) as OpenApiDocument & {
    readonly components: Readonly<Record<string, Readonly<Record<string, Record<string, unknown>>>>>
  }
  const { parameters } = (paths['/type0'] as { readonly get: { readonly parameters: readonly object[] } }).get
  expect(parameters).toContainEqual({ $ref: '#/components/parameters/Fields' })
  expect(parameters).toContainEqual({ $ref: '#/components/parameters/WithLinkage' })
  expect(components['parameters']?.['Fields']).toMatchObject({
    name: 'fields',
    style: 'deepObject',
    schema: { properties: { type31: { type: 'string' } }, additionalProperties: false },
  })
  expect(components['schemas']?.['Included']?.['anyOf']).toHaveLength(32)
  expect(components['schemas']).not.toHaveProperty('Type0Included')
})
