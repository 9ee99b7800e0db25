import { createServer, defineResource, id, model } from 'ashlar'
import { expectErrors } from 'ashlar/testing'
import { describe, expect, test } from 'vitest'
import { client } from '../support/client.js'
import { storedData } from '../support/stored-data.js'

const albums = defineResource('albums', { model: model<{ id: number }>('albums'), id: id(), uriType: 'records' })
const labels = defineResource('labels', {
  model: model<{ id: number }>('labels'),
  id: id(),
  server: ['default', 'admin'],
})
const notes = defineResource('notes', { model: model<{ id: number }>('notes'), id: id(), operations: ['Create'] })

const music = (settings: object = {}) =>
  client(
    createServer({
      resources: [albums, labels, notes],
      data: storedData(),
      servers: { admin: { prefix: '/admin' } },
      ...settings,
    }),
  )

describe('the root of a server', () => {
  test('is a document with links to its collections', async () => {
    const { status, document } = await music().get('/')
    expect(status).toBe(200)
    expect(document).toEqual({
      meta: { server: 'default' },
      links: {
        self: 'http://localhost/',
        albums: 'http://localhost/records',
        labels: 'http://localhost/labels',
      },
      jsonapi: { version: '1.1' },
    })
  })

  test('is that of the named server under its prefix', async () => {
    for (const path of ['/admin', '/admin/']) {
      const { document } = await music({ baseUri: 'https://music.example' }).get(path)
      expect(document?.meta).toEqual({ server: 'admin' })
      expect(document?.links).toEqual({
        self: `https://music.example${path}`,
        labels: 'https://music.example/admin/labels',
      })
    }
  })

  test('has no query, and no other method', async () => {
    const api = music()
    expectErrors(await api.get('/?include=albums'), [{ status: 400, code: 'INCLUSION_UNSUPPORTED' }])
    expectErrors(await api.get('/?filter[id]=1'), [{ status: 400, code: 'FILTERING_UNRECOGNIZED' }])
    expectErrors(await api.get('/?nonsense=1'), [{ status: 400, code: 'QUERY_PARAM_UNRECOGNIZED' }])
    const posted = await api.post('/', { body: { data: null } })
    expect([posted.status, posted.headers.get('Allow')]).toEqual([405, 'GET, HEAD, OPTIONS'])
    const options = await api.request('OPTIONS', '/')
    expect([options.status, options.headers.get('Allow')]).toEqual([204, 'GET, HEAD, OPTIONS'])
  })

  test('is no route if the server is configured so, and no other unknown path is one', async () => {
    const plain = [
      await music({ rootDocument: false }).get('/'),
      await music().get('/nothing'),
      await music().get('//'),
    ]
    for (const { status, headers } of plain) {
      expect([status, headers.get('Content-Type')]).toEqual([404, 'text/plain; charset=utf-8'])
    }
  })
})
