import {
  accepted,
  actionResource,
  reply,
  createServer,
  defineResource,
  hasMany,
  id,
  metaResult,
  model,
  noContent,
  seeOther,
} from 'ashlar'
import { expectErrors } from 'ashlar/testing'
import { describe, expect, test } from 'vitest'
import { actingServer, type AlbumRow } from '../support/acting-albums.js'
import { client } from '../support/client.js'
import { storedData } from '../support/stored-data.js'

const silent = { settings: { logger: null } } as const

const promote = () =>
  actingServer((a) => ({
    promote: a.resource({
      handle: async ({ entity, context }) => {
        await context.rows<AlbumRow>('albums').update(entity.id, { title: 'Promoted' })
        return reply.resource(await context.rows('albums').find(entity.id))
      },
    }),
  }))

describe('a resource in the response of an action', () => {
  test('is shown with the requested fields and include', async () => {
    const path = '/albums/1/-actions/promote?include=artist&fields[albums]=title,artist&fields[artists]=name'
    const response = await client(promote()).post(path)
    expect(response.resource.attributes).toEqual({ title: 'Promoted' })
    expect(response.document?.included).toMatchObject([{ type: 'artists', attributes: { name: 'Radiohead' } }])
  })

  test('that cannot be shown as the client requests is refused before the action runs', async () => {
    const api = client(promote())
    const cases = [
      ['include=label', 'INCLUSION_UNRECOGNIZED'],
      ['fields[albums]=nonsense', 'FIELDSET_MEMBER_UNRECOGNIZED'],
      ['filter[title]=x', 'FILTERING_UNRECOGNIZED'],
      ['sort=title', 'SORTING_UNSUPPORTED'],
      ['page[size]=1', 'QUERY_PARAM_UNRECOGNIZED'],
    ] as const
    for (const [query, code] of cases) {
      expectErrors(await api.post(`/albums/1/-actions/promote?${query}`), [{ status: 400, code }])
    }
    expect((await api.get('/albums/1')).resource.attributes?.['title']).toBe('OK Computer')
  })

  test('may be of another type, to whose fields and relationships the query then refers', async () => {
    const server = actingServer((a) => ({
      perform: a.resource({
        responds: actionResource('artists'),
        handle: async ({ entity, context }) => reply.resource(await context.rows('artists').find(entity.artistId)),
      }),
    }))
    const api = client(server)
    const response = await api.post('/albums/2/-actions/perform?include=albums')
    expect(response.resource).toMatchObject({ type: 'artists', id: '1', attributes: { name: 'Radiohead' } })
    expect(response.document?.included?.map(({ id: album }) => album)).toEqual(['1', '2'])
    expectErrors(await api.post('/albums/2/-actions/perform?include=artist'), [
      { status: 400, code: 'INCLUSION_UNRECOGNIZED' },
    ])
  })

  test('may be null if the declaration allows it', async () => {
    const next = actionResource(null, 'oneOrNull')
    const server = actingServer((a) => ({
      next: a.resource({
        responds: next,
        handle: async ({ entity, context }) =>
          reply.resource(await context.rows<AlbumRow>('albums').find(entity.id + 1)),
      }),
    }))
    const api = client(server)
    expect((await api.post('/albums/1/-actions/next')).resource.id).toBe('2')
    expect((await api.post('/albums/2/-actions/next')).document?.data).toBe(null)
  })
})

describe('if an action returns no resource', () => {
  test('no parameter of resources is allowed', async () => {
    const api = client(actingServer())
    const cases = [
      ['include=artist', 'INCLUSION_UNSUPPORTED'],
      ['fields[albums]=nonsense', 'FIELDSET_MEMBER_UNRECOGNIZED'],
      ['filter[title]=x', 'FILTERING_UNRECOGNIZED'],
      ['sort=title', 'SORTING_UNSUPPORTED'],
      ['page[size]=1', 'QUERY_PARAM_UNRECOGNIZED'],
    ] as const
    for (const [query, code] of cases) {
      expectErrors(await api.post(`/albums/-actions/summary?${query}`), [{ status: 400, code }])
    }
  })
})

describe('an action may return', () => {
  test('that its work continues, with the job', async () => {
    const jobs = defineResource('jobs', {
      model: model<{ id: number; status: string }>('jobs'),
      id: id(),
      attributes: (a) => ({ status: a.string() }),
    })
    const albums = defineResource('albums', {
      model: model<{ id: number }>('albums'),
      id: id(),
      relations: { tracks: hasMany('albums').via('id') },
      actions: (a) => ({
        master: a.resource({
          responds: accepted('jobs'),
          handle: async ({ context }) =>
            reply.accepted({ job: await context.rows('jobs').create({ status: 'queued' }), retryAfter: 5 }),
        }),
      }),
    })
    const data = storedData({ albums: [{ id: 1 }] })
    const response = await client(createServer({ resources: [jobs, albums], data })).post('/albums/1/-actions/master')
    expect(response.status).toBe(202)
    expect(response.resource).toMatchObject({ type: 'jobs', id: '1', attributes: { status: 'queued' } })
    expect(response.headers.get('Content-Location')).toBe('http://localhost/jobs/1')
    expect(response.headers.get('Retry-After')).toBe('5')
  })

  test('a redirect', async () => {
    const server = actingServer((a) => ({
      newest: a.collection({
        methods: ['GET'],
        responds: seeOther(),
        handle: () => reply.seeOther({ type: 'albums', id: '2' }),
      }),
    }))
    const response = await client(server).get('/albums/-actions/newest')
    expect([response.status, response.text]).toEqual([303, ''])
    expect(response.headers.get('Location')).toBe('http://localhost/albums/2')
  })

  test('one of several that it declares', async () => {
    const server = actingServer((a) => ({
      rate: a.resource({
        responds: [metaResult(), noContent()],
        handle: ({ entity }) => (entity.id === 1 ? reply.noContent() : reply.meta({ rated: true })),
      }),
    }))
    const api = client(server)
    expect((await api.post('/albums/1/-actions/rate')).status).toBe(204)
    expect((await api.post('/albums/2/-actions/rate')).document?.meta).toEqual({ rated: true })
  })
})

const afterRenaming = (handle: () => unknown, responds?: object) =>
  actingServer(
    (a) => ({
      rename: a.resource({
        ...responds,
        handle: async ({ entity, context }) => {
          await context.rows<AlbumRow>('albums').update(entity.id, { title: 'Renamed' })
          await context.rows('artists').create({ name: 'Nobody' })
          return (await handle()) as never
        },
      }),
    }),
    silent,
  )

describe('all writes of an action', () => {
  test('are rolled back if it throws', async () => {
    const api = client(
      afterRenaming(() => {
        throw new Error('no')
      }),
    )
    const before = [await api.get('/albums'), await api.get('/artists')]
    expectErrors(await api.post('/albums/1/-actions/rename'), [{ status: 500 }])
    expect([(await api.get('/albums')).text, (await api.get('/artists')).text]).toEqual(before.map(({ text }) => text))
  })

  test.each([
    ['a reply that it does not declare', () => reply.meta({}), {}],
    ['a resource if it declares none', () => reply.resource(null), { responds: noContent() }],
    ['a resource of another type', () => reply.resource({ id: 1 }, { type: 'artists' }), {}],
    ['a row without its key', () => reply.resource({ title: 'x' }), {}],
    ['one row twice', () => reply.resource([{ id: 1 }, { id: 1 }]), { responds: actionResource('albums', 'many') }],
    ['a list instead of one row', () => reply.resource([{ id: 1 }]), {}],
    ['null instead of one row', () => reply.resource(null), {}],
    ['a list instead of one row or null', () => reply.resource([]), { responds: actionResource(null, 'oneOrNull') }],
    ['one row instead of a list', () => reply.resource({ id: 1 }), { responds: actionResource(null, 'many') }],
    ['null instead of a list', () => reply.resource(null), { responds: actionResource(null, 'many') }],
    ['no reply', () => undefined, {}],
    ['a row instead of a reply', () => ({ id: 1, title: 'x' }), {}],
    ['a place of no type', () => reply.seeOther({ type: 'labels', id: '1' }), { responds: seeOther() }],
  ])('are rolled back if it returns %s', async (_name, handle, responds) => {
    const api = client(afterRenaming(handle, responds))
    expectErrors(await api.post('/albums/1/-actions/rename'), [{ status: 500 }])
    expect((await api.get('/albums/1')).resource.attributes?.['title']).toBe('OK Computer')
    expect((await api.get('/artists')).resources).toHaveLength(1)
  })

  test('are in one transaction, which a GET does not have', async () => {
    const open: boolean[] = []
    const server = actingServer((a) => ({
      look: a.resource({
        methods: ['GET', 'POST'],
        responds: noContent(),
        handle: ({ context }) => {
          open.push(context.transaction !== null)
          return reply.noContent()
        },
      }),
    }))
    const api = client(server)
    await api.get('/albums/1/-actions/look')
    await api.post('/albums/1/-actions/look')
    expect(open).toEqual([false, true])
  })

  test('are isolated from another call', async () => {
    const server = actingServer((a) => ({
      play: a.resource({
        responds: noContent(),
        handle: async ({ entity, context }) => {
          await new Promise((resolve) => setTimeout(resolve, 1))
          await context.rows<AlbumRow>('albums').update(entity.id, { year: entity.year + 1 })
          return reply.noContent()
        },
      }),
    }))
    const api = client(server)
    await Promise.all(Array.from({ length: 20 }, () => api.post('/albums/1/-actions/play')))
    expect((await api.get('/albums/1')).resource.attributes?.['year']).toBe(2017)
  })
})
