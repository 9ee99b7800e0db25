import { env } from 'node:process'
import { DatabaseSync } from '@photostructure/sqlite'
import { createServer, defineResource, id } from 'ashlar'
import { sqlData, table } from 'ashlar/sql'
import { Pool } from 'pg'

const albums = defineResource('albums', {
  model: table<{ id: number; title: string }>('albums'),
  id: id(),
  attributes: (a) => ({ title: a.string() }),
})

/** A server over the database that the environment names. */
export const server = () => {
  const file = env['ALBUMS_DATABASE'] ?? ':memory:'
  const isPostgres = file.startsWith('postgres:')
  const database = isPostgres ? new Pool({ connectionString: file, allowExitOnIdle: true }) : new DatabaseSync(file)
  return createServer({ resources: [albums], data: sqlData(database), access: 'open' })
}
