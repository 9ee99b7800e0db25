import { createServer, defineResource, id } from 'ashlar'
import { sqlData, table } from 'ashlar/sql'
import { describe, expect, test } from 'vitest'
import { client, resourceBody } from '../../../support/client.js'
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
})
