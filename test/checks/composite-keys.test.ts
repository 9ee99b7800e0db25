import type { FilterKit } from 'ashlar'
import { belongsTo, id, model, morphTo } from 'ashlar'
import { table as drizzleTable } from 'ashlar/drizzle'
import { table } from 'ashlar/sql'
import * as lite from 'drizzle-orm/sqlite-core'
import { describe } from 'vitest'
import { albumFaults, type Members, refusals, resource } from './refusals.js'

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
      name: 'must not be a part of the composite primary key of a Drizzle table',
      found: () => albumFaults({ model: drizzleTable(entries), id: id('list') }),
      messages: partOfKey,
    },
    {
      name: 'must not be a part of the composite key of a table',
      found: () => albumFaults({ model: table<Row>('entries', { key: ['list', 'album'] }), id: id('album') }),
      messages: partOfKey,
    },
    {
      name: 'is another column',
      found: () => albumFaults({ model: drizzleTable(entries), id: id('slug') }),
      messages: [],
    },
  ])
})

const lines = (members: Members = {}) =>
  resource('lines', { model: model('lines', { columns: ['a', 'b', 'slug'] }), id: id(['a', 'b']), ...members })

describe('a composite id', () => {
  refusals([
    { name: 'has columns of the model', found: () => albumFaults({}, lines()), messages: [] },
    {
      name: 'must not name a column that the model lacks',
      found: () => albumFaults({}, lines({ id: id(['a', 'c']) })),
      messages: [
        "lines.id: uses the column 'c', which the model 'lines' does not have. Remedy: name one of 'a', 'b', 'slug' with id('…').",
      ],
    },
    {
      name: 'must be filtered by equality only',
      found: () =>
        albumFaults(
          {},
          lines({
            filters: (f: FilterKit<string>) => ({
              id: f.where('id'),
              among: f.in('id'),
              others: f.where('id', '!='),
              part: f.contains('id'),
              from: f.range('id'),
              group: f.any({ id: f.greaterThan('id'), a: f.greaterThan('a') }),
            }),
          }),
        ),
      messages: ['part', 'from', 'group'].map(
        (key) =>
          `lines.filters.${key}: compares the id of 'lines', which has several columns, other than by equality. Remedy: use where(), idIn() or idNotIn(), or filter by one of the columns: where('a').`,
      ),
    },
    {
      name: 'consists of all columns of the key by default',
      found: () => albumFaults({ model: drizzleTable(entries), id: id() }),
      messages: [],
    },
    {
      name: 'must name at least two different columns',
      found: () => albumFaults({}, lines({ id: id(['a', 'a']) })),
      messages: [
        "lines.id: id([…]) needs at least two different columns. Remedy: name the columns of the key: id(['orderId', 'productId']).",
      ],
    },
    {
      name: 'must be referred to by as many columns',
      found: () => albumFaults({ relations: { line: belongsTo('lines') } }, lines()),
      messages: [
        "albums.line: refers to 'lines' by 'lineId', but the key of 'lines' is 'a', 'b'. Remedy: name a column for each of them, in this order: belongsTo('lines').via(['…', '…']).",
      ],
    },
    {
      name: 'must not be referred to by several types',
      found: () => albumFaults({ relations: { subject: morphTo(['lines', 'artists']) } }, lines(), resource('artists')),
      messages: [
        "albums.subject: may refer to 'lines', whose key has the columns 'a', 'b': one column cannot hold it. Remedy: use belongsTo() or belongsToMany() for that type.",
      ],
    },
    {
      name: 'must not have a format or a generator',
      found: () => albumFaults({}, lines({ id: id(['a', 'b']).uuid().generated() })),
      messages: [
        'lines.id: uuid() does not fit an id of several columns. Remedy: remove it, or make the id with encodeUsing() and generateUsing().',
      ],
    },
  ])
})
