import { belongsTo, createServer, defineResource, id, type RequestContext, type RuleKit } from 'ashlar'
import { sqlData, table } from 'ashlar/sql'
import type { Persister } from 'ashlar/store'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { client, resourceBody } from '../../../support/client.js'
import { runs } from '../../../support/runs.js'
import type { Engine } from './open-databases.js'
import { databases, engines } from './open-databases.js'

/** Types of one table whose ids are in other columns: a statement of one type must not be used for another. */

const open = databases()

const tables = [
  'create table users (id integer primary key, number integer not null unique, name text not null)',
  `insert into users (id, number, name) values (1, 2, 'Ann'), (2, 1, 'Bob'), (3, 4, 'Cid'), (4, 3, 'Dan')`,
  'create table seats (line integer, place integer, guest text, primary key (line, place))',
  `insert into seats (line, place, guest) values (1, 2, 'Ann'), (2, 1, 'Bob')`,
]

const users = table<{ readonly id: number; readonly number: number; readonly name: string }>('users')
const seats = table<{ readonly line: number; readonly place: number; readonly guest: string }>('seats')

const resources = [
  defineResource('users', { model: users, id: id(), attributes: (a) => ({ name: a.string() }) }),
  defineResource('accounts', { model: users, id: id('number'), attributes: (a) => ({ name: a.string() }) }),
  defineResource('seats', { model: seats, id: id(['line', 'place']), attributes: (a) => ({ guest: a.string() }) }),
  defineResource('places', { model: seats, id: id(['place', 'line']), attributes: (a) => ({ guest: a.string() }) }),
]

/** Without shortcuts, everything is written step by step. */
const inSteps = (store: Persister): Persister => ({ ...store, shortcuts: {} })

interface Written {
  readonly type: 'users' | 'accounts' | 'members'
  readonly of: string
  /** `null` deletes. */
  readonly change: { readonly name?: string; readonly partnerId?: string | null } | null
  readonly caller: string
}

const written: fc.Arbitrary<Written> = fc.record({
  type: fc.constantFrom('users', 'accounts', 'members'),
  of: fc.constantFrom('1', '2', '3', '4'),
  change: fc.option(
    fc.record(
      { name: fc.constantFrom('Ann', 'Eve'), partnerId: fc.constantFrom('1', '2', '9', null) },
      { requiredKeys: [] },
    ),
    { freq: 6 },
  ),
  caller: fc.constantFrom('1', '2'),
})

const people = table<{
  readonly id: number
  readonly number: number
  readonly name: string
  readonly partnerId: number | null
}>('people')

const owns = ({ request }: RequestContext, p: RuleKit<{ partnerId: number }>) =>
  p.eq('partnerId', Number(request?.header('x-caller')))

/** Three types of one table: two ids, and once a rule of the request. */
async function peopleIn(engine: Engine, persister: ((store: Persister) => Persister) | null) {
  const first = `insert into people (id, number, name, "partnerId") values (1, 2, 'Ann', null), (2, 1, 'Bob', 1), (3, 4, 'Cid', 2), (4, 3, 'Dan', 1)`
  const { database, options, rows } = await open(engine, [
    'create table people (id integer primary key, number integer not null unique, name text not null, "partnerId" integer)',
    first,
  ])
  const shared = { policy: 'public', ...(persister && { persister }) } as const
  const allUsers = defineResource('users', {
    model: people,
    id: id(),
    attributes: (a) => ({ name: a.string() }),
    relations: { partner: belongsTo('users').nullable() },
    ...shared,
  })
  const accounts = defineResource('accounts', {
    model: people,
    id: id('number'),
    attributes: (a) => ({ name: a.string() }),
    relations: { partner: belongsTo('users').nullable() },
    ...shared,
  })
  const members = defineResource('members', {
    model: people,
    id: id(),
    attributes: (a) => ({ name: a.string() }),
    relations: { partner: belongsTo('members').nullable() },
    policy: (p) => ({
      viewAny: true,
      view: true,
      update: (context) => owns(context, p as never),
      delete: (context) => owns(context, p as never),
    }),
    ...(persister && { persister }),
  })
  const server = createServer({
    resources: [allUsers, accounts, members],
    data: sqlData(database, options),
  })
  const api = client(server)
  return {
    rows: () => rows('select * from people order by id'),
    async reset() {
      await rows('delete from people')
      await rows(first)
    },
    async send({ type: name, of, change, caller }: Written) {
      const headers = { 'x-caller': caller }
      if (change === null) return api.delete(`/${name}/${of}`, { headers })
      const { name: renamed, partnerId } = change
      const partner = partnerId === null ? null : { type: name === 'accounts' ? 'users' : name, id: partnerId }
      const body = {
        data: {
          type: name,
          id: of,
          attributes: renamed === undefined ? {} : { name: renamed },
          ...(partnerId !== undefined && { relationships: { partner: { data: partner } } }),
        },
      }
      return api.patch(`/${name}/${of}`, { headers, body })
    },
  }
}

describe.each(engines)('Types of one table on %s', (engine) => {
  test('update the row with their own id', async () => {
    const { database, options, rows } = await open(engine, tables)
    const api = client(createServer({ resources, data: sqlData(database, options) }))
    const rename = async (type: string, of: string, name: string) =>
      (await api.patch(`/${type}/${of}`, { body: resourceBody(type, { name }, of) })).resource
    expect(await rename('users', '1', 'Eve')).toMatchObject({ id: '1', attributes: { name: 'Eve' } })
    expect(await rename('accounts', '1', 'Fay')).toMatchObject({ id: '1', attributes: { name: 'Fay' } })
    expect(await rename('users', '3', 'Gil')).toMatchObject({ id: '3', attributes: { name: 'Gil' } })
    expect((await rows('select name from users order by id')).map(({ name }) => name)).toEqual([
      'Eve',
      'Fay',
      'Gil',
      'Dan',
    ])
  })

  test('update the row with their own id of several columns', async () => {
    const { database, options, rows } = await open(engine, tables)
    const api = client(createServer({ resources, data: sqlData(database, options) }))
    for (const [type, guest] of [
      ['seats', 'Eve'],
      ['places', 'Fay'],
    ] as const) {
      const body = resourceBody(type, { guest }, '1-2')
      expect((await api.patch(`/${type}/1-2`, { body })).resource).toMatchObject({ attributes: { guest } })
    }
    expect((await rows('select guest from seats order by line')).map(({ guest }) => guest)).toEqual(['Eve', 'Fay'])
  })

  test('delete the row with their own id', async () => {
    const { database, options, rows } = await open(engine, tables)
    const api = client(createServer({ resources, data: sqlData(database, options) }))
    expect((await api.delete('/users/4')).status).toBe(204)
    expect((await api.delete('/accounts/1')).status).toBe(204)
    expect(await rows('select id from users order by id')).toEqual([{ id: 1 }, { id: 3 }])
  })

  test('are written like step by step', async () => {
    const [one, other] = [await peopleIn(engine, null), await peopleIn(engine, inSteps)]
    const statuses = new Set<number>()
    await fc.assert(
      fc.asyncProperty(fc.array(written, { minLength: 1, maxLength: 8 }), async (writes) => {
        await Promise.all([one.reset(), other.reset()])
        for (const write of writes) {
          const [response, expected] = [await one.send(write), await other.send(write)]
          statuses.add(response.status)
          expect([response.status, response.document]).toEqual([expected.status, expected.document])
          expect(await one.rows()).toEqual(await other.rows())
        }
      }),
      { numRuns: runs(2000) },
    )
    expect([...statuses].toSorted((a, b) => a - b)).toEqual([200, 204, 401, 404])
  })
})
