import { sqlData } from 'ashlar/sql'
import { Migrator } from 'kysely'
import { Pool } from 'pg'
import { migrations } from './migrations.js'

/** Opens the PostgreSQL database at a URL. */
export function openDatabase(url: string | undefined = process.env['DATABASE_URL']) {
  const pool = new Pool({ connectionString: url, connectionTimeoutMillis: 5000 })
  // PostgreSQL may close an idle connection. The pool then opens a new one.
  pool.on('error', (error) => console.error(error.message))
  const data = sqlData(pool, { naming: 'snake_case' })
  const migrator = new Migrator({ db: data.db, provider: { getMigrations: async () => migrations } })
  return {
    data,
    /** Runs the migrations that have not run yet. */
    async migrate() {
      const { error } = await migrator.migrateToLatest()
      if (error !== undefined) throw error
    },
    async close() {
      await pool.end()
    },
  }
}
