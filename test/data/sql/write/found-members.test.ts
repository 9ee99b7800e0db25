import { belongsTo, createServer, defineResource, id } from 'ashlar'
import { type RanStatement, sqlData, table } from 'ashlar/sql'
import type { Provider } from 'ashlar/store'
import { describe, expect, test } from 'vitest'
import { client } from '../../../support/client.js'
import type { Engine } from './open-databases.js'
import { databases, engines } from './open-databases.js'

/** How a write finds the new members of a relation. */

const open = databases()

const tables = [
  'create table albums (id serial, title text not null)',
  `create table tracks (id serial, "albumId" integer references albums (id))`,
  `insert into albums (title) values ('Kid A'), ('Amnesiac')`,
  'insert into tracks ("albumId") values (1)',
]

/** The statements that read albums while the album of a track is replaced, where this provider reads albums. */
async function readsOf(engine: Engine, provider: (store: Provider) => Provider): Promise<readonly (string | null)[]> {
  const { database, options } = await open(engine, tables)
  const shapes: (string | null)[] = []
  const albums = defineResource('albums', {
    model: table<{ readonly id: number; readonly title: string }>('albums'),
    id: id(),
    attributes: (a) => ({ title: a.string() }),
    provider,
  })
  const tracks = defineResource('tracks', {
    model: table<{ readonly id: number; readonly albumId: number | null }>('tracks'),
    id: id(),
    relations: { album: belongsTo('albums') },
    // So that the write takes several steps.
    hooks: { beforeRelationshipMutate() {} },
  })
  const onStatement = ({ shape, table: name }: RanStatement): void => {
    if (name?.endsWith('albums') === true) shapes.push(shape)
  }
  const server = createServer({ resources: [albums, tracks], data: sqlData(database, { ...options, onStatement }) })
  const body = { data: { type: 'albums', id: '2' } }
  expect((await client(server).patch('/tracks/1/relationships/album', { body })).status).toBe(204)
  return shapes
}

describe.each(engines)('a single new member, on %s', (engine) => {
  test('is found by the statement for one row if the store finds it', async () => {
    expect(await readsOf(engine, (store) => ({ ...store }))).toEqual(['find albums'])
  })

  test('is found by the collection of the store if the application has replaced fetchOne', async () => {
    const called: string[] = []
    const shapes = await readsOf(engine, (store) => ({
      ...store,
      fetchOne(type, wanted, criteria) {
        called.push(wanted)
        return store.fetchOne(type, wanted, criteria)
      },
    }))
    expect({ called, shapes }).toEqual({ called: [], shapes: ['list albums'] })
  })
})
