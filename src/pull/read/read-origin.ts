import { basename } from 'node:path'
import type { EngineName, SqlDriver } from '../../data/sql/driver/sql-driver.js'
import { OpenError } from './open-database.js'

/** The database of a pull. It stays the same if the host, the user or the password changes. */
export interface Origin {
  readonly engine: EngineName
  /** The name of the database, or of the file without its folder. */
  readonly name: string
}

interface OriginOptions {
  /** The path of the SQLite file; null for PostgreSQL. */
  readonly file: string | null
  /** Empty for the first schema of the search path. */
  readonly schemas: readonly string[]
}

/** Reads which database it is. Throws an `OpenError` if it has no such schema. */
export async function readOrigin(driver: SqlDriver, { file, schemas }: OriginOptions): Promise<Origin> {
  if (file !== null) {
    const other = schemas.find((schema) => schema !== 'main')
    if (other !== undefined) {
      throw new OpenError(`An SQLite file has only the schema 'main', not '${other}'. Leave out --schema.`)
    }
    return { engine: 'sqlite', name: basename(file) }
  }
  const { rows } = await driver.read({ sql: statement, values: [], name: null }, { context: null })
  const [[name, current, present]] = rows as unknown as [[name: string, current: string | null, present: string[]]]
  const missing = schemas.find((schema) => !present.includes(schema))
  if (missing === undefined && (schemas.length > 0 || current !== null)) return { engine: 'postgres', name }
  const offered = present.filter((each) => !/^pg_|^information_schema$/.test(each)).toSorted()
  const sentence =
    missing === undefined
      ? `No schema of the search path exists in the database '${name}': name one with --schema.`
      : `The database '${name}' has no schema '${missing}'.`
  throw new OpenError(`${sentence} Its schemas: ${listed(offered)}.`)
}

const statement = `
select current_database()::text, current_schema()::text,
  (select coalesce(json_agg(nspname::text), '[]'::json) from pg_catalog.pg_namespace)`

const mostListed = 20

function listed(names: readonly string[]): string {
  const rest = names.length - mostListed
  return [...names.slice(0, mostListed), ...(rest > 0 ? [`and ${rest} more`] : [])].join(', ')
}
