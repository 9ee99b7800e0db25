import { type Kysely, Migrator } from 'kysely'
import type { Tables } from '../tables.js'
import { columnTypes, type Engine } from './column-types.js'
import { catalogueTables } from './migrations/1-catalogue.js'
import { libraryTables } from './migrations/2-library.js'
import { workTables } from './migrations/3-work.js'
import { accessColumns } from './migrations/5-access.js'
import { keyTable } from './migrations/6-idempotency.js'
import { versionColumn } from './migrations/7-versions.js'
import { albumSearch } from './migrations/8-search.js'
import { seed } from './seed.js'
import { camelCase } from './tables-of.js'

interface Migrated {
  readonly engine: Engine
  readonly db: Kysely<Tables>
}

/** Runs all pending migrations. Each engine has its own column types, and both get the same tables and first rows. */
export async function migrate(migrated: Migrated): Promise<void> {
  const { error } = await migratorOf(migrated).migrateToLatest()
  if (error !== undefined) throw error
}

/** Returns the names of the migrations that have not run. */
export async function pendingMigrations(migrated: Migrated): Promise<readonly string[]> {
  const migrations = await migratorOf(migrated).getMigrations()
  return migrations.filter(({ executedAt }) => executedAt === undefined).map(({ name }) => name)
}

function migratorOf({ engine, db }: Migrated): Migrator {
  const types = columnTypes[engine]
  const provider = {
    getMigrations: async () => ({
      '1_catalogue': catalogueTables(types),
      '2_library': libraryTables(types),
      '3_work': workTables(types),
      '4_first_rows': { up: (at: Kysely<Tables>) => seed({ engine, db: camelCase(at) }) },
      '5_access': accessColumns(types),
      '6_idempotency': keyTable(engine),
      '7_versions': versionColumn(types),
      '8_search': albumSearch(engine),
    }),
  }
  return new Migrator({ db: db.withoutPlugins(), provider })
}
