import { belongsTo, createServer, cursorPage, defineResource, hasMany, id } from 'ashlar'
import { sqlData, table } from 'ashlar/sql'
import type { TestClient } from 'ashlar/testing'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { client } from '../../../support/client.js'
import { type EmptyDatabase, emptyDatabases } from '../../../support/empty-databases.js'
import { idsOf, pagesFrom } from '../../../support/paged-albums.js'

const things = defineResource('things', {
  model: table<{ id: string; v: string; other: string | null }>('things'),
  id: id().allowClientId(),
  attributes: (a) => ({ v: a.string().sortable() }),
  relations: { other: belongsTo('things').via('other'), others: hasMany('things').via('other') },
  filters: (f) => ({ v: f.where(), among: f.in('v'), like: f.contains('v') }),
  pagination: cursorPage({ size: 1 }),
})

async function walked(api: TestClient, query: string): Promise<readonly string[]> {
  return (await pagesFrom(api, await api.get(`/things?${query}`))).flatMap(idsOf)
}

describe.each(emptyDatabases)('On %s', (engine, open) => {
  let scratch: EmptyDatabase
  let api: TestClient
  beforeEach(async () => {
    scratch = await open()
    api = client(createServer({ resources: [things], data: sqlData(scratch.database) }))
  })
  afterEach(() => scratch.end())

  test('texts of a fixed length are what was written', async () => {
    await scratch.run(`
      create table things (id char(5) primary key, v char(5) not null, other char(5) references things (id));
      insert into things values ('a', 'x', null), ('b', 'x', 'a'), ('c', 'x y', 'a');
    `)
    const body = { data: { type: 'things', id: 'd', attributes: { v: 'z' } } }
    const made = await api.post('/things', { body })
    expect(made.status).toBe(201)
    expect(made.resource).toMatchObject({ id: 'd', attributes: { v: 'z' } })
    expect((await api.get('/things/c?include=other')).document).toMatchObject({
      data: { id: 'c', attributes: { v: 'x y' }, relationships: { other: { data: { type: 'things', id: 'a' } } } },
      included: [{ type: 'things', id: 'a' }],
    })
    expect((await pagesFrom(api, await api.get('/things/a/others'))).flatMap(idsOf)).toEqual(['b', 'c'])
    expect(await walked(api, 'sort=v')).toEqual(['a', 'b', 'c', 'd'])
    expect(await walked(api, 'sort=-v')).toEqual(['d', 'c', 'b', 'a'])
    expect(await walked(api, 'filter[v]=x')).toEqual(['a', 'b'])
    expect(await walked(api, 'filter[among]=z,x y')).toEqual(['c', 'd'])
    expect(await walked(api, 'filter[like]=y')).toEqual(['c'])
  })

  test('booleans that are written into a text column are found', async () => {
    await scratch.run('create table flags (id integer primary key, v text)')
    const flags = defineResource('flags', {
      model: table<{ id: number; v: boolean }>('flags'),
      id: id().allowClientId(),
      attributes: (a) => ({ v: a.boolean() }),
      filters: (f) => ({ v: f.where() }),
    })
    const flagged = client(createServer({ resources: [flags], data: sqlData(scratch.database) }))
    for (const [key, v] of [
      ['1', true],
      ['2', false],
    ] as const) {
      const body = { data: { type: 'flags', id: key, attributes: { v } } }
      expect((await flagged.post('/flags', { body })).resource.attributes).toEqual({ v })
    }
    expect(idsOf(await flagged.get('/flags?filter[v]=true'))).toEqual(['1'])
    expect(idsOf(await flagged.get('/flags?filter[v]=false'))).toEqual(['2'])
  })

  test('texts are sorted by code points, whatever the order of their column is', async () => {
    if (engine === 'PostgreSQL') {
      await scratch.run("create collation folded (provider = icu, locale = 'und-u-ks-level2', deterministic = false)")
    }
    const folded = engine === 'PostgreSQL' ? 'folded' : 'nocase'
    await scratch.run(`
      create table things (id text primary key, v text collate ${folded} not null, other text references things (id));
      insert into things values ('1', 'a', null), ('2', 'B', null), ('3', 'c', null), ('4', 'A', null);
    `)
    expect(await walked(api, 'sort=v')).toEqual(['4', '2', '1', '3'])
    expect(await walked(api, 'sort=-v')).toEqual(['3', '1', '2', '4'])
    expect(await walked(api, 'filter[v]=a')).toEqual(['1', '4'])
  })
})
