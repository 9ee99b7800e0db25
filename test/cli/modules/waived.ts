import { DatabaseSync } from '@photostructure/sqlite'
import { createServer, defineResource, id } from 'ashlar'
import { sqlData, table } from 'ashlar/sql'

const albums = defineResource('albums', {
  model: table<{ id: number; title: string; slug: string }>('albums'),
  id: id(),
  attributes: (a) => ({ title: a.string().unique(), slug: a.string().unique() }),
})

/** A server whose database lacks two indexes, one of which is waived, with a waiver that is not needed. */
export const server = () => {
  const database = new DatabaseSync(':memory:')
  database.exec('create table albums (id integer primary key, title text, slug text)')
  const waive = { 'unique-index:albums.title': 'Old rows have duplicates.', 'unique-key:albums': 'None.' }
  return createServer({ resources: [albums], data: sqlData(database, { waive }) })
}
