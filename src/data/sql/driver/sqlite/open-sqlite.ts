import { importInstalled } from '../../../../util/import-installed.js'
import type { SqliteDatabase } from './sqlite-database.js'

/** A package that opens SQLite databases. */
export type SqlitePackage = '@photostructure/sqlite' | 'node:sqlite' | 'better-sqlite3'

export interface OpenedSqlite {
  readonly database: SqliteDatabase & { close(): unknown }
  readonly package: SqlitePackage
}

type OpenSqlite = new (file: string, options: object) => OpenedSqlite['database']

const packages: readonly SqlitePackage[] = ['@photostructure/sqlite', 'node:sqlite', 'better-sqlite3']

/** The remedy if no package is installed, for messages. */
export const sqliteRemedy =
  "SQLite needs a package: npm install @photostructure/sqlite. Node 22.16 and later have 'node:sqlite'."

/** Opens an SQLite file with the first package that is installed. Returns null if there is none. */
export async function openSqlite(
  file: string,
  { isReadOnly = false }: { readonly isReadOnly?: boolean } = {},
): Promise<OpenedSqlite | null> {
  for (const name of packages) {
    const module = await importInstalled<{ readonly DatabaseSync?: OpenSqlite; readonly default?: OpenSqlite }>(name)
    const Database = module?.DatabaseSync ?? module?.default
    if (Database === undefined) continue
    // Both spellings: `node:sqlite` has one, `better-sqlite3` the other.
    const database = new Database(file, { timeout: 5000, readOnly: isReadOnly, readonly: isReadOnly })
    return { database, package: name }
  }
  return null
}
