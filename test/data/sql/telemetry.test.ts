import { SpanKind, SpanStatusCode } from '@opentelemetry/api'
import { atomic, belongsTo, createServer, defineResource, hasMany, id, type ServerSettings } from 'ashlar'
import { sqlData, table } from 'ashlar/sql'
import type { Kysely } from 'kysely'
import { describe, expect, test } from 'vitest'
import { batchClient } from '../../atomic/batch-client.js'
import { resourceBody } from '../../support/client.js'
import { recordedTelemetry, withOpenTelemetry } from '../../support/telemetry.js'
import { databases, type Engine, engines } from './write/open-databases.js'

withOpenTelemetry()
const open = databases()

interface Tables {
  readonly albums: { readonly id: number; readonly title: string }
}

const artists = defineResource('artists', {
  model: table<{ id: number; name: string }>('artists'),
  id: id(),
  attributes: (a) => ({ name: a.string() }),
  relations: { albums: hasMany('albums') },
})

const albums = defineResource('albums', {
  model: table<{ id: number; title: string; artistId: number | null }>('albums'),
  id: id(),
  attributes: (a) => ({ title: a.string() }),
  relations: { artist: belongsTo('artists').nullable(), tracks: hasMany('tracks') },
  filters: (f) => ({ title: f.where() }),
})

const tracks = defineResource('tracks', {
  model: table<{ id: number; title: string; albumId: number | null }>('tracks'),
  id: id(),
  attributes: (a) => ({ title: a.string() }),
  relations: { album: belongsTo('albums').nullable() },
  hooks: {
    // A hook makes the write take a transaction.
    async beforeCreate(_draft, context) {
      await (context.db as Kysely<Tables>).selectFrom('albums').select('title').where('title', '=', 'Secret').execute()
    },
  },
})

/** The tables are in a schema of the test on PostgreSQL. */
const inSchema = (text: string, schema: string | undefined): string =>
  schema === undefined ? text : text.replaceAll(`${schema}.`, '')

async function music(engine: Engine, settings: Partial<ServerSettings<readonly []>> = {}) {
  const { database, options } = await open(engine, [
    'create table artists (id serial, name text not null)',
    'create table albums (id serial, title text not null, "artistId" integer)',
    'create table tracks (id serial, title text not null check (length(title) < 20), "albumId" integer)',
    "insert into artists (name) values ('Portishead')",
    "insert into albums (title, \"artistId\") values ('Secret', 1), ('Dummy', 1)",
    'insert into tracks (title, "albumId") values (\'Roads\', 2)',
  ])
  const recorded = recordedTelemetry()
  const data = sqlData<Tables>(database, options)
  const server = createServer({
    resources: [artists, albums, tracks],
    data,
    extensions: [atomic()],
    logger: null,
    ...settings,
    telemetry: recorded.telemetry,
  })
  // The first request reads the tables.
  await server.ready()
  return { ...recorded, server, data, api: batchClient(server), tree: () => inSchema(recorded.tree(), options.schema) }
}

const system = { sqlite: 'sqlite', postgres: 'postgresql' } as const

describe.each(engines)('Spans on %s', (engine) => {
  test('of a read show each stage, and each statement below it', async () => {
    const { api, tree, span } = await music(engine)
    await api.get('/albums?include=tracks,artist&filter[title]=Dummy')
    expect(tree()).toMatch(
      new RegExp(
        [
          '^GET /albums \\[server\\]',
          '  parse',
          '  handle',
          '    SELECT albums \\[client: list albums\\]',
          '    SELECT (?:tracks|artists) \\[client: list albums\\.(?:tracks|artist)\\]',
          '    SELECT (?:tracks|artists) \\[client: list albums\\.(?:tracks|artist)\\]',
          '  render$',
        ].join('\n'),
      ),
    )
    const listed = span('GET /albums')
    expect(listed.attributes).toEqual({
      'http.request.method': 'GET',
      'http.route': '/albums',
      'http.response.status_code': 200,
      'url.path': '/albums',
      'url.scheme': 'http',
      'server.address': 'localhost',
      'ashlar.route': 'jsonapi.albums.index',
    })
  })

  test('of a statement have its text and its table, and no values', async () => {
    const { api, spans } = await music(engine)
    await api.get('/albums?filter[title]=Dummy')
    const statement = spans().find(({ attributes }) => attributes['ashlar.shape'] === 'list albums')
    expect(statement?.attributes).toEqual({
      'db.system.name': system[engine],
      'db.operation.name': 'SELECT',
      'db.collection.name': expect.stringMatching(/\balbums$/),
      'db.query.summary': expect.stringMatching(/^SELECT .*\balbums$/),
      'db.query.text': expect.stringMatching(/^select .* where .*(?:\$1|\?)/),
      'db.response.returned_rows': 1,
      'ashlar.shape': 'list albums',
    })
  })

  test('of a write by one statement show just that', async () => {
    const { api, tree } = await music(engine)
    await api.post('/albums', { body: resourceBody('albums', { title: 'Third' }) })
    expect(tree()).toBe(
      ['POST /albums [server]', '  parse', '  handle', '    INSERT albums [client: insert albums]', '  render'].join(
        '\n',
      ),
    )
  })

  test('of a write in a transaction show its begin and its commit', async () => {
    const { api, tree } = await music(engine)
    await api.post('/tracks', { body: resourceBody('tracks', { title: 'Numb' }) })
    const lines = tree().split('\n')
    expect(lines.slice(0, 3)).toEqual(['POST /tracks [server]', '  parse', '  handle'])
    expect(lines).toContain('    SELECT [client]')
    expect(lines).toContain('    INSERT tracks [client: insert tracks]')
    expect([lines[3], lines.at(-2), lines.at(-1)]).toEqual([
      '    BEGIN [client: begin]',
      '    COMMIT [client: commit]',
      '  render',
    ])
  })

  test('of a batch show each operation, and its statements below it', async () => {
    const { api, tree, span } = await music(engine)
    await api.results([
      { op: 'add', data: { type: 'artists', lid: 'a', attributes: { name: 'Tricky' } } },
      {
        op: 'add',
        data: {
          type: 'albums',
          attributes: { title: 'Maxinquaye' },
          relationships: { artist: { data: { type: 'artists', lid: 'a' } } },
        },
      },
      { op: 'update', data: { type: 'albums', id: '2', attributes: { title: 'Dummy!' } } },
      { op: 'remove', ref: { type: 'tracks', id: '1' } },
    ])
    const operations = tree()
      .split('\n')
      .filter((line) => /^ {4}\S/.test(line))
    expect(operations).toEqual([
      '    BEGIN [client: begin]',
      '    CreateResource artists',
      '    CreateResource albums',
      '    UpdateResource albums',
      '    DeleteResource tracks',
      '    COMMIT [client: commit]',
    ])
    expect(tree()).toContain('POST /operations [server]')
    expect(tree()).toMatch(
      / {4}CreateResource artists\n(?: {6}SAVEPOINT .*\n)* {6}INSERT artists \[client: insert artists\]/,
    )
    expect(span('UpdateResource albums').attributes).toEqual({
      'ashlar.operation.position': 2,
      'ashlar.operation.count': 1,
    })
  })

  test('of operations that run together are one', async () => {
    const { api, spans } = await music(engine)
    await api.results(
      ['One', 'Two', 'Three'].map((title) => ({ op: 'add', data: { type: 'albums', attributes: { title } } })),
    )
    const steps = spans().filter(({ name }) => name === 'CreateResource albums')
    expect(steps.at(-1)?.attributes).toEqual({ 'ashlar.operation.position': 0, 'ashlar.operation.count': 3 })
  })

  test('of a statement that fails have its code, and those of the request no error if the client caused it', async () => {
    const { api, tree, spans } = await music(engine)
    const body = resourceBody('tracks', { title: 'Secret and much too long' })
    expect((await api.post('/tracks', { body })).status).toBe(422)
    const code = engine === 'postgres' ? '23514' : 'ERR_SQLITE_ERROR'
    const failed = spans().filter(({ status }) => status.code === SpanStatusCode.ERROR)
    expect(failed).not.toEqual([])
    for (const { attributes, events, status } of failed) {
      expect(attributes).toMatchObject({ 'error.type': code, 'db.response.status_code': code })
      expect([status.message, events]).toEqual([undefined, []])
    }
    expect(tree()).toContain('INSERT tracks [client: insert tracks] !')
    expect(tree()).toContain('ROLLBACK [client: rollback]')
    expect(tree()).toMatch(/^POST \/tracks \[server\]\n/)
  })

  test('have an exception without the message of the database, if the server caused it', async () => {
    const { api, data, span } = await music(engine)
    await data.db.schema.alterTable('albums').renameColumn('title', 'secretTitle').execute()
    expect((await api.get('/albums/1')).status).toBe(500)
    const { status, attributes, events } = span('GET /albums/{id}')
    expect(status).toEqual({ code: 2 })
    expect(attributes['error.type']).toBe(engine === 'postgres' ? 'DatabaseError' : 'Error')
    expect(events.map(({ name }) => name)).toEqual(['exception'])
    expect(events[0]?.attributes).toEqual({
      'exception.type': attributes['error.type'],
      'exception.message': engine === 'postgres' ? '42703' : 'ERR_SQLITE_ERROR',
      'exception.stacktrace': expect.stringMatching(/^\s+at /),
    })
  })

  test('contain nothing that clients send, and nothing that is stored', async () => {
    const { api, data, spans } = await music(engine)
    const headers = { Authorization: 'Bearer Secret', Cookie: 'session=Secret', 'X-Secret': 'Secret' }
    await api.get('/albums/1?include=tracks', { headers })
    await api.get('/albums?filter[title]=Secret', { headers })
    await api.get('/albums?filter[nothing]=Secret', { headers })
    await api.post('/albums', { headers, body: resourceBody('albums', { title: 'Secret too' }) })
    await api.post('/tracks', { headers, body: resourceBody('tracks', { title: 'Secret and much too long' }) })
    await api.patch('/albums/1', { headers, body: resourceBody('albums', { title: 'Secret as well' }, '1') })
    await api.batch([
      { op: 'add', data: { type: 'albums', lid: 'Secret', attributes: { title: 'Secret' } } },
      { op: 'add', data: { type: 'tracks', attributes: { title: 'Secret' } } },
    ])
    await data.db.selectFrom('albums').selectAll().execute()
    const exported = spans().map(({ name, attributes, events, status }) => ({ name, attributes, events, status }))
    expect(exported.length).toBeGreaterThan(30)
    expect(JSON.stringify(exported)).not.toContain('Secret')
  })

  test('have no literals of statements that the application has written', async () => {
    const { server, api, data, spans } = await music(engine)
    const { sql } = await import('kysely')
    server.on('Serving', async () => {
      await sql`select title, 42 from albums where title = ${sql.lit("Secret's")} and id in (1, 2.5) limit ${3}`
        .execute(data.db)
        .catch(() => undefined)
    })
    await api.get('/albums/1')
    const text = spans().find(({ name }) => name === 'SELECT')?.attributes['db.query.text']
    expect(text).toBe(
      `select title, ? from albums where title = ? and id in (?, ?) limit ${engine === 'postgres' ? '$1' : '?'}`,
    )
  })

  test('of statements of the application are below the stage, or below a span of the application', async () => {
    const observations: (() => Promise<unknown>)[] = []
    const { api, data, tracerProvider, tree } = await music(engine, {
      middleware: [
        async (_, next) => {
          await Promise.all(observations.map((observe) => observe()))
          return next()
        },
      ],
    })
    const titles = (): Promise<unknown> => data.db.selectFrom('albums').select('title').execute()
    const tracer = tracerProvider.getTracer('application')
    observations.push(titles, () => tracer.startActiveSpan('token', (span) => titles().finally(() => span.end())))
    await api.get('/albums/1')
    expect(tree()).toBe(
      [
        'GET /albums/{id} [server]',
        '  middleware',
        '    SELECT [client]',
        '  token',
        '    SELECT [client]',
        '  parse',
        '  handle',
        '    SELECT albums [client: find albums]',
        '  render',
      ].join('\n'),
    )
  })

  test('of an operation that the application dispatches have its statements', async () => {
    const { server, tree, reset } = await music(engine)
    await server.dispatch({ kind: 'FetchResource', type: 'albums', id: '1' })
    expect(tree()).toBe(['dispatch FetchResource albums', '  SELECT albums [client: find albums]'].join('\n'))
    reset()
    await expect(server.dispatch({ kind: 'FetchResource', type: 'albums', id: '404' })).rejects.toThrow()
    expect(tree()).toBe(['dispatch FetchResource albums', '  SELECT albums [client: find albums]'].join('\n'))
  })

  test('and the header Server-Timing count the same statements', async () => {
    const { api, spans } = await music(engine, { debug: true })
    const { headers } = await api.post('/tracks', { body: resourceBody('tracks', { title: 'Numb' }) })
    const count = spans().filter(({ kind }) => kind === SpanKind.CLIENT).length
    expect(count).toBeGreaterThan(3)
    expect(headers.get('server-timing')).toContain(`;desc="${count} statements"`)
  })
})

describe.each(engines)('Metrics on %s', (engine) => {
  test('have the time of statements, and the statistics of the store', async () => {
    const { api, metrics } = await music(engine)
    await api.get('/albums?filter[title]=Dummy')
    await api.post('/tracks', { body: resourceBody('tracks', { title: 'Numb' }) })
    const all = await metrics()
    const durations = all.get('db.client.operation.duration')
    expect(durations?.descriptor.unit).toBe('s')
    const points = (durations?.dataPoints ?? []).map(({ attributes, value }) => ({ attributes, value }))
    const inserts = points.find(({ attributes }) => attributes['db.operation.name'] === 'INSERT')
    expect(inserts?.attributes).toEqual({
      'db.system.name': system[engine],
      'db.operation.name': 'INSERT',
      'db.collection.name': expect.stringMatching(/\btracks$/),
      'db.query.summary': expect.stringMatching(/^INSERT .*\btracks$/),
    })
    expect(inserts?.value).toMatchObject({ count: 1 })
    const transactions = all.get('ashlar.store.transactions')
    expect(transactions?.dataPoints).toMatchObject([{ attributes: { 'ashlar.store': engine }, value: 1 }])
    expect(all.get('ashlar.store.retries')?.dataPoints).toMatchObject([{ value: 0 }])
    const limits = all.get('db.client.connection.limit')?.dataPoints ?? []
    expect(limits.map(({ attributes }) => attributes)).toEqual(
      engine === 'sqlite' ? [] : [{ 'db.client.connection.pool.name': 'postgres' }],
    )
  })
})
