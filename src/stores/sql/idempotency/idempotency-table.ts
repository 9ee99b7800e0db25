import type { EngineName } from '../../../core/util/engine-name.js'
import type { SchemaRules } from '../dialect/dialect.js'
import { dialects } from '../dialect/dialects.js'
import { tableName } from '../schema/table-model.js'

/** The name of the table, unless the option `idempotencyTable` of `sqlData()` names another. */
export const defaultIdempotencyTable = 'ashlar_idempotency'

/** The columns of the table, with their types. The first two are the key. */
function columnsOf({
  bytes,
  bigint,
  text,
  keys,
}: SchemaRules['storedTypes']): readonly (readonly [name: string, type: string])[] {
  return [
    ['caller', `${keys[0]} not null`],
    ['idempotency_key', `${keys[1]} not null`],
    ['request', `${text} not null`],
    ['body_hash', `${text} not null`],
    ['status', 'integer not null'],
    ['headers', `${text} not null`],
    ['body', bytes],
    ['expires_at', `${bigint} not null`],
  ]
}

export const idempotencyColumns: readonly string[] = Object.freeze(
  columnsOf({ bytes: '', bigint: '', text: '', keys: ['', ''] }).map(([name]) => name),
)

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
  const { storedTypes, indexOn, quotedName } = dialects[engine].schema
  const tableText = (schema === null ? [name] : [schema, name]).map(quotedName).join('.')
  const definitions = columnsOf(storedTypes).map(([column, type]) => `  ${quotedName(column)} ${type}`)
  return Object.freeze([
    [
      `create table if not exists ${tableText} (`,
      ...definitions.map((definition) => `${definition},`),
      `  primary key (${quotedName('caller')}, ${quotedName('idempotency_key')})`,
      ')',
    ].join('\n'),
    `create index if not exists ${indexOn(`${name}_expires_at`, { schema, name })} (${quotedName('expires_at')})`,
  ])
}
