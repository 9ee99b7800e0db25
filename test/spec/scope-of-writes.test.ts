import { expectErrors } from 'ashlar/testing'
import { describe, expect, test } from 'vitest'
import { client, resourceBody } from '../support/client.js'
import { scopedMusic, staff } from '../support/scoped-music.js'

const notFound = [{ status: 404, code: 'RESOURCE_NOT_FOUND' }]

describe('a write to a row outside the scope of its type', () => {
  test('is 404, and changes nothing: update', async () => {
    const api = client(scopedMusic())
    const body = resourceBody('albums', { title: 'Stolen', released: true }, '3')
    expectErrors(await api.patch('/albums/3', { body }), notFound)
    expect((await api.get('/albums/3', staff)).resource.attributes).toEqual({ title: 'Demos', released: false })
    expect((await api.patch('/albums/3', { body, ...staff })).resource.attributes).toMatchObject({ title: 'Stolen' })
  })

  test('is 404, and changes nothing: delete', async () => {
    const api = client(scopedMusic())
    expectErrors(await api.delete('/albums/3'), notFound)
    expect((await api.get('/albums/3', staff)).status).toBe(200)
    expect((await api.delete('/albums/3', staff)).status).toBe(204)
    expectErrors(await api.get('/albums/3', staff), notFound)
  })

  test('is 404 before any error of its document', async () => {
    const body = resourceBody('albums', { title: 5 }, '3')
    expectErrors(await client(scopedMusic()).patch('/albums/3', { body }), notFound)
  })

  test('inside of it is served as usual', async () => {
    const api = client(scopedMusic())
    const changed = await api.patch('/albums/1', { body: resourceBody('albums', { title: 'Kid B' }, '1') })
    expect(changed.resource.attributes).toMatchObject({ title: 'Kid B' })
    expect((await api.delete('/albums/1')).status).toBe(204)
  })
})

describe('the response to a write', () => {
  test('shows nothing of related rows outside of theirs, in linkage and included', async () => {
    const api = client(scopedMusic())
    const body = resourceBody('albums', { title: 'Untrue' }, '2')
    const { document, resource } = await api.patch('/albums/2?include=artist', { body })
    expect(resource.relationships?.['artist']?.data).toBeNull()
    expect(document?.included).toEqual([])
    const seen = await api.patch('/albums/2?include=artist', { body, ...staff })
    expect(seen.document?.included).toHaveLength(1)
  })
})
