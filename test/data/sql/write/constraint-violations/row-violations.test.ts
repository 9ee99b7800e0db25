import { createServer, defineResource, id } from 'ashlar'
import { sqlData, table } from 'ashlar/sql'
import { expectErrors } from 'ashlar/testing'
import { describe, expect, test, vi } from 'vitest'
import { client, resourceBody } from '../../../../support/client.js'
import type { Engine } from '../open-databases.js'
import { databases, engines } from '../open-databases.js'

interface UserRow {
  id: number
  email: string
  nick: string | null
  team: string | null
  leftAt: Date | null
}

interface CodeRow {
  code: string
  name: string | null
}

const open = databases()

const users = defineResource('users', {
  model: table<UserRow>('users'),
  id: id(),
  attributes: (a) => ({
    email: a.string().unique({ message: 'There is a user with it.' }),
    nick: a
      .string()
      .nullable()
      .unique({ with: ['team'], message: 'There is one in the team.' }),
    team: a.string().nullable(),
    leftAt: a.dateTime().nullable(),
  }),
})

const codes = defineResource('codes', {
  model: table<CodeRow>('codes', { key: 'code' }),
  id: id('code').requireClientId(),
  attributes: (a) => ({ name: a.string().nullable() }),
})

async function apiOn(engine: Engine, ...statements: readonly string[]) {
  const { database, options, rows } = await open(engine, [
    'create table users (id serial, email text not null, nick text, team text, "leftAt" timestamp)',
    'create table codes (code varchar(3) primary key, name text)',
    ...statements,
  ])
  const error = vi.fn<(members: { readonly err?: unknown }, message: string) => void>()
  const server = createServer({
    resources: [users, codes],
    data: sqlData(database, options),
    logger: { error },
  })
  return { api: client(server), rows, logged: () => error.mock.calls.map(([{ err }]) => err) }
}

const violation = (pointer: string, detail: string) => ({ status: 422, code: 'VALIDATION_FAILED', pointer, detail })

describe.each(engines)('on %s', (engine) => {
  test('a unique index on an expression is reported like the unique() of its columns', async () => {
    const { api } = await apiOn(
      engine,
      'create unique index users_email on users (lower(email)) where "leftAt" is null',
      `create unique index users_nick on users (team, (lower(nick) || 'team'))`,
      `insert into users (email, nick, team) values ('a@example.org', 'tom', 'red')`,
    )
    const post = (attributes: Readonly<Record<string, unknown>>) =>
      api.post('/users', { body: resourceBody('users', attributes) })
    expectErrors(await post({ email: 'A@example.org' }), [
      violation('/data/attributes/email', 'There is a user with it.'),
    ])
    expectErrors(await post({ email: 'b@example.org', nick: 'Tom', team: 'red' }), [
      violation('/data/attributes/nick', 'There is one in the team.'),
    ])
    expect((await post({ email: 'b@example.org', nick: 'Tom', team: 'blue' })).status).toBe(201)
  })
})

test('on postgres, a client id that is too long for its column is reported at the id', async () => {
  const { api } = await apiOn('postgres')
  const post = (key: string) => api.post('/codes', { body: resourceBody('codes', { name: 'x' }, key) })
  expectErrors(await post('abcd'), [violation('/data/id', 'This id does not have the required form.')])
  // Characters are counted, however many units of a text they take.
  expect((await post('a😀b')).status).toBe(201)
})

test('on postgres, a row that a trigger skips is an error of the application, in a sentence', async () => {
  const { api, rows, logged } = await apiOn(
    'postgres',
    `create function keep_back() returns trigger language plpgsql as 'begin return null; end'`,
    'create trigger kept_back before insert on users for each row execute function keep_back()',
  )
  expectErrors(await api.post('/users', { body: resourceBody('users', { email: 'a@example.org' }) }), [{ status: 500 }])
  expect(logged()).toMatchObject([
    {
      message: "The insert into 'users' returned no row: a trigger or a rule of the database has skipped it.",
    },
  ])
  expect(await rows('select id from users')).toEqual([])
})
