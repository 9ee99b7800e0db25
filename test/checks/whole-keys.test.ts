import { id } from 'ashlar'
import { table as drizzleTable } from 'ashlar/drizzle'
import { table } from 'ashlar/sql'
import * as lite from 'drizzle-orm/sqlite-core'
import { describe } from 'vitest'
import { albumFaults, refusals } from './refusals.js'

interface Row {
  list: number
  album: number
  slug: string
}

const entries = lite.sqliteTable(
  'entries',
  { list: lite.integer().notNull(), album: lite.integer().notNull(), slug: lite.text().notNull().unique() },
  (t) => [lite.primaryKey({ columns: [t.list, t.album] })],
)

const partOfKey = [
  "albums.id: is only a part of the key of its model, which is 'list', 'album': several rows may have the same id. Remedy: declare the whole key: id(['list', 'album']).",
]

describe('the id of a model with a composite key', () => {
  refusals([
    {
      name: 'is not a part of the composite primary key of a Drizzle table',
      found: () => albumFaults({ model: drizzleTable(entries), id: id('list') }),
      says: partOfKey,
    },
    {
      name: 'is not a part of the composite key of a table',
      found: () => albumFaults({ model: table<Row>('entries', { key: ['list', 'album'] }), id: id('album') }),
      says: partOfKey,
    },
    {
      name: 'is another column',
      found: () => albumFaults({ model: drizzleTable(entries), id: id('slug') }),
      says: [],
    },
  ])
})
