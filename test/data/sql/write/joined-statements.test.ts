import {
  atomic,
  belongsTo,
  belongsToMany,
  createServer,
  defineResource,
  type FilterKit,
  id,
  type RequestContext,
} from 'ashlar'
import type { Persister } from 'ashlar/store'
import { sqlData, table } from 'ashlar/sql'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { add, batchClient, linked, remove, update } from '../../../atomic/batch-client.js'
import { runs } from '../../../support/runs.js'
import type { Engine } from './open-databases.js'
import { databases, engines } from './open-databases.js'

/**
 * In the transaction of a batch, a plain write is one statement. The result is the same as in steps: that of a persister without shortcuts.
 */

const open = databases()

const tables: readonly string[] = [
  `create table artists (id integer primary key, name text not null unique, "ownerId" integer not null)`,
  `create table albums (
    id integer primary key, title text not null unique, year integer check (year < 2100), revision integer default 1,
    "artistId" integer references artists (id))`,
  `create table labels (id integer primary key, name text not null)`,
  `create table "albumLabels" ("albumId" integer references albums (id), "labelId" integer references labels (id),
    primary key ("albumId", "labelId"))`,
  `insert into artists (id, name, "ownerId") values (1, 'Can', 1), (2, 'Neu', 1), (3, 'Faust', 2)`,
  `insert into albums (id, title, year, "artistId") values (1, 'One', 1970, 1), (2, 'Two', null, 2), (3, 'Three', 1972, null)`,
  `insert into labels (id, name) values (1, 'Sky'), (2, 'Brain')`,
  `insert into "albumLabels" ("albumId", "labelId") values (1, 1), (2, 1)`,
]

interface AlbumRow {
  readonly id: number
  readonly title: string
  readonly year: number | null
  readonly revision: number
  readonly artistId: number | null
}

async function opened(engine: Engine, isJoined: boolean, isVersioned = true) {
  const found = await open(engine, tables)
  const ran: { readonly sql: string; readonly inTransaction: boolean }[] = []
  const data = sqlData(found.database, {
    ...found.options,
    onStatement: ({ sql, inTransaction }) => ran.push({ sql, inTransaction }),
  })
  const inSteps = isJoined ? {} : { persister: (store: Persister): Persister => ({ ...store, shortcuts: {} }) }
  const resources = [
    defineResource('artists', {
      model: table<{ id: number; name: string; ownerId: number }>('artists'),
      id: id(),
      attributes: (a) => ({ name: a.string().required().maxLength(10), ownerId: a.integer().required() }),
      // Callers see the artists of owner 1 only, and cannot give one away.
      scope: (_context: RequestContext, f: FilterKit<'ownerId'>) => f.where('ownerId').fixed(1),
      ...inSteps,
    }),
    defineResource('labels', {
      model: table<{ id: number; name: string }>('labels'),
      id: id(),
      attributes: (a) => ({ name: a.string() }),
    }),
    defineResource('albums', {
      model: table<AlbumRow>('albums'),
      id: id(),
      ...(isVersioned && { version: { column: 'revision' } }),
      attributes: (a) => ({ title: a.string().required().maxLength(10), year: a.integer().nullable() }),
      relations: {
        artist: belongsTo('artists').nullable(),
        labels: belongsToMany('labels').through('albumLabels', { owner: 'albumId', member: 'labelId' }),
      },
      ...inSteps,
    }),
  ] as never
  const server = createServer({ resources, data, logger: { error: () => undefined }, extensions: [atomic()] })
  const api = batchClient(server)
  await api.get('/albums')
  ran.length = 0
  return {
    api,
    ran,
    rows: async () => [
      await found.rows('select * from albums order by id'),
      await found.rows('select * from artists order by id'),
      await found.rows('select * from "albumLabels" order by "albumId", "labelId"'),
    ],
  }
}

type Opened = Awaited<ReturnType<typeof opened>>

/** Sends operations to both servers. They must respond and store the same. Returns the status. */
async function sameOf(servers: readonly Opened[], operations: readonly object[]): Promise<number> {
  const [joined, inSteps] = await Promise.all(
    servers.map(async ({ api, rows }) => {
      const { status, text } = await api.batch(operations)
      return { status, text, rows: await rows() }
    }),
  )
  expect(joined).toEqual(inSteps)
  return joined?.status ?? 0
}

const anyId = fc.constantFrom('1', '2', '3', '9', 'x')
const artist = fc.option(
  fc.constantFrom('1', '2', '3', '9', null).map((key) => ({
    relationships: { artist: linked(key === null ? null : { type: 'artists', id: key }) },
  })),
  { nil: {} },
)
const albumAttributes = fc.record(
  {
    title: fc.constantFrom('One', 'Two', 'a', 'b', 'c', 'much too long', null),
    year: fc.constantFrom(1970, null, 2500, 'x'),
  },
  { requiredKeys: [] },
)
const artistAttributes = fc.record(
  { name: fc.constantFrom('Can', 'Neu', 'Faust', 'Cluster'), ownerId: fc.constantFrom(1, 1, 2) },
  { requiredKeys: [] },
)
const labels = fc.subarray(['1', '2', '9']).map((keys) => keys.map((key) => ({ type: 'labels', id: key })))

const operation = fc.oneof(
  { arbitrary: fc.tuple(anyId, albumAttributes, artist).map((parts) => update('albums', ...parts)), weight: 6 },
  { arbitrary: fc.tuple(anyId, artistAttributes).map((parts) => update('artists', ...parts)), weight: 3 },
  { arbitrary: anyId.map((key) => remove('albums', key)), weight: 1 },
  { arbitrary: anyId.map((key) => remove('artists', key)), weight: 1 },
  { arbitrary: fc.tuple(albumAttributes, artist).map(([own, others]) => add('albums', own, others)), weight: 2 },
  {
    arbitrary: fc.tuple(fc.constantFrom('add', 'remove', 'update'), anyId, labels).map(([op, key, data]) => ({
      op,
      ref: { type: 'albums', id: key, relationship: 'labels' },
      data,
    })),
    weight: 2,
  },
)

describe.each(engines)('On %s', (engine) => {
  test('any batch has the result that it has in steps', async () => {
    const servers = [await opened(engine, true), await opened(engine, false)]
    let [done, all] = [0, 0]
    await fc.assert(
      fc.asyncProperty(fc.array(operation, { minLength: 1, maxLength: 4 }), async (operations) => {
        all += 1
        if ((await sameOf(servers, operations)) < 300) done += 1
      }),
      { numRuns: runs(80), examples: [[[update('albums', '1', { year: 1975 })]]] },
    )
    // The test is meaningful only if batches are stored.
    expect(done).toBeGreaterThan(all / 20)
  })

  test('plain operations are one statement each, in one transaction', async () => {
    const { api, ran } = await opened(engine, true, false)
    await api.results([
      update('albums', '1', { title: 'a' }),
      update('albums', '2', { year: 1971 }, { relationships: { artist: linked({ type: 'artists', id: '2' }) } }),
      { op: 'add', ref: { type: 'albums', id: '1', relationship: 'labels' }, data: [{ type: 'labels', id: '2' }] },
      remove('albums', '3'),
    ])
    expect(ran.every(({ inTransaction }) => inTransaction)).toBe(true)
    const verbs = ran
      .map(({ sql }) => sql.split(' ', 1)[0])
      .filter((verb) => verb !== 'savepoint' && verb !== 'release')
    // The result of the third operation is the resulting linkage.
    expect(verbs).toEqual(['begin', 'update', 'update', 'insert', 'select', 'delete', 'commit'])
  })

  test('a refused statement leaves the error of the steps, and nothing stored', async () => {
    const servers = [await opened(engine, true), await opened(engine, false)]
    const status = await sameOf(servers, [
      update('albums', '1', { year: 1999 }),
      update('albums', '2', { title: 'One' }),
    ])
    expect(status).toBe(422)
  })
})
