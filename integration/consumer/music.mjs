// A server on SQLite: one table by its name, one read from Drizzle.
import { DatabaseSync } from '@photostructure/sqlite'
import { belongsTo, createServer, defineResource, hasMany, id } from 'ashlar'
import { table as drizzleTable } from 'ashlar/drizzle'
import { sqlData, table } from 'ashlar/sql'
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core'

const artistRows = sqliteTable('artists', { id: integer().primaryKey(), name: text().notNull() })
const artists = defineResource('artists', {
  model: drizzleTable(artistRows),
  id: id(),
  attributes: (a) => ({ name: a.string().required() }),
  relations: { albums: hasMany('albums') },
})
const albums = defineResource('albums', {
  model: table('albums'),
  id: id(),
  attributes: (a) => ({ title: a.string().required(), releasedOn: a.date().nullable() }),
  relations: { artist: belongsTo('artists') },
})

export const database = new DatabaseSync(process.env.MUSIC_FILE ?? ':memory:')

export const server = createServer({ resources: [artists, albums], data: sqlData(database, { naming: 'snake_case' }) })
