import { accepted, BuildError, createServer, defineResource, id, metaResult, model } from 'ashlar'
import { expectErrors } from 'ashlar/testing'
import { expect } from 'vitest'
import { catalogueWorld } from '../../support/catalogue-world.js'
import { client } from '../../support/client.js'
import { storedData } from '../../support/stored-data.js'
import { statement } from './statement.js'

/** https://jsonapi.org/format/1.1/#crud-deleting */

const labelsWith = (metadata: object) => {
  const labels = defineResource('labels', { model: model<{ id: number }>('labels'), id: id(), ...metadata })
  return client(createServer({ resources: [labels], data: storedData({ labels: [{ id: 1 }, { id: 2 }] }) }))
}

statement('delete-202-status', 'a deletion is never deferred; the build refuses a type that declares it', async () => {
  expect(() => labelsWith({ delete: accepted('labels') })).toThrow(BuildError)
  expect(() => labelsWith({ delete: accepted('labels') })).toThrow(/labels\.delete: cannot respond with accepted\(\)/)
})

statement('delete-204-status', 'a deletion is 204 without a body, and the resource no longer exists', async () => {
  const { api, rows } = catalogueWorld()
  const { genres = [], ...others } = await rows()
  const remaining = genres.filter((row) => !String(row).includes("'art-rock'"))
  expect(remaining).toHaveLength(genres.length - 1)
  const path = '/genres/art-rock'
  const response = await api.delete(path)
  expect([response.status, response.text]).toEqual([204, ''])
  expect(response.headers.has('Content-Type')).toBe(false)
  expectErrors(await api.get(path), [{ status: 404, code: 'RESOURCE_NOT_FOUND' }])
  expect(await rows()).toEqual({ ...others, genres: remaining })
})

statement('delete-200-status', 'a deletion that returns only meta is 200', async () => {
  const api = labelsWith({ delete: metaResult() })
  const response = await api.delete('/labels/1')
  expect(response.status).toBe(200)
  expect(response.document).toHaveProperty('meta')
  expect(response.document).not.toHaveProperty('data')
  expect((await api.get('/labels')).resources).toHaveLength(1)
})

statement('delete-404-status', 'a deletion of a resource that does not exist is 404, and deletes nothing', async () => {
  const { api, rows } = catalogueWorld()
  const before = await rows()
  for (const path of ['/albums/99', '/albums/01', '/favorites/5', `/playlists/${crypto.randomUUID()}`]) {
    expectErrors(await api.delete(path), [{ status: 404, code: 'RESOURCE_NOT_FOUND' }])
  }
  expect(await rows()).toEqual(before)
  expect((await api.delete('/favorites/fav-z')).status).toBe(204)
  expectErrors(await api.delete('/favorites/fav-z'), [{ status: 404, code: 'RESOURCE_NOT_FOUND' }])
})
