import { fail } from 'ashlar'
import { expectErrors, type TestClient } from 'ashlar/testing'
import { describe, expect, test } from 'vitest'
import { resourceBody } from '../support/client.js'
import {
  type AlbumRow,
  create,
  type Hooks,
  type NoteRow,
  noting,
  refuse,
  type Shop,
  shop,
  type TrackRow,
  update,
} from '../support/hooked-albums.js'

describe('the order of hooks', () => {
  const linkage = { data: [{ type: 'tracks', id: '1' }] }

  test.each<[string, (api: TestClient) => Promise<unknown>, readonly string[]]>([
    [
      'create',
      (api) => api.post('/albums', { body: resourceBody('albums', { title: 'x' }) }),
      ['beforeSave creating', 'beforeCreate', 'afterCreate', 'afterSave creating'],
    ],
    [
      'update',
      (api) => api.patch('/albums/1', { body: resourceBody('albums', { title: 'x' }, '1') }),
      ['beforeSave updating', 'beforeUpdate', 'afterUpdate', 'afterSave updating'],
    ],
    ['delete', (api) => api.delete('/albums/1'), ['beforeDelete', 'afterDelete']],
    [
      'replace',
      (api) => api.patch('/albums/1/relationships/tracks', { body: linkage }),
      ['before replace tracks', 'after replace tracks'],
    ],
    [
      'add',
      (api) => api.post('/albums/1/relationships/tracks', { body: linkage }),
      ['before add tracks', 'after add tracks'],
    ],
    [
      'remove',
      (api) => api.request('DELETE', '/albums/1/relationships/tracks', { body: linkage }),
      ['before remove tracks', 'after remove tracks'],
    ],
    ['fetch one', (api) => api.get('/albums/1'), ['afterFetchOne']],
    ['fetch a collection', (api) => api.get('/albums'), ['afterFetchCollection']],
  ])('%s', async (_name, act, order) => {
    const ran: string[] = []
    await act(shop(noting(ran)).api)
    expect(ran).toEqual(order)
  })

  test('a refused request runs none', async () => {
    const ran: string[] = []
    const { api } = shop(noting(ran))
    expectErrors(await api.post('/albums', { body: resourceBody('albums', {}) }), [{ status: 422 }])
    expectErrors(await api.patch('/albums/9', { body: resourceBody('albums', {}, '9') }), [{ status: 404 }])
    expectErrors(await api.delete('/albums/9'), [{ status: 404 }])
    expectErrors(await api.get('/albums/9'), [{ status: 404 }])
    expectErrors(await api.get('/albums?sort=nothing'), [{ status: 400 }])
    expect(ran).toEqual([])
  })
})

describe('hooks before a write', () => {
  test('set the written values', async () => {
    const served = shop({
      beforeSave: (draft) => {
        draft.slug = `${draft.title}`.toLowerCase()
      },
      beforeCreate: (draft) => {
        draft.title = `${draft.title}!`
      },
      beforeUpdate: (draft, original) => {
        draft.title = `${original.title} / ${draft.title}`
      },
    })
    expect((await create(served)).resource.attributes).toEqual({ title: 'Amnesiac!', slug: 'amnesiac' })
    expect((await update(served)).resource.attributes).toEqual({ title: 'Kid A / Kid B', slug: 'kid b' })
  })

  test('see the draft of an update whole, and the row as it was', async () => {
    const seen: unknown[] = []
    const served = shop({ beforeUpdate: (draft, original) => void seen.push({ ...draft }, { ...original }) })
    await update(served)
    const stored = { id: 2, title: 'Kid A', slug: null, artistId: 1 }
    expect(seen).toEqual([{ ...stored, title: 'Kid B' }, stored])
  })

  test('are awaited', async () => {
    const served = shop({
      beforeCreate: async (draft) => {
        await new Promise((resolve) => setTimeout(resolve, 5))
        draft.title = 'later'
      },
    })
    expect((await create(served)).resource.attributes?.['title']).toBe('later')
  })

  test('may set columns although the client sent none', async () => {
    const served = shop({
      beforeUpdate: (draft) => {
        draft.slug = 'set'
      },
    })
    const response = await served.api.patch('/albums/1', { body: { data: { type: 'albums', id: '1' } } })
    expect(response.resource.attributes).toEqual({ title: 'OK Computer', slug: 'set' })
  })

  test.each<[string, Hooks, (served: Shop) => Promise<unknown>]>([
    ['beforeSave', { beforeSave: refuse }, create],
    ['beforeSave of an update', { beforeSave: refuse }, update],
    ['beforeCreate', { beforeCreate: refuse }, create],
    ['beforeUpdate', { beforeUpdate: refuse }, update],
    ['beforeDelete', { beforeDelete: refuse }, ({ api }) => api.delete('/albums/2')],
    [
      'beforeRelationshipMutate',
      { beforeRelationshipMutate: refuse },
      ({ api }) => api.patch('/albums/2/relationships/artist', { body: { data: null } }),
    ],
  ])('%s that throws changes nothing', async (_name, hooks, act) => {
    const served = shop(hooks)
    const before = (await served.api.get('/albums?include=artist,tracks')).text
    expect(await act(served)).toMatchObject({ status: 403 })
    expect((await served.api.get('/albums?include=artist,tracks')).text).toBe(before)
  })

  test('that throw store none of the relationships of the body, nor the writes of other hooks', async () => {
    const served = shop({
      beforeSave: async (_draft, _creating, context) => {
        await context.rows<NoteRow>('notes').create({ text: 'about to' })
        await context.rows<TrackRow>('tracks').update(1, { title: 'gone' })
      },
      beforeCreate: () => fail('RESOURCE_NOT_FOUND'),
    })
    const relationships = { tracks: { data: [{ type: 'tracks', id: '1' }] } }
    const body = { data: { type: 'albums', attributes: { title: 'x' }, relationships } }
    expectErrors(await served.api.post('/albums', { body }), [{ status: 404, code: 'RESOURCE_NOT_FOUND' }])
    expect(await served.notes()).toEqual([])
    expect(await served.titles('tracks')).toEqual(['Airbag'])
    const linkage = await served.api.get('/albums/1/relationships/tracks')
    expect(linkage.resources).toEqual([{ type: 'tracks', id: '1' }])
  })
})

describe('the context of a hook', () => {
  test('reads and writes rows in the transaction of the write', async () => {
    const seen: unknown[] = []
    const served = shop({
      beforeDelete: async (row, context) => {
        const tracks = context.rows<TrackRow>('tracks')
        await tracks.create({ title: 'Lucky', albumId: row.id })
        for (const track of await tracks.list({ albumId: row.id })) {
          seen.push(track.title)
          await tracks.delete(track.id)
        }
        seen.push(await tracks.find(1), context.transaction !== null)
      },
    })
    expect((await served.api.delete('/albums/1')).status).toBe(204)
    expect(seen).toEqual(['Airbag', 'Lucky', null, true])
    expect(await served.titles('tracks')).toEqual([])
  })

  test('has the request, the operation and the server', async () => {
    const seen: unknown[] = []
    const served = shop({
      beforeCreate: (_draft, { type, operation, server, request }) =>
        void seen.push([type, operation, server, request?.header('x-user')]),
    })
    const body = resourceBody('albums', { title: 'x' })
    await served.api.post('/albums', { body, headers: { 'X-User': 'alice' } })
    expect(seen).toEqual([['albums', 'CreateResource', 'default', 'alice']])
  })

  test('of a relationship has its name, the sent linkage, and the result', async () => {
    const seen: unknown[] = []
    const served = shop({
      beforeRelationshipMutate: ({ title }, { relationship, linkage, mode }) =>
        void seen.push([title, relationship, linkage, mode]),
    })
    await served.api.patch('/albums/1/relationships/artist', { body: { data: { type: 'artists', id: '2' } } })
    await served.api.patch('/albums/1/relationships/artist', { body: { data: null } })
    expect(seen).toEqual([
      ['OK Computer', 'artist', { type: 'artists', id: '2', meta: null }, 'replace'],
      ['OK Computer', 'artist', null, 'replace'],
    ])
  })

  test('after a write has no transaction', async () => {
    const seen: unknown[] = []
    const served = shop({
      afterCreate: async (row, context) => {
        const albums = context.rows<AlbumRow>('albums')
        seen.push(context.transaction, (await albums.find(row.id))?.title)
      },
    })
    await create(served)
    expect(seen).toEqual([null, 'Amnesiac'])
  })
})

describe('an operation that a hook dispatches', () => {
  test('joins the transaction: it is committed with the write', async () => {
    const served: Shop = shop({ beforeCreate: () => note(served, 'made') })
    await create(served)
    expect(await served.notes()).toEqual(['made'])
  })

  test('joins the transaction: it is rolled back with the write', async () => {
    const served: Shop = shop({
      beforeSave: () => note(served, 'made'),
      beforeCreate: () => fail('RESOURCE_NOT_FOUND'),
    })
    expectErrors(await create(served), [{ status: 404 }])
    expect(await served.notes()).toEqual([])
  })

  test('sees earlier writes', async () => {
    const seen: unknown[] = []
    const served: Shop = shop({
      beforeCreate: async () => {
        await note(served, 'first')
        const value = await served.server.dispatch({ kind: 'FetchResource', type: 'notes', id: null })
        seen.push(value.kind === 'data' && value.resources.primary.length)
      },
    })
    await create(served)
    expect(seen).toEqual([1])
  })
})

async function note({ server }: Shop, text: string): Promise<void> {
  await server.dispatch({ kind: 'CreateResource', type: 'notes', document: resourceBody('notes', { text }) })
}
