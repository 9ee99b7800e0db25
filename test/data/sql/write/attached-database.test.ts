import { belongsTo, createServer, defineResource, id, isStoreConflict } from 'ashlar'
import { sqlData, table } from 'ashlar/sql'
import { expectErrors } from 'ashlar/testing'
import { expect, test } from 'vitest'
import { client, resourceBody } from '../../../support/client.js'
import { databases } from './open-databases.js'

const open = databases()

test('a refused write to a table of an attached database is reported like any other', async () => {
  const caught: unknown[] = []
  const { database } = await open('sqlite', [
    `attach ':memory:' as shop`,
    'create table shop.labels (id integer primary key, name text)',
    `create table shop.albums (id integer primary key, title text, rating integer, "labelId" integer references labels (id),
      constraint rated check (rating between 1 and 5))`,
  ])
  const shop = { schema: 'shop' }
  const albums = defineResource('albums', {
    model: table<{ id: number; title: string; rating: number | null; labelId: number | null }>('albums', shop),
    id: id(),
    attributes: (a) => ({ title: a.string(), rating: a.integer().nullable() }),
    relations: { label: belongsTo('labels').nullable() },
    hooks: {
      async beforeCreate(_draft, context) {
        await context
          .rows('albums')
          .create({ labelId: 99 })
          .catch((thrown: unknown) => caught.push(isStoreConflict(thrown) ? thrown.conflicts : thrown))
      },
    },
  })
  const ofShop = defineResource('labels', {
    model: table<{ id: number; name: string | null }>('labels', shop),
    id: id(),
    attributes: (a) => ({ name: a.string().nullable() }),
  })
  const api = client(createServer({ resources: [albums, ofShop], data: sqlData(database) }))
  expectErrors(await api.post('/albums', { body: resourceBody('albums', { title: 'x', rating: 6 }) }), [
    { status: 422, code: 'VALIDATION_FAILED', pointer: '/data/attributes/rating' },
  ])
  expect(caught).toMatchObject([[{ kind: 'reference', type: 'albums', columns: ['labelId'] }]])
})
