import { dialects } from '../../../stores/sql/dialect/dialects.js'
import type { ToolEngineName } from '../../../core/util/engine-name.js'
import type { DatabaseSchema, SchemaColumn, SchemaTable } from '../../../stores/sql/schema/database-schema.js'
import { plainName } from '../read/plain-name.js'
import type { PullNote } from './plan.js'

/** A table or a view that can be served, with the columns that identify its rows. */
export interface ServedTable {
  readonly table: SchemaTable
  readonly key: readonly SchemaColumn[]
  /** Why it is read-only; null if it can be written. */
  readonly readOnlyBecause: string | null
}

export interface ServedTables {
  readonly served: readonly ServedTable[]
  readonly notes: readonly PullNote[]
}

/** Selects the tables that can be served, and adds a note for each other table. */
export function servedTables(
  { engine, tables, unreadable }: DatabaseSchema,
  { excluded, secrets }: { readonly excluded: readonly string[]; readonly secrets: ReadonlySet<SchemaColumn> },
): ServedTables {
  const served: ServedTable[] = []
  const notes = unreadable.map(({ name, reason }): PullNote => {
    const sentence = excluded.includes(name)
      ? excludedReason
      : `The view cannot be read: ${reason}. Fix or drop it, and pull again.`
    return { kind: 'notServed', subject: name, sentence }
  })
  for (const table of tables) {
    const reason = refusal(table, excluded)
    const found = reason === null ? servedKey(table, engine, secrets) : reason
    if (typeof found === 'string') {
      notes.push({ kind: 'notServed', subject: table.name, sentence: found })
      continue
    }
    const readOnlyBecause = readOnlyReason(table, found)
    served.push({ table, key: found, readOnlyBecause })
    if (readOnlyBecause !== null) notes.push({ kind: 'note', subject: table.name, sentence: readOnlyBecause })
    if (table.inherits.length > 0) {
      const parents = table.inherits.map((name) => `'${name}'`).join(', ')
      const sentence = `It inherits from ${parents}, so both types show its rows. Ids of the two tables may be equal: generate them from one sequence.`
      notes.push({ kind: 'note', subject: table.name, sentence })
    }
  }
  return { served, notes }
}

const excludedReason = 'It is excluded by --exclude.'

/** Tables of migration tools, and of Ashlar itself. */
const bookkeeping =
  /^(?:ashlar_idempotency|kysely_migration(?:_lock)?|_prisma_migrations|__drizzle_migrations|knex_migrations(?:_lock)?|schema_migrations|ar_internal_metadata|flyway_schema_history|databasechangelog(?:lock)?|alembic_version|django_migrations|__efmigrationshistory|typeorm_metadata|sequelizemeta|goose_db_version|pgmigrations)$/i

function refusal(table: SchemaTable, excluded: readonly string[]): string | null {
  const { name, kind, partitionOf, columns } = table
  const plain = plainName(table)
  if (excluded.includes(name) || excluded.includes(plain)) return excludedReason
  if (partitionOf !== null) return `It is a partition of '${partitionOf}', which is served.`
  if (bookkeeping.test(plain)) return 'It is the table of a tool.'
  if (kind === 'virtualTable') return 'It is a virtual table: declare it yourself if it has a key.'
  if (kind === 'foreignTable') return 'It is a foreign table, which has no key. Declare it yourself.'
  if (columns.length === 0) return 'It has no columns.'
  return null
}

/** Returns the columns of the key, or why its values cannot be shown as ids. */
function servedKey(
  table: SchemaTable,
  engine: ToolEngineName,
  secrets: ReadonlySet<SchemaColumn>,
): readonly SchemaColumn[] | string {
  const key = keyOf(table, engine)
  const secret = typeof key === 'string' ? undefined : key.find((column) => secrets.has(column))
  if (secret === undefined) return key
  return `The column '${secret.name}' of its key looks like a secret, and ids are in every link. Declare the type yourself if it is none.`
}

/** Returns the columns of the key, or why there is no key for ids. */
function keyOf(table: SchemaTable, engine: ToolEngineName): readonly SchemaColumn[] | string {
  const { columns, primaryKey, kind, viewKey } = table
  const isView = kind === 'view' || kind === 'materializedView'
  const names = viewKey ?? (primaryKey.length > 0 ? primaryKey : uniqueKey(table))
  if (names === null) {
    return isView
      ? `It is a view, which has no key. To serve it, name the columns that identify its rows, for example: --key ${keyArgument(table)}.`
      : 'It has no primary key, and no unique index without nulls, which could identify its rows. Add a key, and pull again.'
  }
  const key = names.flatMap((name) => columns.find((column) => column.name === name) ?? [])
  const unfit = key.find((column) => !canBeId(column, engine))
  if (unfit === undefined) return key
  return `The column '${unfit.name}' of its key has the type '${unfit.databaseType}', which cannot be an id.`
}

/** Returns an example of the option for a view, with the column `id`, or another one whose name ends so. */
function keyArgument({ name, columns }: SchemaTable): string {
  const names = columns.map((column) => column.name)
  const example = names.find((each) => /^id$/i.test(each)) ?? names.find((each) => /id$/i.test(each)) ?? 'column'
  const text = `${name}=${example}`
  return /^[\w.=-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`
}

function uniqueKey({ indexes, columns, kind, otherIndexes }: SchemaTable): readonly string[] | null {
  // PostgreSQL does not know which columns of a materialized view are never null.
  const isKnown = kind !== 'materializedView'
  const nullable = new Set(columns.filter((column) => isKnown && column.nullable).map(({ name }) => name))
  const keys = indexes.flatMap(({ name, unique, partial, columns: parts }) => {
    const names = parts.flatMap((part) => part ?? [])
    const isKey = unique && !partial && !otherIndexes.has(name) && names.length === parts.length
    return isKey && !names.some((part) => nullable.has(part)) ? [names] : []
  })
  return keys.toSorted((a, b) => a.length - b.length)[0] ?? null
}

/** Returns whether the id in a response finds its row, which `server.ready()` requires. */
function canBeId({ type, databaseType }: SchemaColumn, engine: ToolEngineName): boolean {
  switch (type) {
    case 'decimal':
      return dialects[engine].can.typeColumns && /^numeric\(\d+,0\)/.test(databaseType)
    case 'number':
    case 'real':
    case 'json':
    case 'list':
    case 'bytes':
      return false
    case 'other':
      return databaseType !== 'inet'
    default:
      return true
  }
}

function readOnlyReason({ kind, viewKey }: SchemaTable, key: readonly SchemaColumn[]): string | null {
  if (kind === 'view' || kind === 'materializedView') {
    const names = key.map(({ name }) => `'${name}'`).join(', ')
    const source = viewKey === null ? 'which has a unique index' : 'as --key says'
    return `It is a view, and is read-only. Its id is ${names}, ${source}.`
  }
  const empty = key.find((column) => column.nullable)
  return empty === undefined
    ? null
    : `The column '${empty.name}' of its key may be null, so it is read-only: such a row would have no id. Declare it not null, and pull again.`
}
