import { answer, createServer, defineResource, id, type WorkContext } from 'ashlar'
import { sqlData, table } from 'ashlar/sql'
import type { TestClient } from 'ashlar/testing'
import type { Kysely } from 'kysely'
import { describe, expect, it } from 'vitest'
import { client } from '../../../support/client.js'
import { scratchFiles } from '../sqlite/scratch-files.js'

interface Album {
  readonly id: number
  readonly title: string
}

type Write = (context: WorkContext) => Promise<unknown>

const files = scratchFiles()

/** A server whose replica is far behind, and whose reads of single albums come with all titles. */
function serving(write: Write): TestClient {
  const [primary, replica] = ['Primary', 'Replica'].map((title) => {
    const database = files.open(':memory:')
    database.exec(`create table albums (id integer primary key, title text); insert into albums values (1, '${title}')`)
    return database
  })
  if (primary === undefined || replica === undefined) throw new Error('There are two.')
  const albums = defineResource('albums', {
    model: table<Album>('albums'),
    id: id(),
    attributes: (a) => ({ title: a.string() }),
    hooks: {
      async afterFetchOne(_row, context) {
        await write(context)
        const rows = await context.rows<Album>('albums').list()
        return answer.meta({ titles: rows.map(({ title }) => title) })
      },
    },
  })
  return client(createServer({ resources: [albums], data: sqlData(primary, { replica }) }))
}

const seen = async (write: Write): Promise<unknown> =>
  (await serving(write).get('/albums/1')).document?.meta?.['titles']

describe('A request that reads, with a replica', () => {
  it('reads there', async () => {
    expect(await seen(() => Promise.resolve())).toEqual(['Replica'])
  })

  it.each<readonly [name: string, write: Write]>([
    ['a row', (context) => context.rows('albums').create({ id: 2, title: 'Written' })],
    [
      'a statement',
      (context) =>
        (context.db as Kysely<{ albums: Album }>).insertInto('albums').values({ id: 2, title: 'Written' }).execute(),
    ],
    [
      'a transaction',
      (context) =>
        (context.db as Kysely<{ albums: Album }>)
          .transaction()
          .execute((own) => own.insertInto('albums').values({ id: 2, title: 'Written' }).execute()),
    ],
  ])('reads where it has written once it has: %s', async (_name, write) => {
    expect(await seen(write)).toEqual(['Primary', 'Written'])
  })
})
