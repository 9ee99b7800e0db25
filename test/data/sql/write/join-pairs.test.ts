import { belongsToMany, createServer, defineResource, id } from 'ashlar'
import { sqlData, table } from 'ashlar/sql'
import { describe, expect, test } from 'vitest'
import { client } from '../../../support/client.js'
import type { Engine } from './open-databases.js'
import { databases, engines } from './open-databases.js'

interface JoinRow {
  list: number
  album: number
  position: number
  note: string | null
}

const open = databases()

const named = [
  'create table lists (id serial, name text)',
  `insert into lists (name) values ('Road')`,
  'create table albums (id serial, name text)',
  `insert into albums (name) values ('OK Computer'), ('Kid A')`,
]

const columns = 'list integer not null, album integer not null, position integer not null, note text'

const twice = `insert into list_albums (list, album, position, note) values (1, 1, 2, 'two'), (1, 1, 1, 'one'), (1, 2, 1, 'other')`

const joinRows = table<JoinRow>('list_albums', { key: ['list', 'album'] })

const albums = defineResource('albums', {
  model: table<{ id: number; name: string | null }>('albums'),
  id: id(),
  attributes: (a) => ({ name: a.string().nullable() }),
})

const lists = defineResource('lists', {
  model: table<{ id: number; name: string | null }>('lists'),
  id: id(),
  attributes: (a) => ({ name: a.string().nullable() }),
  relations: {
    albums: belongsToMany('albums')
      .through('list_albums', { owner: 'list', member: 'album' })
      .fields((a) => ({ position: a.integer(), note: a.string().nullable() })),
  },
})

const path = '/lists/1/relationships/albums'
const member = (key: string, pivot: object) => ({ type: 'albums', id: key, meta: { pivot } })

async function listOn(engine: Engine, statements: readonly string[]) {
  const { database, options, rows } = await open(engine, [...named, ...statements])
  const api = client(
    createServer({ resources: [lists, albums], data: sqlData(database, { ...options, tables: [joinRows] }) }),
  )
  const shown = async () => {
    const { resources } = await api.get(path)
    return resources.map(({ id: key, meta }) => [key, (meta?.['pivot'] as JoinRow | undefined)?.note])
  }
  return { api, shown, rows }
}

describe.each(engines)('on %s, if there are several join rows for one pair', (engine) => {
  test('the one with the lowest key is read and written', async () => {
    const { api, shown, rows } = await listOn(engine, [
      `create table list_albums (${columns}, primary key (list, album, position))`,
      twice,
    ])
    expect(await shown()).toEqual([
      ['1', 'one'],
      ['2', 'other'],
    ])
    expect((await api.post(path, { body: { data: [member('1', { position: 1, note: 'new' })] } })).status).toBe(204)
    expect(await shown()).toEqual([
      ['1', 'new'],
      ['2', 'other'],
    ])
    expect(await rows('select note from list_albums where album = 1 order by position')).toEqual([
      { note: 'new' },
      { note: 'two' },
    ])
  })

  test('all are written if they have no key', async () => {
    const { api, shown } = await listOn(engine, [`create table list_albums (${columns})`, twice])
    expect(await shown()).toEqual([
      ['1', 'two'],
      ['2', 'other'],
    ])
    expect((await api.post(path, { body: { data: [member('1', { position: 1, note: 'new' })] } })).status).toBe(204)
    expect(await shown()).toEqual([
      ['1', 'new'],
      ['2', 'other'],
    ])
  })

  test('a view shows one', async () => {
    const { api } = await listOn(engine, [
      `create table songs (list integer, album integer)`,
      'insert into songs values (1, 1), (1, 1), (1, 2)',
      'create view list_albums as select list, album, 1 as position, null as note from songs',
    ])
    expect((await api.get(path)).resources.map(({ id: key }) => key)).toEqual(['1', '2'])
    expect((await api.get('/lists?include=albums')).document).toMatchObject({ included: [{ id: '1' }, { id: '2' }] })
  })
})

test('on sqlite, join rows without a rowid are distinguished by their key', async () => {
  const { shown } = await listOn('sqlite', [
    `create table list_albums (${columns}, primary key (list, album, position)) without rowid`,
    twice,
  ])
  expect(await shown()).toEqual([
    ['1', 'one'],
    ['2', 'other'],
  ])
})

test('on postgres, join rows of several partitions count once', async () => {
  const { shown } = await listOn('postgres', [
    `create table list_albums (${columns}) partition by list (position)`,
    'create table first partition of list_albums for values in (1)',
    'create table others partition of list_albums default',
    twice,
  ])
  expect((await shown()).map(([key]) => key)).toEqual(['1', '2'])
})

test.each(['unique (list, album) deferrable', 'unique (album)'])(
  'on postgres, members are added by join rows that are %s',
  async (unique) => {
    const { api, shown } = await listOn('postgres', [`create table list_albums (${columns}, ${unique})`])
    for (const note of ['a', 'b']) {
      const body = { data: [member('1', { position: 1, note }), member('2', { position: 1, note })] }
      expect((await api.post(path, { body })).status).toBe(204)
      expect(await shown()).toEqual([
        ['1', note],
        ['2', note],
      ])
    }
  },
)
