import { belongsTo, createServer, defineResource, id, model } from 'ashlar'
import { memoryData } from 'ashlar/memory'
import { describe, expect, test } from 'vitest'
import { client } from '../support/client.js'

type Loose = Readonly<Record<string, any>> // oxlint-disable-line no-explicit-any -- The documents are plain JSON.

const artists = defineResource('artists', {
  model: model<{ id: number; name: string | null }>('artists'),
  id: id(),
  attributes: (a) => ({ name: a.string().nullable() }),
})

const albums = defineResource('albums', {
  model: model<Loose & { id: string }>('albums'),
  id: id().uuid().requireClientId(),
  attributes: (a) => ({
    title: a.string().required().minLength(10),
    label: a.string().example('Parlophone'),
    note: a.string(),
    status: a.string().required().in(['released', 'upcoming']),
    rating: a.integer().required().min(3).max(5),
    price: a.decimal().required().exclusiveMin(0),
    soldOut: a.boolean().required(),
    releasedOn: a.date().required(),
    tags: a.arrayList().required().minItems(1),
  }),
  relations: { artist: belongsTo('artists').required() },
})

const codes = defineResource('codes', {
  model: model<{ id: number; code: string }>('codes'),
  id: id(),
  attributes: (a) => ({
    code: a
      .string()
      .required()
      .pattern(/^[A-Z]{3}$/),
  }),
})

const server = createServer({
  resources: [artists, albums, codes],
  data: memoryData({ artists: [{ id: 1, name: null }], codes: [{ id: 1, code: 'ABC' }] }),
})

function exampleOf(method: 'post' | 'patch', path: string): Loose | undefined {
  const item = server.openapi().paths[path] as Loose
  return item[method].requestBody.content['application/vnd.api+json'].example
}

describe('the example of a request', () => {
  test('has what is required and what has an example, and the server accepts it', async () => {
    const example = exampleOf('post', '/albums')
    expect(example).toEqual({
      data: {
        type: 'albums',
        id: '018f4e3a-7b6c-7d10-8a9b-0c1d2e3f4a5b',
        attributes: {
          title: 'Text......',
          label: 'Parlophone',
          status: 'released',
          rating: 3,
          price: 1,
          soldOut: true,
          releasedOn: '2026-01-31',
          tags: expect.any(Array),
        },
        relationships: { artist: { data: { type: 'artists', id: '1' } } },
      },
    })
    const { status, errors } = await client(server).post('/albums', { body: example })
    expect({ status, errors }).toEqual({ status: 201, errors: [] })
  })

  test('changes one field of an update', async () => {
    const example = exampleOf('patch', '/artists/{id}')
    expect(example).toEqual({ data: { type: 'artists', id: '1', attributes: { name: 'Text' } } })
    const { status } = await client(server).patch('/artists/1', { body: example })
    expect(status).toBe(200)
  })

  test('is missing if there is a pattern without an example', () => {
    expect(exampleOf('post', '/codes')).toBeUndefined()
    expect(exampleOf('patch', '/codes/{id}')).toEqual({ data: { type: 'codes', id: '1' } })
  })

  test('has no fields if none is required', () => {
    expect(exampleOf('post', '/artists')).toEqual({ data: { type: 'artists' } })
  })
})
