import { reply, HttpError, metaResult, noContent } from 'ashlar'
import { expectErrors } from 'ashlar/testing'
import { describe, expect, test } from 'vitest'
import { resourceBody } from '../support/client.js'
import { create, type Hooks, noting, refuse, shop, update } from '../support/hooked-albums.js'

describe('hooks after the write may replace the response', () => {
  test('a resource of the type', async () => {
    const served = shop({ afterUpdate: (row) => reply.resource({ ...row, title: 'shown' }, { meta: { by: 'hook' } }) })
    const response = await update(served)
    expect([response.status, response.resource.attributes?.['title']]).toEqual([200, 'shown'])
    expect(response.document?.meta).toEqual({ by: 'hook' })
    expect(await served.titles('albums')).toEqual(['OK Computer', 'Kid B'])
  })

  test('a resource of another type, a list, or none', async () => {
    const one = await create(shop({ afterCreate: () => reply.resource({ id: 7, text: 'made' }, { type: 'notes' }) }))
    expect([one.status, one.resource]).toMatchObject([200, { type: 'notes', id: '7', attributes: { text: 'made' } }])
    const many = await create(shop({ afterCreate: (row) => reply.resource([row]) }))
    expect(many.resources).toMatchObject([{ type: 'albums', id: '3' }])
    const none = await create(shop({ afterCreate: () => reply.resource(null) }))
    expect(none.document?.data).toBe(null)
  })

  test('requested includes apply', async () => {
    const served = shop({ afterUpdate: (row) => reply.resource(row) })
    const body = resourceBody('albums', { title: 'x' }, '1')
    const response = await served.api.patch('/albums/1?include=tracks&fields[albums]=title', { body })
    expect(response.document?.included).toMatchObject([{ type: 'tracks', id: '1' }])
    expect(response.resource.relationships).toBe(undefined)
  })

  test('of another type has none of the requested includes', async () => {
    const served = shop({ afterUpdate: () => reply.resource({ id: 1, text: 'x' }, { type: 'notes' }) })
    const body = resourceBody('albums', { title: 'x' }, '1')
    const response = await served.api.patch('/albums/1?include=tracks', { body })
    expect([response.status, response.document?.included]).toEqual([200, []])
  })

  test('a resource at the URL of a relationship', async () => {
    const { api } = shop({ afterRelationshipMutate: (row) => reply.resource(row) })
    const body = { data: { type: 'artists', id: '2' } }
    const response = await api.patch('/albums/1/relationships/artist', { body })
    expect([response.status, response.resource.type]).toEqual([200, 'albums'])
    expect(response.resource.relationships?.['artist']?.data).toEqual({ type: 'artists', id: '2' })
  })

  test('meta, no content, a redirect', async () => {
    const meta = await shop({ afterDelete: (row) => reply.meta({ deleted: row.title }) }).api.delete('/albums/1')
    expect([meta.status, meta.document?.meta]).toEqual([200, { deleted: 'OK Computer' }])
    expect((await create(shop({ afterCreate: () => reply.noContent() }))).status).toBe(204)
    const elsewhere = await create(shop({ afterCreate: (row) => reply.seeOther({ type: 'albums', id: `${row.id}` }) }))
    expect([elsewhere.status, elsewhere.headers.get('Location')]).toEqual([303, 'http://localhost/albums/3'])
    const linkage = await shop({ afterRelationshipMutate: () => reply.noContent() }).api.patch(
      '/albums/1/relationships/artist',
      { body: { data: null } },
    )
    expect(linkage.status).toBe(204)
  })

  test('afterSave runs last, and may leave the response to the others', async () => {
    const last = shop({
      afterCreate: () => reply.meta({ by: 'create' }),
      afterSave: () => reply.meta({ by: 'save' }),
    })
    expect((await create(last)).document?.meta).toEqual({ by: 'save' })
    const silent = shop({ afterCreate: () => reply.meta({ by: 'create' }), afterSave: () => null })
    expect((await create(silent)).document?.meta).toEqual({ by: 'create' })
  })

  test('over the declared response', async () => {
    const quiet = shop({ afterCreate: (row) => reply.resource(row) }, { create: noContent(), delete: metaResult() })
    expect((await create(quiet)).status).toBe(200)
    expect((await quiet.api.delete('/albums/1')).document?.meta).toEqual({})
  })

  test.each<[string, Hooks]>([
    ['something that is no reply', { afterCreate: (() => ({ title: 'x' })) as never }],
    ['accepted work, which is not declared', { afterCreate: () => reply.accepted({ poll: '/queue/7' }) }],
    ['a type that the server does not have', { afterCreate: () => reply.resource({ id: 1 }, { type: 'playlists' }) }],
    ['a row without its key', { afterCreate: () => reply.resource({ title: 'x' }) }],
    ['one resource twice', { afterCreate: (row) => reply.resource([row, row]) }],
  ])('%s is a 500', async (_name, hooks) => {
    expectErrors(await create(shop(hooks)), [{ status: 500 }])
  })

  test('one that throws causes an error response, although the write is committed', async () => {
    const served = shop({
      afterSave: () => {
        throw new HttpError(503)
      },
    })
    expectErrors(await create(served), [{ status: 503 }])
    expect(await served.titles('albums')).toEqual(['OK Computer', 'Kid A', 'Amnesiac'])
  })
})

describe('hooks after a read', () => {
  test('see whole rows, with any fieldset', async () => {
    const seen: unknown[] = []
    const { api } = shop({
      afterFetchOne: (row) => void seen.push(row),
      afterFetchCollection: (rows) => void seen.push(rows),
    })
    const one = await api.get('/albums/1?fields[albums]=slug')
    expect(one.resource.attributes).toEqual({ slug: null })
    await api.get('/albums?fields[albums]=slug&page[size]=1')
    const row = { id: 1, title: 'OK Computer', slug: null, artistId: 1 }
    expect(seen).toEqual([row, [row]])
  })

  test('may refuse', async () => {
    const { api } = shop({ afterFetchOne: refuse, afterFetchCollection: refuse })
    expectErrors(await api.get('/albums/1'), [{ status: 403 }])
    expectErrors(await api.get('/albums'), [{ status: 403 }])
  })

  test('may replace the response', async () => {
    const { api } = shop({
      afterFetchOne: (row) => reply.resource({ ...row, title: row.title.toUpperCase() }),
      afterFetchCollection: (rows) => reply.resource(rows.slice(1), { meta: { all: rows.length } }),
    })
    expect((await api.get('/albums/1?include=tracks')).document).toMatchObject({
      data: { attributes: { title: 'OK COMPUTER' } },
      included: [{ type: 'tracks', id: '1' }],
    })
    const many = await api.get('/albums?sort=-title&page[size]=5')
    expect(many.document).toMatchObject({ data: [{ id: '2' }], meta: { all: 2 } })
  })

  test('do not run for related resources, nor for included ones', async () => {
    const ran: string[] = []
    const { api } = shop(noting(ran))
    await api.get('/tracks/1/album?include=artist')
    await api.get('/tracks?include=album')
    await api.get('/tracks/1/relationships/album')
    expect(ran).toEqual([])
  })

  test('do not run for operations that an application dispatches', async () => {
    const ran: string[] = []
    const { server } = shop(noting(ran))
    await server.dispatch({ kind: 'FetchResource', type: 'albums', id: '1' })
    await server.dispatch({ kind: 'FetchResource', type: 'albums', id: null })
    expect(ran).toEqual([])
  })

  test('run for HEAD too', async () => {
    const ran: string[] = []
    await shop(noting(ran)).api.request('HEAD', '/albums/1')
    expect(ran).toEqual(['afterFetchOne'])
  })
})
