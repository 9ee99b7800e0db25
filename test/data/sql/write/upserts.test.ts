import { randomUUID } from 'node:crypto'
import { rmSync, mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from '@photostructure/sqlite'
import { atomic, createServer, defineResource, id } from 'ashlar'
import { sqlData, table } from 'ashlar/sql'
import { statementCounter, type TestClient } from 'ashlar/testing'
import { Pool } from 'pg'
import { afterEach, describe, expect, inject, test } from 'vitest'
import type { SqlDatabase } from '../../../../src/stores/sql/driver/driver-of.js'
import { batchHeaders } from '../../../atomic/batch-client.js'
import { client, resourceBody } from '../../../support/client.js'
import { rounds } from '../../../support/runs.js'
import { databases, type Engine, engines } from './open-databases.js'

/** Upserts on databases: their statements, and the races of two servers with a connection each. */

const definition =
  'create table genres (id text primary key, name text not null unique, plays integer not null default 0)'

const tags = defineResource('tags', {
  model: table<{ id: string; slug: string; plays: number }>('tags'),
  id: id().generateUsing(() => randomUUID()),
  attributes: (a) => ({ slug: a.string().required().unique(), plays: a.integer() }),
  filters: (f) => ({ slug: f.where() }),
  upsertBy: 'slug',
})

const tagTable = 'create table tags (id text primary key, slug text not null unique, plays integer not null)'

const genres = (hooks: object = {}) =>
  defineResource('genres', {
    model: table<{ id: string; name: string; plays: number }>('genres'),
    id: id()
      .pattern(/[a-z]+/)
      .requireClientId(),
    attributes: (a) => ({ name: a.string().required(), plays: a.integer() }),
    upsertBy: 'id',
    hooks,
  })

const genre = (name: string, plays: number, key = 'folk') => ({ body: resourceBody('genres', { name, plays }, key) })

const ended: (() => Promise<unknown> | void)[] = []
afterEach(async () => {
  for (const end of ended.splice(0)) await end()
})

describe.each(engines)('On %s', (engine) => {
  const open = databases()

  async function counted(): Promise<{
    api: TestClient
    statementsOf: (name: string, plays: number) => Promise<readonly string[]>
  }> {
    const { database, options } = await open(engine, [definition])
    const counter = statementCounter()
    const api = client(
      createServer({
        resources: [genres()],
        data: sqlData(database, { ...options, onStatement: counter.onStatement }),
      }),
    )
    await api.get('/genres')
    return {
      api,
      async statementsOf(name, plays) {
        const statements = await counter.during(async () => {
          expect((await api.put('/genres/folk', genre(name, plays))).errors).toEqual([])
        })
        return statements.map(({ sql }) => sql.trim().split(/\s/, 1)[0] ?? '')
      },
    }
  }

  test('an update is one statement, a create three', async () => {
    const { statementsOf } = await counted()
    expect(await statementsOf('Folk', 1)).toEqual(['update', 'select', 'insert'])
    expect(await statementsOf('Folk', 2)).toEqual(['update'])
  })

  test('a request that changes nothing inserts nothing', async () => {
    const { statementsOf } = await counted()
    await statementsOf('Folk', 1)
    expect(await statementsOf('Folk', 1)).not.toContain('insert')
  })

  test.each([
    ['by statements', {}],
    ['in steps', { beforeSave: () => undefined }],
  ])('two servers create one row, and all their requests succeed, %s', async (_, hooks) => {
    const [one, other] = await twoServers(engine, hooks)
    for (let round = 0; round < rounds(5, 50); round += 1) {
      const key = `folk${'abcdefghijklmnopqrstuvwxyz'[round % 26] ?? ''}${'x'.repeat(Math.floor(round / 26))}`
      const responses = await Promise.all(
        Array.from({ length: 10 }, (_each, turn) =>
          (turn % 2 === 0 ? one : other).put(`/genres/${key}`, genre(`Folk ${round}`, turn, key)),
        ),
      )
      const statuses = responses.map(({ status }) => status).toSorted((low, high) => low - high)
      expect(statuses).toEqual([...Array.from({ length: 9 }, () => 200), 201])
    }
    expect((await one.get('/genres')).resources).toHaveLength(rounds(5, 50))
  })

  test('of two servers that only create, one does', async () => {
    const [one, other] = await twoServers(engine, {})
    const headers = { 'If-None-Match': '*' }
    const responses = await Promise.all(
      [one, other, one, other].map((api, turn) => api.put('/genres/folk', { ...genre('Folk', turn), headers })),
    )
    expect(responses.map(({ status }) => status).toSorted((low, high) => low - high)).toEqual([201, 412, 412, 412])
  })
})

describe.each(engines)('In batches on %s', (engine) => {
  test.each([
    ['alone', []],
    ['after others', [{ op: 'add', data: { type: 'tags', attributes: { slug: 'first', plays: 0 } } }]],
  ])('two servers create one row by a unique key, and all their requests succeed: %s', async (_, before) => {
    const [one, other] = await twoServers(engine, {})
    for (let round = 0; round < rounds(5, 50); round += 1) {
      const operations = before.map((each) => structuredClone(each))
      const responses = await Promise.all(
        Array.from({ length: 10 }, (_each, turn) => {
          const first = operations.map(({ data, ...operation }) => {
            const attributes = { slug: `before-${round}-${turn}`, plays: 0 }
            return { ...operation, data: { ...data, attributes } }
          })
          const tag = { type: 'tags', attributes: { slug: `folk-${round}`, plays: turn } }
          return (turn % 2 === 0 ? one : other).post('/operations', {
            headers: { ...batchHeaders, 'Content-Type': upsertType },
            body: { 'atomic:operations': [...first, { op: 'add', 'upsert:by': 'slug', data: tag }] },
          })
        }),
      )
      expect(responses.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200))
      const created = responses.filter((each) => resultsOf(each).at(-1)?.meta?.created === true)
      expect(created).toHaveLength(1)
      const { resources } = await one.get(`/tags?filter[slug]=folk-${round}`)
      expect(resources).toHaveLength(1)
    }
  })
})

const upsertType = 'application/vnd.api+json; ext="https://jsonapi.org/ext/atomic https://ashlar.dev/ext/upsert/"'

const resultsOf = ({
  text,
}: {
  readonly text: string
}): readonly { readonly meta?: { readonly created?: boolean } }[] =>
  (JSON.parse(text) as { 'atomic:results': [] })['atomic:results']

/** Two servers with connections of their own to one database. */
async function twoServers(engine: Engine, hooks: object): Promise<readonly [TestClient, TestClient]> {
  const opened = engine === 'sqlite' ? twoFiles() : await twoPools()
  const [one, other] = opened.map(({ database, schema }) => {
    const data = sqlData(database, schema === null ? {} : { schema })
    return client(createServer({ resources: [genres(hooks), tags], data, extensions: [atomic()] }))
  })
  if (one === undefined || other === undefined) throw new Error('There are two servers.')
  return [one, other]
}

interface Opened {
  readonly database: SqlDatabase
  readonly schema: string | null
}

function twoFiles(): readonly Opened[] {
  const folder = mkdtempSync(join(inject('runFolder'), 'upserts-'))
  const files = [0, 1].map(() => new DatabaseSync(join(folder, 'genres.db')))
  files[0]?.exec(`pragma journal_mode = wal; ${definition}; ${tagTable}`)
  ended.push(() => {
    for (const file of files) file.close()
    rmSync(folder, { recursive: true, force: true })
  })
  return files.map((database) => ({ database, schema: null }))
}

async function twoPools(): Promise<readonly Opened[]> {
  const schema = `upserts_${randomUUID().replaceAll('-', '_')}`
  const pools = [0, 1].map(() => new Pool({ connectionString: inject('databaseUrl'), max: 5 }))
  await pools[0]?.query(
    `create schema ${schema}; set search_path to ${schema}; ${definition}; ${tagTable}; reset search_path`,
  )
  ended.push(async () => {
    await pools[0]?.query(`drop schema ${schema} cascade`)
    await Promise.all(pools.map((pool) => pool.end()))
  })
  return pools.map((database) => ({ database, schema }))
}
