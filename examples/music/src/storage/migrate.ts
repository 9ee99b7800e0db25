import { type Kysely, Migrator } from 'kysely'
import type { Tables } from '../tables.js'
import { columnTypes } from './column-types.js'
import { catalogueTables } from './migrations/1-catalogue.js'
import { libraryTables } from './migrations/2-library.js'
import { workTables } from './migrations/3-work.js'

export type Engine = keyof typeof columnTypes

interface Migrated {
  readonly engine: Engine
  readonly db: Kysely<Tables>
}

/** Makes what tables are missing: the same ones on both engines, each with its own types of columns. */
export async function migrate({ engine, db }: Migrated): Promise<void> {
  const types = columnTypes[engine]
  const provider = {
    getMigrations: async () => ({
      '1_catalogue': catalogueTables(types),
      '2_library': libraryTables(types),
      '3_work': workTables(types),
    }),
  }
  const { error } = await new Migrator({ db: db.withoutPlugins(), provider }).migrateToLatest()
  if (error !== undefined) throw error
}
