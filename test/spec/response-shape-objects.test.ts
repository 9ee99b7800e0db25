import {
  BuildError,
  accepted,
  createServer,
  created,
  defineResource,
  id,
  metaResult,
  model,
  noContent,
  ok,
  type ResourceMetadata,
} from 'ashlar'
import type { TestClient } from 'ashlar/testing'
import { describe, expect, test } from 'vitest'
import { client, resourceBody } from '../support/client.js'
import { storedData } from '../support/stored-data.js'

function labelsWith(metadata: ResourceMetadata): TestClient {
  const labels = defineResource('labels', {
    model: model<{ id: number; name: string }>('labels'),
    id: id(),
    attributes: (a) => ({ name: a.string() }),
    ...metadata,
  })
  return client(createServer({ resources: [labels], data: storedData({ labels: [{ id: 1, name: 'ECM' }] }) }))
}

const create = (api: TestClient) => api.post('/labels', { body: resourceBody('labels', { name: 'XL' }) })
const update = (api: TestClient) => api.patch('/labels/1', { body: resourceBody('labels', { name: 'XL' }, '1') })

describe('each operation has a default success response', () => {
  test('create responds 201 with the resource, and Location is its self link', async () => {
    const response = await create(labelsWith({}))
    expect(response.status).toBe(201)
    expect(response.headers.get('Location')).toBe('http://localhost/labels/2')
    expect(response.resource.links).toEqual({ self: 'http://localhost/labels/2' })
    expect(response.resource.attributes).toEqual({ name: 'XL' })
  })

  test('update responds 200 with the resource', async () => {
    const response = await update(labelsWith({}))
    expect(response.status).toBe(200)
    expect(response.resource.attributes).toEqual({ name: 'XL' })
    expect(response.headers.has('Location')).toBe(false)
  })

  test('delete responds 204 without a body and without a Content-Type', async () => {
    const response = await labelsWith({}).delete('/labels/1')
    expect(response.status).toBe(204)
    expect(response.text).toBe('')
    expect(response.headers.has('Content-Type')).toBe(false)
  })

  test('reads respond 200', async () => {
    const api = labelsWith({})
    expect((await api.get('/labels')).status).toBe(200)
    expect((await api.get('/labels/1')).status).toBe(200)
  })
})

describe('declared objects replace the default; one or a list of them', () => {
  test('create may respond 204', async () => {
    const api = labelsWith({ create: noContent() })
    expect((await create(api)).status).toBe(204)
    expect((await api.get('/labels/2')).resource.attributes).toEqual({ name: 'XL' })
  })

  test('update may respond 204', async () => {
    const api = labelsWith({ update: [noContent()] })
    expect((await update(api)).status).toBe(204)
    expect((await api.get('/labels/1')).resource.attributes).toEqual({ name: 'XL' })
  })

  test('delete may respond 200 with a document of only meta', async () => {
    const api = labelsWith({ delete: metaResult() })
    const response = await api.delete('/labels/1')
    expect(response.status).toBe(200)
    expect(response.document).toEqual({
      meta: {},
      links: { self: 'http://localhost/labels/1' },
      jsonapi: { version: '1.1' },
    })
    expect((await api.get('/labels')).resources).toEqual([])
  })

  test('the usual one of several is the default', async () => {
    expect((await create(labelsWith({ create: [created(), noContent()] }))).status).toBe(201)
    expect((await update(labelsWith({ update: [ok(), noContent()] }))).status).toBe(200)
  })

  test('the headers of the type are sent with a 204', async () => {
    const response = await update(labelsWith({ update: noContent(), deprecation: true }))
    expect(response.headers.get('Deprecation')).toBe('true')
  })
})

const rejected = (metadata: object) => () => labelsWith(metadata)

describe('an illegal set is rejected', () => {
  test('two responses of one status', () => {
    expect(rejected({ create: [created(), created()] })).toThrow(
      /labels\.create: has two responses with the status 201/,
    )
    expect(rejected({ create: [accepted('labels'), accepted('labels')] })).toThrow(BuildError)
  })

  test('a response that the operation does not support', () => {
    expect(rejected({ update: created() })).toThrow(/labels\.update: cannot respond with created\(\)/)
    expect(rejected({ delete: ok() })).toThrow(BuildError)
    expect(rejected({ fetchOne: noContent() })).toThrow(BuildError)
  })
})
