import { arch, platform } from 'node:process'
import { importInstalled } from '../../../../../core/util/import-installed.js'
import type { SqliteDatabase } from './sqlite-database.js'

/** A package that opens SQLite databases. */
export type SqlitePackage = '@photostructure/sqlite' | 'node:sqlite' | 'better-sqlite3'

export interface OpenedSqlite {
  readonly database: SqliteDatabase & { close(): unknown }
  readonly package: SqlitePackage
}

type OpenSqlite = new (file: string, options: object) => OpenedSqlite['database']

const packages: readonly SqlitePackage[] = ['@photostructure/sqlite', 'node:sqlite', 'better-sqlite3']

/** The remedy if no package can be loaded, for messages. */
const remedy = "SQLite needs a package: npm install @photostructure/sqlite. Node 22.16 and later have 'node:sqlite'."

/** No package can open SQLite databases. */
interface MissingSqlite {
  readonly database: null
  /** What to install, and which package does not load. */
  readonly remedy: string
}

/** Opens an SQLite file with the first package that is installed and has a binding for the platform. */
export async function openSqlite(
  file: string,
  { isReadOnly = false }: { readonly isReadOnly?: boolean } = {},
): Promise<OpenedSqlite | MissingSqlite> {
  let broken = ''
  for (const name of packages) {
    const imported = await importedOrError(name)
    if (imported instanceof Error) {
      const [reason = ''] = imported.message.split('\n')
      broken += ` The package '${name}' is installed, but does not load on ${platform} ${arch}: ${reason}`
      continue
    }
    const Database = imported?.DatabaseSync ?? imported?.default
    if (Database === undefined) continue
    // Both spellings: `node:sqlite` has one, `better-sqlite3` the other.
    const database = new Database(file, { timeout: 5000, readOnly: isReadOnly, readonly: isReadOnly })
    return { database, package: name }
  }
  return { database: null, remedy: `${remedy}${broken}` }
}

interface SqliteModule {
  readonly DatabaseSync?: OpenSqlite
  readonly default?: OpenSqlite
}

async function importedOrError(name: SqlitePackage): Promise<SqliteModule | Error | null> {
  try {
    return await importInstalled<SqliteModule>(name)
  } catch (thrown) {
    return thrown instanceof Error ? thrown : new Error(String(thrown))
  }
}
