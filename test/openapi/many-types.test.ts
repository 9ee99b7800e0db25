import {
  type AnyResource,
  atomic,
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
import { client } from '../support/client.js'
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
  return createServer({ resources: manyTypes(count), data: memoryData(), extensions: [atomic()] }).openapi()
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
  const [some, many] = [120, 240].map((count) => JSON.stringify(documentOf(count)).length / count)
  expect(many).toBeLessThan((some ?? 0) * 1.05)
  // 571 types, as many as the schema of a large application has, need less than 12.5 MB.
  expect((many ?? 0) * 571).toBeLessThan(12_500_000)
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

test('the document of more than 100 types leaves out what repeats', () => {
  const { paths, components } = documentOf(101) as any // oxlint-disable-line no-explicit-any -- The documents are plain JSON.
  const { get } = paths['/type0']
  expect(Object.keys(get.responses)).toEqual(['200', 'default'])
  expect(get.responses['200']).not.toHaveProperty('headers')
  expect(paths['/type0'].post.responses['201'].headers).toHaveProperty('Location')
  // Generators look for the parameters of a collection in the operation itself.
  expect(get.parameters).toContainEqual(expect.objectContaining({ name: 'filter[id]' }))
  const sentPaths = get.parameters.find((each: { name?: string }) => each.name === 'include').schema.items.enum
  expect(sentPaths).toContain('children.others')
  expect(sentPaths).not.toContain('children.others.parent')
  // Relations to the same type have their documents in common.
  const change = paths['/type0/{id}/relationships/children'].patch
  expect(change.requestBody).toEqual({ $ref: '#/components/requestBodies/Type100ToManyRequest' })
  expect(change.responses['200']).toEqual({ $ref: '#/components/responses/Type100ToManyDocument' })
  expect(components.schemas).toHaveProperty('Type100ToManyRelationship.properties.data.type', 'array')
  expect(documentOf(100).components['schemas']).toHaveProperty('Type0ChildrenRelationship')
})

test('other requests do not wait for the document of many types', async () => {
  const server = createServer({ resources: manyTypes(120), data: memoryData(), openapi: { viewer: true } })
  const finished: string[] = []
  const get = async (path: string): Promise<void> => {
    await server.handle({
      method: 'GET',
      path,
      query: '',
      origin: 'http://localhost',
      hasBody: false,
      body: async () => null,
      header: () => undefined,
    })
    finished.push(path)
  }
  await Promise.all([get('/docs.json'), get('/docs/overview.html'), get('/type0'), get('/type1')])
  expect(finished.slice(0, 2)).toEqual(['/type0', '/type1'])
})

test('the file of a description has the text of the description', async () => {
  const server = createServer({ resources: manyTypes(9), data: memoryData(), openapi: true })
  const api = client(server, { validate: false })
  expect((await api.get('/docs.json')).text).toBe(JSON.stringify(server.openapi()))
  expect((await api.get('/schemas.json')).text).toBe(JSON.stringify(server.jsonSchemas()))
})
