import {
  actionResource,
  type ApiOf,
  belongsToMany,
  createServer,
  defineResource,
  defineType,
  id,
  model,
  ok,
  reply,
  seeOther,
} from 'ashlar'
import { createClient, type TypesWith } from '@ashlar/client'
import { type Listening, listen } from 'ashlar/node'
import { afterAll, beforeAll, describe, expect, expectTypeOf, test } from 'vitest'
import { storedData } from '../support/stored-data.js'

interface AlbumRow {
  id: number
  title: string
}

const albums = defineResource('albums', {
  model: model<AlbumRow>('albums'),
  id: id(),
  attributes: (a) => ({ title: a.string().required() }),
  actions: (a) => ({
    self: a.resource({ handle: ({ entity }) => reply.resource(entity) }),
    next: a.resource({
      responds: actionResource(null, 'oneOrNull'),
      handle: async ({ entity, context }) => reply.resource(await context.rows<AlbumRow>('albums').find(entity.id + 1)),
    }),
    others: a.resource({
      responds: actionResource('albums', 'many'),
      handle: async ({ entity, context }) => {
        const rows = await context.rows<AlbumRow>('albums').list()
        return reply.resource(rows.filter((row) => row.id !== entity.id))
      },
    }),
  }),
})

const lists = defineResource('lists', {
  model: model<{ id: number; title: string }>('lists'),
  id: id(),
  attributes: (a) => ({ title: a.string().required() }),
  relations: {
    albums: belongsToMany('albums')
      .through('listAlbums', { owner: 'listId', member: 'albumId' })
      .fields((a) => ({ position: a.integer().required() })),
  },
})

const charts = defineType('charts', {
  fields: () => ({ month: id() }),
  serializer: {
    members: {
      entries: {
        type: 'array',
        items: {
          type: 'object',
          properties: { place: { type: 'integer' }, title: { type: 'string' } },
          required: ['place', 'title'],
        },
      },
    },
    serialize: ({ month }) => ({
      id: String(month),
      attributes: { entries: [{ place: 1, title: `Best of ${String(month)}` }] },
    }),
  },
  provider: { fetchOne: (_type, month) => ({ month }) },
  operations: ['FetchOne'],
})

const jobs = defineResource('jobs', {
  model: model<{ id: number; status: string; albumId: number | null }>('jobs'),
  id: id(),
  attributes: (a) => ({ status: a.string() }),
  operations: ['FetchOne'],
  fetchOne: [ok(), seeOther()],
  completionLocation: ({ albumId }) => (albumId === null ? null : { type: 'albums', id: String(albumId) }),
})

const serve = () =>
  createServer({
    resources: [albums, lists, charts, jobs],
    data: storedData({
      albums: [
        { id: 1, title: 'OK Computer' },
        { id: 2, title: 'Kid A' },
      ],
      lists: [{ id: 1, title: 'Road trip' }],
      listAlbums: [],
      jobs: [
        { id: 1, status: 'running', albumId: null },
        { id: 2, status: 'done', albumId: 2 },
      ],
    }),
  })
interface Api extends ApiOf<ReturnType<typeof serve>> {}

describe.each(['in one process', 'over HTTP'])('a client %s gets what the declarations say:', (place) => {
  let listening: Listening | null = null
  let client: ReturnType<typeof createClient<Api>>
  beforeAll(async () => {
    const server = serve()
    if (place === 'over HTTP') listening = await listen(server, { port: 0 })
    client = createClient<Api>(
      listening === null
        ? { url: 'http://localhost', fetch: (url, init) => server.fetch(new Request(url, init)) }
        : { url: listening.url },
    )
  })
  afterAll(() => listening?.close())
  const titlesOf = async <T extends 'albums' | 'lists'>(type: T): Promise<readonly string[]> =>
    (await client.types[type].list()).data.map(({ title }) => title)
  const countOf = async <T extends TypesWith<Api, 'FetchCollection'>>(type: T): Promise<number> =>
    (await client.types[type].list()).data.length

  test('one resource, one or null, or a list of an action', async () => {
    const { data: self } = await client.types.albums.act('1', 'self')
    expectTypeOf(self.title).toEqualTypeOf<string>()
    expect(self).toEqual({ type: 'albums', id: '1', title: 'OK Computer' })

    const { data: next } = await client.types.albums.act('1', 'next')
    expectTypeOf(next?.title).toEqualTypeOf<string | undefined>()
    expect(next?.title).toBe('Kid A')
    expect((await client.types.albums.act('2', 'next')).data).toBe(null)

    const { data: others } = await client.types.albums.act('2', 'others', null, { fields: { albums: ['title'] } })
    expectTypeOf(others).toExtend<readonly { readonly title: string }[]>()
    expect(others.map(({ title }) => title)).toEqual(['OK Computer'])
  })

  test('the attributes of a serializer', async () => {
    const { entries } = (await client.types.charts.get('2026-01')).data
    expectTypeOf(entries).toEqualTypeOf<readonly { place: number; title: string }[]>()
    expect(entries).toEqual([{ place: 1, title: 'Best of 2026-01' }])
  })

  test('a job, or the result of a finished one', async () => {
    const running = (await client.types.jobs.get('1')).data
    const finished = (await client.types.jobs.get('2')).data
    expectTypeOf(running.type).toEqualTypeOf<'albums' | 'charts' | 'jobs' | 'lists'>()
    expect(running.type === 'jobs' && running.status).toBe('running')
    expect(finished.type === 'albums' && finished.title).toBe('Kid A')
  })

  test('the fields of a join row that a new member needs', async () => {
    // @ts-expect-error a new member has the required fields of its join row
    const incomplete = client.types.lists.add('1', 'albums', [{ type: 'albums', id: '1' }])
    await expect(incomplete).rejects.toMatchObject({ status: 422, at: { '0.$pivot.position': [{}] } })
    await client.types.lists.add('1', 'albums', [{ type: 'albums', id: '1', $pivot: { position: 3 } }])
    const { data } = await client.types.lists.linkage('1', 'albums')
    expect(data).toEqual([{ type: 'albums', id: '1', $pivot: { position: 3 } }])
  })

  test('resources of a type that a type parameter names', async () => {
    expect([await titlesOf('albums'), await titlesOf('lists')]).toEqual([['OK Computer', 'Kid A'], ['Road trip']])
    expect(await countOf('albums')).toBe(2)
  })
})
