// The same over tables of a database, by a row type and by a Drizzle table.
import { DatabaseSync } from '@photostructure/sqlite'
import { createServer, defineResource, id } from 'ashlar'
import { table as drizzleTable } from 'ashlar/drizzle'
import { sqlData, table } from 'ashlar/sql'
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { Generated } from 'kysely'

interface LabelTable {
  id: Generated<number>
  name: string
}

const singerRows = sqliteTable('singers', { id: integer().primaryKey(), name: text().notNull() })

export const labels = defineResource('labels', {
  model: table<LabelTable>('labels'),
  id: id(),
  attributes: (a) => ({ name: a.string(), shouted: a.string().computed((row) => row.name.toUpperCase()) }),
})

export const singers = defineResource('singers', {
  model: drizzleTable(singerRows),
  id: id(),
  // @ts-expect-error -- the table has no such column
  attributes: (a) => ({ nam: a.string() }),
})

export const ready: Promise<void> = createServer({
  resources: [labels],
  data: sqlData(new DatabaseSync(':memory:')),
}).ready()
