import { createServer, defineResource, id, morphTo, morphToMany } from 'ashlar'
import { sqlData, table } from 'ashlar/sql'
import type { Kysely } from 'kysely'
import { expect, test } from 'vitest'
import { client, resourceBody } from '../../../support/client.js'
import { emptyDatabases } from '../../../support/empty-databases.js'
import { signal } from '../../../support/signal.js'

/** If members are of several types, no foreign key prevents a linked row from being deleted before the link is written. */

type Tables = { items: { libraryId: number; itemId: number; itemType: string }; favorites: { itemId: number } }

test.each(emptyDatabases)('%s: a linked row is not deleted before the link is written', async (engine, open) => {
  const scratch = await open()
  await scratch.run(`
    create table libraries (id integer primary key);
    create table tracks (id integer primary key, title text);
    create table albums (id integer primary key, title text);
    create table items ("libraryId" integer, "itemId" integer, "itemType" text);
    create table favorites (id integer primary key, "itemId" integer, "itemType" text);
    insert into libraries values (1);
    insert into tracks values (1, 'Airbag'), (2, 'Lucky')`)
  const [gate, added, created] = [signal(), signal(), signal()]
  const titled = (name: string) =>
    defineResource(name, {
      model: table<{ id: number; title: string }>(name),
      id: id(),
      attributes: (a) => ({ title: a.string() }),
      hooks: {
        async beforeDelete({ id: key }, { db }) {
          for (const from of ['items', 'favorites'] as const) {
            await (db as Kysely<Tables>).deleteFrom(from).where('itemId', '=', key).execute()
          }
        },
      },
    })
  const resources = [
    titled('tracks'),
    titled('albums'),
    defineResource('libraries', {
      model: table<{ id: number }>('libraries'),
      id: id(),
      relations: {
        items: morphToMany(['tracks', 'albums']).through('items', {
          owner: 'libraryId',
          member: 'itemId',
          memberType: 'itemType',
        }),
      },
      persister: (store) => ({
        ...store,
        async mutateRelationship(...given) {
          added.give()
          await gate.given
          await store.mutateRelationship?.(...given)
        },
      }),
    }),
    defineResource('favorites', {
      model: table<{ id: number; itemId: number | null; itemType: string | null }>('favorites'),
      id: id().requireClientId(),
      relations: { item: morphTo(['tracks', 'albums']) },
      hooks: {
        async beforeCreate() {
          created.give()
          await gate.given
        },
      },
    }),
  ]
  const data = sqlData(scratch.database, {
    tables: [table<Tables['items']>('items', { key: ['libraryId', 'itemId', 'itemType'] })],
  })
  const api = client(createServer({ resources, data }))
  const favorite = {
    ...resourceBody('favorites', {}, '1').data,
    relationships: { item: { data: { type: 'tracks', id: '2' } } },
  }
  const adding = [
    api.post('/libraries/1/relationships/items', { body: { data: [{ type: 'tracks', id: '1' }] } }),
    api.post('/favorites', { body: { data: favorite } }),
  ]
  // SQLite has one writer: there the second begins when the first has ended.
  await Promise.all(engine === 'SQLite' ? [added.given] : [added.given, created.given])
  let deleted = 0
  const deleting = ['1', '2'].map(async (key) => {
    const response = await api.delete(`/tracks/${key}`)
    deleted += 1
    return response
  })
  await new Promise((resolve) => setTimeout(resolve, 100))
  expect(deleted).toBe(0)
  gate.give()
  expect((await Promise.all([...adding, ...deleting])).map(({ status }) => status)).toEqual([204, 201, 204, 204])
  for (const from of ['tracks', 'items', 'favorites']) expect(await scratch.rows(`select * from ${from}`)).toEqual([])
  await scratch.end()
})
