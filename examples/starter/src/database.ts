import { DatabaseSync } from '@photostructure/sqlite'
import { sqlData } from 'ashlar/sql'
import { Migrator } from 'kysely'
import { migrations } from './migrations.js'

/** Opens the SQLite file. */
export function openDatabase(file: string = process.env['DATABASE_FILE'] ?? 'music.db') {
  const database = new DatabaseSync(file, { timeout: 5000 })
  const data = sqlData(database, { naming: 'snake_case' })
  const migrator = new Migrator({ db: data.db, provider: { getMigrations: async () => migrations } })
  return {
    data,
    /** Runs the migrations that have not run yet. */
    async migrate() {
      const { error } = await migrator.migrateToLatest()
      if (error !== undefined) throw error
    },
    async close() {
      data.close()
      database.close()
    },
  }
}
