import type { EngineName } from '../driver/sql-driver.js'
import { tableName } from '../schema/table-model.js'

/** The name of the table, unless the option `idempotencyTable` of `sqlData()` names another. */
export const defaultIdempotencyTable = 'ashlar_idempotency'

/** The columns of the table, with their types. The first two are the key. */
const columns: readonly (readonly [name: string, types: Readonly<Record<EngineName, string>>])[] = [
  ['caller', { postgres: 'text not null', sqlite: 'text not null' }],
  ['idempotency_key', { postgres: 'text not null', sqlite: 'text not null' }],
  ['request', { postgres: 'text not null', sqlite: 'text not null' }],
  ['body_hash', { postgres: 'text not null', sqlite: 'text not null' }],
  ['status', { postgres: 'integer not null', sqlite: 'integer not null' }],
  ['headers', { postgres: 'text not null', sqlite: 'text not null' }],
  ['body', { postgres: 'bytea', sqlite: 'blob' }],
  ['expires_at', { postgres: 'bigint not null', sqlite: 'integer not null' }],
]

export const idempotencyColumns: readonly string[] = Object.freeze(columns.map(([name]) => name))

/**
 * Returns the statements that create the table for the setting `idempotency` of a server, for a migration. They do nothing if the
 * table is there.
 *
 * @example
 * ```ts
 * import { idempotencyTable } from 'ashlar/sql'
 *
 * const migrate = (database: { exec(statement: string): void }) => {
 *   for (const statement of idempotencyTable('sqlite')) database.exec(statement)
 * }
 * ```
 *
 * @param table the name, as in the option `idempotencyTable` of `sqlData()`: `music.idempotency` for a table of a schema
 */
export function idempotencyTable(engine: EngineName, table: string = defaultIdempotencyTable): readonly string[] {
  const { schema, name } = tableName(table)
  const inSchema = (text: string): string => (schema === null ? quoted(text) : `${quoted(schema)}.${quoted(text)}`)
  const definitions = columns.map(([column, types]) => `  ${quoted(column)} ${types[engine]}`)
  const index = `${name}_expires_at`
  // SQLite wants the schema at the index, PostgreSQL at the table.
  const indexed =
    engine === 'sqlite' ? `${inSchema(index)} on ${quoted(name)}` : `${quoted(index)} on ${inSchema(name)}`
  return Object.freeze([
    [
      `create table if not exists ${inSchema(name)} (`,
      ...definitions.map((definition) => `${definition},`),
      '  primary key ("caller", "idempotency_key")',
      ')',
    ].join('\n'),
    `create index if not exists ${indexed} ("expires_at")`,
  ])
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`
}
