import { inspect } from 'node:util'
import { atomic, authenticate, createServer, defineResource, id } from 'ashlar'
import type { RuleKit } from 'ashlar'
import { type RanStatement, sqlData, table } from 'ashlar/sql'
import type { TestClient, TestResponse } from 'ashlar/testing'
import { statementCounter } from 'ashlar/testing'
import { describe, expect, test } from 'vitest'
import { client } from '../../../support/client.js'
import type { Engine } from './open-databases.js'
import { databases, engines } from './open-databases.js'

/** New rows whose scope or rule looks at a column that the database fills are checked by the statement that stores them. */

const open = databases()

interface Caller {
  readonly tenantId: number
}

interface NoteRow extends Caller {
  readonly id: number
  readonly text: string
  readonly status: string
}

/** The database fills the tenant, and the status, with defaults. */
const columns = `id serial, text text not null, status text not null default 'draft', "tenantId" integer not null default 1`

const tables = [`create table notes (${columns})`]

const triggers: Readonly<Record<Engine, readonly string[]>> = {
  sqlite: [
    `create trigger moved after insert on notes begin update notes set "tenantId" = 2 where id = new.id and new.text = 'Moved'; end`,
  ],
  postgres: [
    `create function move() returns trigger language plpgsql as 'begin if new.text = ''Moved'' then new."tenantId" := 2; end if; return new; end'`,
    'create trigger moved before insert on notes for each row execute function move()',
  ],
}

interface Opened {
  /** The client of a tenant. */
  readonly of: (tenantId: number) => TestClient
  readonly stored: () => Promise<readonly unknown[]>
  readonly counter: ReturnType<typeof statementCounter>
  /** The errors of statements, as a log has them: with their causes and members. */
  readonly errors: readonly string[]
}

interface Tables {
  readonly before?: readonly string[]
  readonly after?: readonly string[]
}

async function opened(engine: Engine, { before = tables, after = [] }: Tables = {}): Promise<Opened> {
  const { database, options, rows } = await open(engine, [...before, ...after])
  const counter = statementCounter()
  const errors: string[] = []
  const onStatement = (ran: RanStatement): void => {
    counter.onStatement(ran)
    if (ran.error !== null) errors.push(inspect(ran.error, { depth: null }))
  }
  const notes = defineResource('notes', {
    model: table<NoteRow>('notes'),
    id: id(),
    attributes: (a) => ({ text: a.string().required(), status: a.string() }),
    policy(p: RuleKit<NoteRow>) {
      const own = p.signedIn(({ caller }) => p.eq('tenantId', (caller as Caller).tenantId))
      return { viewAny: true, view: own, create: p.eq('status', 'draft'), update: own, delete: own }
    },
  })
  const server = createServer({
    resources: [notes],
    data: sqlData(database, { ...options, onStatement }),
    extensions: [atomic()],
    middleware: [authenticate({ challenge: 'Tenant', caller: () => null })],
  })
  await server.ready()
  return {
    of: (tenantId) => client(server, { caller: { tenantId } }),
    stored: async () => (await rows('select text from notes order by id')).map(({ text }) => text),
    counter,
    errors,
  }
}

const note = (text: string, attributes: object = {}) => ({ type: 'notes', attributes: { text, ...attributes } })

const type = 'application/vnd.api+json;ext="https://jsonapi.org/ext/atomic"'

const batch = (api: TestClient, notes: readonly object[]): Promise<TestResponse> =>
  api.post('/operations', {
    headers: { Accept: type, 'Content-Type': type },
    body: { 'atomic:operations': notes.map((data) => ({ op: 'add', data })) },
  })

describe.each(engines)('rows that the database completes, on %s', (engine) => {
  test('a row that is visible as stored takes one statement', async () => {
    const { of, counter, stored } = await opened(engine)
    await of(1).post('/notes', { body: { data: note('First') } })
    counter.reset()
    const response = await of(1).post('/notes', { body: { data: note('Second') } })
    expect(response.status).toBe(201)
    expect(counter.statements).toHaveLength(1)
    expect(await stored()).toEqual(['First', 'Second'])
  })

  test('a row that the caller would not see is refused, and not stored', async () => {
    const { of, stored } = await opened(engine)
    const response = await of(2).post('/notes', { body: { data: note('First') } })
    expect(response.status).toBe(403)
    expect(await stored()).toEqual([])
    expect((await of(1).post('/notes', { body: { data: note('Second', { status: 'sent' }) } })).status).toBe(403)
    expect(await stored()).toEqual([])
  })

  test('a batch takes as few statements as without a rule', async () => {
    const { of, counter, stored } = await opened(engine)
    const notes = Array.from({ length: 64 }, (_, index) => note(`Note ${index}`))
    await batch(of(1), notes)
    counter.reset()
    expect((await batch(of(1), notes)).status).toBe(200)
    expect(counter.statements).toHaveLength(1)
    expect(await stored()).toHaveLength(128)
  })

  test('a batch with one row that is refused stores nothing, and points to it', async () => {
    const { of, stored } = await opened(engine)
    const notes = [note('One'), note('Two', { status: 'sent' }), note('Three')]
    const response = await batch(of(1), notes)
    expect(response.status).toBe(403)
    expect(response.errors.map(({ source }) => source)).toEqual([{ pointer: '/atomic:operations/1' }])
    expect(await stored()).toEqual([])
    expect((await batch(of(2), [note('One'), note('Two')])).status).toBe(403)
    expect(await stored()).toEqual([])
    // The next batch is stored by one statement again.
    expect((await batch(of(1), [note('One'), note('Two')])).status).toBe(200)
    expect(await stored()).toEqual(['One', 'Two'])
  })

  test('rows that a trigger changes are checked as they are stored', async () => {
    const { of, stored } = await opened(engine, { after: triggers[engine] })
    expect((await of(1).post('/notes', { body: { data: note('Moved') } })).status).toBe(403)
    expect((await batch(of(1), [note('One'), note('Moved')])).status).toBe(403)
    expect(await stored()).toEqual([])
    expect((await batch(of(1), [note('One'), note('Two')])).status).toBe(200)
    expect(await stored()).toEqual(['One', 'Two'])
  })

  test('the error of a row that is refused has no stored value, nor has the response', async () => {
    const secret = 'sesame-4711'
    // The first column is the one that such a statement looks at.
    const before = [`create table notes (token text not null default '${secret}', ${columns})`]
    const { of, errors, stored } = await opened(engine, { before })
    const responses = [
      await of(2).post('/notes', { body: { data: note('First') } }),
      await of(1).post('/notes', { body: { data: note('First', { status: 'sent' }) } }),
      await batch(of(1), [note('First'), note('Second', { status: 'sent' })]),
    ]
    expect(responses.map(({ status }) => status)).toEqual([403, 403, 403])
    expect(await stored()).toEqual([])
    expect(errors.length).toBeGreaterThanOrEqual(responses.length)
    for (const text of [...errors, ...responses.map((response) => response.text)]) expect(text).not.toContain(secret)
  })
})
