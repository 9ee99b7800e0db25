import { atomic, createServer, defineResource, id, rowRules } from 'ashlar'
import { sqlData, table } from 'ashlar/sql'
import type { TestClient } from 'ashlar/testing'
import { describe, expect, test } from 'vitest'
import { client, resourceBody } from '../../../support/client.js'
import { databases, type Engine, engines } from './open-databases.js'

/** Rules test the stored row, also if the database changes the written values. */

interface AlbumRow {
  readonly id: number
  readonly title: string
  readonly owner: number
}

const open = databases()

const p = rowRules<AlbumRow>()
const owned = p.eq('owner', 1)

/** An album whose title begins with "Other" belongs to another owner. */
const owners = `case when title like 'Other%' then 2 else 1 end`

const generated = [`create table albums (id serial, title text, owner integer generated always as (${owners}) stored)`]

const triggered: Readonly<Record<Engine, readonly string[]>> = {
  postgres: [
    'create table albums (id serial, title text, owner integer default 1)',
    `create function set_owner() returns trigger language plpgsql as
      $$ begin new.owner = ${owners.replace('title', 'new.title')}; return new; end $$`,
    'create trigger owned before insert or update on albums for each row execute function set_owner()',
  ],
  sqlite: [
    'create table albums (id serial, title text, owner integer default 1)',
    `create trigger created after insert on albums begin update albums set owner = ${owners} where id = new.id; end`,
    `create trigger changed after update of title on albums begin
      update albums set owner = ${owners} where id = new.id; end`,
  ],
}

async function served(engine: Engine, statements: readonly string[]): Promise<TestClient> {
  const { database, options } = await open(engine, [...statements, `insert into albums (title) values ('Mine')`])
  const albums = defineResource('albums', {
    model: table<AlbumRow>('albums'),
    id: id(),
    attributes: (a) => ({ title: a.string() }),
    policy: () => ({ viewAny: true, view: true, create: owned, update: owned }),
  })
  return client(createServer({ resources: [albums], data: sqlData(database, options), extensions: [atomic()] }))
}

const atomicType = 'application/vnd.api+json; ext="https://jsonapi.org/ext/atomic"'

const add = (title: string): object => ({ op: 'add', data: { type: 'albums', attributes: { title } } })

describe.each(engines)('on %s', (engine) => {
  test.each([
    ['a generated column', generated],
    ['a trigger', triggered[engine]],
  ])('%s decides by the stored value', async (_name, statements) => {
    const api = await served(engine, statements)
    const titles = async (): Promise<readonly unknown[]> =>
      (await api.get('/albums?sort=id')).resources.map(({ attributes }) => attributes?.['title'])
    const update = (title: string) => api.patch('/albums/1', { body: resourceBody('albums', { title }, '1') })
    const create = (title: string) => api.post('/albums', { body: resourceBody('albums', { title }) })
    const batch = (...all: readonly string[]) =>
      api.request('POST', '/operations', {
        body: { 'atomic:operations': all.map(add) },
        headers: { Accept: atomicType, 'Content-Type': atomicType },
      })
    for (const refused of [
      await update('Other'),
      await create('Other'),
      await batch('New', 'Other'),
      await batch('Other', 'New'),
    ]) {
      expect(refused.status).toBe(401)
    }
    expect(await titles()).toEqual(['Mine'])
    expect((await update('Own')).status).toBe(200)
    expect((await create('One')).status).toBe(201)
    expect((await batch('Two', 'Three')).status).toBe(200)
    expect(await titles()).toEqual(['Own', 'One', 'Two', 'Three'])
  })
})
