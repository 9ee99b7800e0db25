import { authenticate, createServer, defineResource, id, model } from 'ashlar'
import { memoryData } from 'ashlar/memory'
import { expect, test } from 'vitest'

const genres = defineResource('genres', {
  model: model<{ id: string; name: string; lockVersion: number }>('genres'),
  id: id()
    .pattern(/[a-z-]+/)
    .requireClientId(),
  attributes: (a) => ({ name: a.string().required() }),
  version: { column: 'lockVersion', required: true },
  upsertBy: 'id',
  policy: () => ({ viewAny: true, view: true, create: ({ caller }) => caller !== null, update: true, delete: false }),
})

interface Operation {
  readonly operationId: string
  readonly parameters: readonly object[]
  readonly requestBody: object
  readonly responses: object
  readonly security: readonly object[]
}

const document = createServer({
  resources: [genres],
  data: memoryData(),
  middleware: [authenticate({ challenge: 'Bearer', caller: () => null })],
  secret: 'The secret of the tests',
}).openapi() as unknown as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: Readonly<Record<string, Readonly<Record<string, unknown>>>>
}

test('describes PUT of a type that is upserted: with both preconditions, responses and documents', () => {
  const put = document.paths['/genres/{id}']?.['put']
  expect(put?.operationId).toBe('upsert.genres')
  expect(put?.parameters).toEqual(
    expect.arrayContaining([
      { $ref: '#/components/parameters/IfMatchUpsert' },
      { $ref: '#/components/parameters/IfNoneUpsert' },
    ]),
  )
  expect(document.components['parameters']?.['IfMatchUpsert']).toMatchObject({ name: 'If-Match', in: 'header' })
  expect(document.components['parameters']?.['IfMatchUpsert']).not.toMatchObject({ required: true })
  expect(document.components['parameters']?.['IfNoneUpsert']).toMatchObject({ schema: { const: '*' } })
  expect(document.components['schemas']?.['GenresUpsertRequest']).toEqual({
    anyOf: [{ $ref: '#/components/schemas/GenresCreateRequest' }, { $ref: '#/components/schemas/GenresUpdateRequest' }],
  })
  expect(Object.keys(put?.responses ?? {})).toEqual(expect.arrayContaining(['200', '201', '204', '409', '412', '428']))
})

test('requires the credentials of the stricter one of both operations', () => {
  const { patch, put } = document.paths['/genres/{id}'] ?? {}
  expect(patch?.security).toEqual([])
  expect(put?.security).toEqual(document.paths['/genres']?.['post']?.security)
  expect(put?.security).not.toEqual([])
})
