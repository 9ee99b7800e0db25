import type { SqlDriver } from '../../../driver/sql-driver.js'
import type { Origin, OriginOptions } from '../../pull-rules.js'
import { OpenError } from '../../pull-rules.js'

export async function readOrigin(driver: SqlDriver, { schema }: OriginOptions): Promise<Origin> {
  const { rows } = await driver.read({ sql: statement, values: [], name: null }, { context: null })
  const [[name, current, schemas]] = rows as unknown as [[name: string, current: string | null, schemas: string[]]]
  const isKnown = schema === null ? current !== null : schemas.includes(schema)
  if (isKnown) return { engine: driver.dialect.name, name }
  const offered = schemas.filter((each) => !/^pg_|^information_schema$/.test(each)).toSorted()
  const missing =
    schema === null
      ? `No schema of the search path exists in the database '${name}': name one with --schema.`
      : `The database '${name}' has no schema '${schema}'.`
  throw new OpenError(`${missing} Its schemas: ${listed(offered)}.`)
}

const statement = `
select current_database()::text, current_schema()::text,
  (select coalesce(json_agg(nspname::text), '[]'::json) from pg_catalog.pg_namespace)`

const mostListed = 20

function listed(names: readonly string[]): string {
  const rest = names.length - mostListed
  return [...names.slice(0, mostListed), ...(rest > 0 ? [`and ${rest} more`] : [])].join(', ')
}
