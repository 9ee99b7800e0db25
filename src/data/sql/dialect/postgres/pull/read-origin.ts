import type { SqlDriver } from '../../../driver/sql-driver.js'
import type { Origin, OriginOptions } from '../../pull-rules.js'
import { OpenError } from '../../pull-rules.js'

export async function readOrigin(driver: SqlDriver, { schemas }: OriginOptions): Promise<Origin> {
  const { rows } = await driver.read({ sql: statement, values: [], name: null }, { context: null })
  const [[name, current, present]] = rows as unknown as [[name: string, current: string | null, present: string[]]]
  const missing = schemas.find((schema) => !present.includes(schema))
  if (missing === undefined && (schemas.length > 0 || current !== null)) return { engine: driver.dialect.name, name }
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
