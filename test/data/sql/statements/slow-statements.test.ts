import { createServer, defineResource, hasMany, id } from 'ashlar'
import { type SlowStatementEntry, type SqlDataOptions, sqlData, table } from 'ashlar/sql'
import type { Kysely } from 'kysely'
import { pino } from 'pino'
import { describe, expect, test } from 'vitest'
import { client, resourceBody } from '../../../support/client.js'
import { databases, type Engine, engines } from '../write/open-databases.js'

const open = databases()

interface Tables {
  readonly albums: { readonly id: number; readonly title: string }
}

const albums = defineResource('albums', {
  model: table<{ id: number; title: string }>('albums'),
  id: id(),
  attributes: (a) => ({ title: a.string() }),
  relations: { tracks: hasMany('tracks').via('albumId') },
  filters: (f) => ({ title: f.in() }),
})

const tracks = defineResource('tracks', {
  model: table<{ id: number; title: string; albumId: number }>('tracks'),
  id: id(),
  attributes: (a) => ({ title: a.string() }),
  hooks: {
    // A hook makes the write take a transaction.
    async beforeCreate(_row, context) {
      await (context.db as Kysely<Tables>).selectFrom('albums').select('title').where('title', '=', 'Secret').execute()
    },
  },
})

async function music(engine: Engine, options: Partial<SqlDataOptions> = {}) {
  const { database, options: more } = await open(engine, [
    'create table albums (id serial, title text not null)',
    'create table tracks (id serial, title text not null check (length(title) < 20), "albumId" integer)',
    "insert into albums (title) values ('Secret'), ('Dummy')",
    'insert into tracks (title, "albumId") values (\'Roads\', 2)',
  ])
  const entries: SlowStatementEntry[] = []
  const messages: string[] = []
  const logger = {
    warn(entry: SlowStatementEntry, message: string) {
      entries.push(entry)
      messages.push(message)
    },
  }
  const data = sqlData<Tables>(database, { ...more, slowStatements: { milliseconds: 0, logger }, ...options })
  const api = client(createServer({ resources: [albums, tracks], data, logger: null }))
  return { api, data, entries, messages }
}

describe.each(engines)('slowStatements on %s', (engine) => {
  test('logs the shape of a statement, its time, its rows and its request', async () => {
    const { api, entries, messages } = await music(engine)
    const headers = { 'X-Request-Id': 'a-1' }
    await api.get('/albums?filter[title]=Secret,Dummy&include=tracks', { headers })
    expect(entries.map(({ shape, rows }) => [shape, rows])).toEqual([
      ['list albums', 2],
      ['list albums.tracks', 1],
    ])
    expect(entries[0]).toEqual({
      shape: 'list albums',
      milliseconds: expect.any(Number),
      rows: 2,
      error: null,
      engine,
      inTransaction: false,
      type: 'albums',
      operation: 'FetchResource',
      method: 'GET',
      path: '/albums',
      requestId: 'a-1',
      sql: expect.stringMatching(/^select .* where /),
    })
    expect(messages[0]).toMatch(/^Slow statement: list albums, \d+ ms$/)
  })

  test('names the statements of a transaction, and leaves those of the application without a name', async () => {
    const { api, entries } = await music(engine)
    await api.post('/tracks', { body: resourceBody('tracks', { title: 'Numb' }) })
    expect(entries.map(({ shape }) => shape)).toEqual(
      expect.arrayContaining(['begin', null, 'insert tracks', 'commit']),
    )
    expect(entries.every(({ inTransaction, path }) => inTransaction && path === '/tracks')).toBe(true)
  })

  test('has no values, neither of statements nor of errors', async () => {
    const { api, entries } = await music(engine)
    await api.get('/albums/1')
    await api.get('/albums?filter[title]=Secret')
    await api.post('/tracks', { body: resourceBody('tracks', { title: 'Secret and much too long' }) })
    await api.patch('/albums/1', { body: resourceBody('albums', { title: 'Secret too' }, '1') })
    const failed = entries.filter(({ error }) => error !== null)
    expect(failed.map(({ shape, rows }) => [shape, rows])).toContainEqual(['insert tracks', null])
    expect(failed[0]?.error).toBe(engine === 'postgres' ? '23514' : 'ERR_SQLITE_ERROR')
    expect(entries.map(({ shape }) => shape)).toEqual(
      expect.arrayContaining(['find albums', 'list albums', 'update albums']),
    )
    expect(JSON.stringify(entries)).not.toContain('Secret')
  })

  test('logs statements outside of requests without one', async () => {
    const { data, entries } = await music(engine)
    await data.db.selectFrom('albums').select('id').execute()
    expect(entries).toEqual([
      {
        shape: null,
        milliseconds: expect.any(Number),
        rows: 2,
        error: null,
        engine,
        inTransaction: false,
        sql: expect.stringMatching(/^select /),
      },
    ])
  })

  test('can be a logger of pino', async () => {
    const lines: string[] = []
    const logger = pino({ base: null }, { write: (line: string) => void lines.push(line) })
    const { api } = await music(engine, { slowStatements: { milliseconds: 0, logger } })
    await api.get('/albums/1')
    expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
      { level: 40, shape: 'find albums', rows: 1, msg: expect.stringMatching(/^Slow statement: find albums, \d+ ms$/) },
    ])
  })

  test('logs nothing about statements that are fast enough', async () => {
    const logger = { warn: () => expect.unreachable('no statement takes a day') }
    const { api } = await music(engine, { slowStatements: { milliseconds: 86_400_000, logger } })
    expect((await api.get('/albums')).status).toBe(200)
  })

  test('does not change the response if the logger throws or rejects', async () => {
    for (const warn of [refuse, () => Promise.reject(new Error('full'))]) {
      const { api } = await music(engine, { slowStatements: { milliseconds: 0, logger: { warn } } })
      expect((await api.get('/albums')).status).toBe(200)
    }
  })
})

function refuse(): never {
  throw new Error('full')
}
