import { expectErrors, type TestClient, type TestResponse } from 'ashlar/testing'
import { Pool } from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, it, vi } from 'vitest'
import { batchHeaders } from '../../../atomic/batch-client.js'
import { openPool } from '../../../support/open-databases.js'
import { untilReturned } from './driver-helpers.js'
import { PlainClient, TracedClient } from './other-clients.js'
import { hasPgBouncer, type RunningPgBouncer, startPgBouncer } from './pgbouncer.js'
import { replicaStandIn } from '../replicas/replica-stand-in.js'
import { type SecuredDatabase, securedDatabase, securedServer } from './secured-playlists.js'

const user = (id: number) => ({ 'x-user': String(id) })
const [alice, bob] = [user(1), user(2)]

const titlesOf = ({ resources }: TestResponse): readonly unknown[] =>
  resources.map(({ attributes }) => attributes?.['title'])

const playlist = (id: number, ownerId: number, title = `New ${id}`) => ({
  data: { type: 'playlists', id: String(id), attributes: { title, ownerId, public: false } },
})

const note = (id: number, ownerId: number, playlistId: string) => ({
  data: {
    type: 'notes',
    id: String(id),
    attributes: { text: 'Note', ownerId },
    relationships: { playlist: { data: { type: 'playlists', id: playlistId } } },
  },
})

const add = (id: number, ownerId: number) => ({ op: 'add', ...playlist(id, ownerId) })

const update = (id: number, title: string) => ({
  op: 'update',
  data: { type: 'playlists', id: String(id), attributes: { title } },
})

const batchOf =
  (api: TestClient) =>
  (headers: Readonly<Record<string, string>>, ...operations: object[]) =>
    api.post('/operations', {
      headers: { ...batchHeaders, ...headers },
      body: { 'atomic:operations': operations },
    })

interface SetupSettings {
  readonly prepare?: boolean
  readonly pooled?: boolean
  readonly Client?: typeof PlainClient
}

const setups = [
  ['one connection', {}, true],
  ['one connection, without prepared statements', { prepare: false }, true],
  ['a client without the internals of pg', { Client: PlainClient }, true],
  ['a client that is wrapped', { Client: TracedClient }, true],
  [
    `PgBouncer${hasPgBouncer ? '' : ' (skipped: pgbouncer is not installed)'}`,
    { pooled: true, prepare: false },
    hasPgBouncer,
  ],
] as const satisfies readonly (readonly [string, object, boolean])[]

for (const [name, settings, isThere] of setups) {
  const { prepare = true, pooled = false, Client } = settings as SetupSettings

  describe.skipIf(!isThere)(`row-level security of PostgreSQL on ${name}`, () => {
    let bouncer: RunningPgBouncer | null = null
    let pool: Pool
    let database: SecuredDatabase
    let music: ReturnType<typeof securedServer>

    beforeAll(async () => {
      if (pooled) bouncer = await startPgBouncer(inject('databaseUrl'))
    })
    afterAll(() => bouncer?.end())

    beforeEach(async () => {
      const url = bouncer?.url ?? inject('databaseUrl')
      // PgBouncer shares one connection among several.
      pool = new Pool({ connectionString: url, max: pooled ? 4 : 1, ...(Client !== undefined && { Client }) })
      database = await securedDatabase()
      music = securedServer(pool, database, { prepare })
    })
    afterEach(async () => {
      // Nothing is left on a connection, whatever has happened.
      await untilReturned(pool)
      const { rows } = await pool.query<{ role: string; user: string | null }>(
        "select current_setting('role') as role, current_setting('app.user', true) as user",
      )
      expect(rows).toEqual([{ role: 'none', user: expect.toBeOneOf(['', null]) as unknown }])
      for (const { context, isTransactionControl } of music.ran) {
        if (!isTransactionControl) expect(context).not.toBeNull()
      }
      await pool.end()
      await database.drop()
    })

    const stored = async (sql: string): Promise<unknown[]> => {
      const { rows } = await openPool().query<unknown[]>({
        text: sql.replaceAll('@', `${database.schema}.`),
        rowMode: 'array',
      })
      return rows.flat()
    }

    it('filters lists, totals, counts and included resources for each caller', async () => {
      const { api } = music
      const shown = async (headers: Readonly<Record<string, string>>) => {
        const response = await api.get('/playlists?include=notes,tracks&page[number]=1', { headers })
        const page = response.document?.meta?.['page'] as { readonly total?: number } | undefined
        const included = response.document?.included?.map(({ type, id }) => `${type} ${id}`)
        return [titlesOf(response), page?.total, included?.toSorted()]
      }
      for (let run = 0; run < 4; run += 1) {
        expect(await shown(alice)).toEqual([['Road Trip', 'Secret A', 'Party'], 3, ['notes 1', 'tracks 1', 'tracks 2']])
        expect(await shown(bob)).toEqual([
          ['Road Trip', 'Secret B', 'Party'],
          3,
          ['notes 2', 'notes 3', 'tracks 1', 'tracks 3'],
        ])
        expect(await shown({})).toEqual([['Road Trip', 'Party'], 2, ['tracks 1']])
      }
      const found = await Promise.all(
        [alice, bob].map((headers) => api.get('/playlists?filter[note]=by B on 1', { headers })),
      )
      expect(found.map(titlesOf)).toEqual([[], ['Road Trip']])
    })

    it('gives concurrent callers of one statement their own rows', async () => {
      const callers = Array.from({ length: 24 }, (_, index) => [alice, bob, {}][index % 3] ?? {})
      const titles = await Promise.all(
        callers.map(async (headers) => titlesOf(await music.api.get('/playlists', { headers }))),
      )
      const [first, second, third] = titles
      expect([first?.[1], second?.[1], third?.[1]]).toEqual(['Secret A', 'Secret B', 'Party'])
      expect(titles).toEqual(callers.map((_, index) => titles[index % 3]))
    })

    it('makes an invisible row 404', async () => {
      const { api } = music
      expect((await api.get('/playlists/2', { headers: alice })).status).toBe(200)
      for (const path of ['/playlists/2', '/playlists/2/tracks', '/playlists/2/relationships/notes', '/notes/1']) {
        expectErrors(await api.get(path, { headers: bob }), [{ status: 404 }])
      }
      expectErrors(await api.patch('/playlists/2', { headers: bob, body: playlist(2, 2) }), [{ status: 404 }])
      expectErrors(await api.delete('/playlists/2', { headers: bob }), [{ status: 404 }])
      // A row that the caller may see, but not change, is out of sight of the change.
      expectErrors(await api.patch('/playlists/1', { headers: bob, body: playlist(1, 2) }), [{ status: 404 }])
      expectErrors(await api.delete('/playlists/1', { headers: bob }), [{ status: 404 }])
      expect(await stored('select title from @playlists order by id')).toHaveLength(4)
    })

    it('makes a row that the check of a policy refuses 403', async () => {
      const { api } = music
      expect((await api.post('/playlists', { headers: alice, body: playlist(5, 1) })).status).toBe(201)
      expectErrors(await api.post('/playlists', { headers: alice, body: playlist(6, 2) }), [{ status: 403 }])
      expectErrors(await api.post('/playlists', { body: playlist(6, 2) }), [{ status: 403 }])
      expect((await api.patch('/playlists/5', { headers: alice, body: playlist(5, 1, 'Renamed') })).status).toBe(200)
      expectErrors(await api.patch('/playlists/5', { headers: alice, body: playlist(5, 2) }), [{ status: 403 }])
      expect((await api.delete('/playlists/5', { headers: alice })).status).toBe(204)
      expect(await stored('select title from @playlists order by id')).toHaveLength(4)
    })

    it('applies to relationship writes', async () => {
      const { api } = music
      const body = { data: [{ type: 'tracks', id: '2' }] }
      const path = '/playlists/1/relationships/tracks'
      expect((await api.post(path, { headers: alice, body })).status).toBeLessThan(300)
      expect((await api.delete(path, { headers: alice, body })).status).toBeLessThan(300)
      expectErrors(await api.post(path, { headers: bob, body }), [{ status: 404 }])
      expectErrors(await api.post('/playlists/2/relationships/tracks', { headers: bob, body }), [{ status: 404 }])
      expect(await stored('select "trackId" from @"playlistTracks" where "playlistId" in (1, 2) order by 1')).toEqual([
        1, 1, 2,
      ])
      // Members out of sight are as if missing.
      const notes = { data: [{ type: 'notes', id: '2' }] }
      expectErrors(await api.post('/playlists/2/relationships/notes', { headers: alice, body: notes }), [
        { status: 404 },
      ])
    })

    it('applies to hooks, actions, and references to invisible rows', async () => {
      const { api } = music
      const visible = await api.post('/notes', { headers: alice, body: note(7, 1, '2') })
      expect([visible.status, visible.document?.data]).toEqual([
        201,
        expect.objectContaining({ attributes: { text: 'Note after 1', ownerId: 1 } }) as unknown,
      ])
      const other = await api.post('/notes', { headers: bob, body: note(8, 2, '4') })
      expect(other.document?.data).toMatchObject({ attributes: { text: 'Note after 2' } })
      expectErrors(await api.post('/notes', { headers: bob, body: note(9, 2, '2') }), [{ status: 404 }])
      expectErrors(await api.post('/notes', { headers: bob, body: note(9, 1, '4') }), [{ status: 403 }])
      for (const headers of [alice, bob, {}]) {
        const listed = titlesOf(await api.get('/playlists', { headers }))
        const read = await api.get('/playlists/-actions/titles', { headers })
        const written = await api.post('/playlists/-actions/titles', { headers })
        expect([read.document?.meta, written.document?.meta]).toEqual([
          { titles: listed, same: true },
          { titles: listed, same: true },
        ])
      }
      expect((await api.get('/playlists/-actions/publish', { headers: alice })).document?.meta).toEqual({ changed: 2 })
      expect((await api.get('/playlists/-actions/publish')).document?.meta).toEqual({ changed: 0 })
      expect(await stored('select id from @playlists where public order by id')).toEqual([1, 2, 4])
    })

    it('applies to batches, all or nothing', async () => {
      const batch = batchOf(music.api)
      expect((await batch(alice, add(10, 1), add(11, 1))).status).toBe(200)
      expect((await batch(bob, add(12, 2), add(13, 1))).status).toBe(403)
      expect((await batch(bob, add(12, 2), update(4, 'Party on'))).status).toBe(200)
      expect((await batch(bob, update(4, 'Party'), update(10, 'Mine'))).status).toBe(404)
      expect((await batch({}, add(14, 1), add(15, 1))).status).toBe(403)
      expect(await stored('select title from @playlists where id > 3 order by id')).toEqual([
        'Party on',
        'New 10',
        'New 11',
        'New 12',
      ])
    })

    it('applies to dispatched operations of a caller, also within the transaction of another', async () => {
      const { api, titlesFor } = music
      const [visible, others, open] = [
        ['Road Trip', 'Secret A', 'Party'],
        ['Road Trip', 'Secret B', 'Party'],
        ['Road Trip', 'Party'],
      ]
      expect([await titlesFor(1), await titlesFor(2), await titlesFor(null)]).toEqual([visible, others, open])
      const nested = await api.post('/playlists/-actions/others', { headers: alice })
      expect(nested.document?.meta).toEqual({ seen: [others, open, visible] })
    })

    it('is a logged 500 if the role may not be used', async () => {
      const wrong = securedServer(pool, { ...database, role: 'no_such_role' }, { prepare })
      expectErrors(await wrong.api.get('/playlists', { headers: alice }), [{ status: 500 }])
      expectErrors(await wrong.api.post('/playlists', { headers: alice, body: playlist(5, 1) }), [{ status: 500 }])
      expectErrors(await wrong.api.post('/playlists/-actions/titles', { headers: alice }), [{ status: 500 }])
      expect(wrong.logged).toHaveLength(3)
      expect(String(wrong.logged[0])).toContain("the option 'session' of sqlData()")
      await wrong.server.ready()
    })

    it('applies on a replica', async () => {
      const standIn = await replicaStandIn()
      const replica = new Pool({ connectionString: standIn.url, max: 1 })
      const taken = vi.spyOn(replica, 'connect')
      try {
        const { api, server } = securedServer({ primary: pool, replicas: [replica] }, database, { prepare })
        await server.ready()
        taken.mockClear()
        expect(titlesOf(await api.get('/playlists', { headers: alice }))).toContain('Secret A')
        expect(titlesOf(await api.get('/playlists', { headers: bob }))).not.toContain('Secret A')
        const created = await api.post('/playlists', { headers: alice, body: playlist(5, 1) })
        expect(created.headers.get('read-after')).toMatch(/^0\.[0-9a-f]+$/)
        // Two reads; and its position may have been queried.
        expect(taken.mock.calls.length).toBeGreaterThanOrEqual(2)
      } finally {
        await replica.end()
        await standIn.drop()
      }
    })
  })
}
