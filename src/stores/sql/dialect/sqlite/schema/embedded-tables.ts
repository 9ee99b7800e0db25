import type { CompiledType } from '../../../../../declare/resource/compiled/compiled-type.js'
import { isComposite, keyColumns } from '../../../../../declare/resource/parts/key-columns.js'
import { referenceColumn } from '../../../../../declare/resource/compiled/relation-link.js'
import type { RelationKey } from '../../../../../declare/resource/relations/relation-spec.js'
import { uniqueSets } from '../../../../../declare/resource/compiled/unique-sets.js'
import type { SqlDriver } from '../../../driver/sql-driver.js'
import { columnName } from '../../../schema/column-naming.js'
import type { ColumnType } from '../../../schema/column-type.js'
import type { HeldKey } from '../../../schema/held-keys.js'
import { heldKeys } from '../../../schema/held-keys.js'
import { quotedName } from '../../../schema/quoted-name.js'
import { readLiveSchema } from '../../../schema/read-live-schema.js'
import { tableText } from '../../../schema/table-model.js'
import type { StoreDeclarations, WantedMember, WantedTable } from '../../../schema/wanted-tables.js'
import { servedTypes, wantedTables } from '../../../schema/wanted-tables.js'

/** A table that the declarations need. Its members are those of rows. */
interface EmbeddedTable {
  readonly wanted: WantedTable
  /** The types of the columns by member, including constraints such as `not null`. */
  readonly types: Map<string, string>
  /** The members of the primary key; empty for a join table. */
  key: readonly string[]
  /** The default of the key; null if it has none. */
  keyDefault: string | null
  readonly indexes: { readonly members: readonly string[]; readonly isUnique: boolean }[]
}

/**
 * Returns the statements that create the tables, columns and indexes of declarations in an SQLite database, unless they exist. Nothing is
 * changed or removed. It is for a database without a schema of the application: columns are nullable, and there are no foreign keys.
 */
export async function embeddedTables(driver: SqlDriver, declarations: StoreDeclarations): Promise<readonly string[]> {
  const tables = draftedTables(declarations)
  const live = await readLiveSchema(
    driver,
    tables.map(({ wanted }) => wanted.tableName),
  )
  return tables.flatMap((table) => {
    const { columns = null } = live.get(tableText(table.wanted.tableName)) ?? {}
    const present = columns === null ? null : new Set(columns.map(({ name }) => name.toLowerCase()))
    return [...(present === null ? [createTable(table)] : addColumns(table, present)), ...createIndexes(table)]
  })
}

function draftedTables(declarations: StoreDeclarations): readonly EmbeddedTable[] {
  const drafts = new Map<string, EmbeddedTable>()
  const wanted = wantedTables(declarations)
  const draftOf = (model: HeldKey['model']): EmbeddedTable | null => {
    const table = model === null ? undefined : wanted.get(model)
    return table === undefined ? null : (drafts.get(tableText(table.tableName)) ?? null)
  }
  for (const table of wanted.values()) addMembers(drafts, table)
  const served = servedTypes(declarations)
  for (const type of served) {
    const draft = draftOf(type.model)
    if (draft !== null) addType(draft, type)
  }
  for (const owner of served) {
    for (const relation of owner.relations) {
      const { keys, joined } = heldKeys(relation, owner, declarations.types)
      for (const { model, key, referred } of keys) addKey(draftOf(model), key, referred)
      if (joined !== null) draftOf(joined.model)?.indexes.push({ members: joined.pair, isUnique: true })
    }
  }
  return [...drafts.values()]
}

/** Types may share a table. */
function addMembers(drafts: Map<string, EmbeddedTable>, wanted: WantedTable): void {
  const { schema } = wanted.tableName
  const name = tableText(wanted.tableName)
  if (schema !== null) {
    throw new Error(`The table '${name}' is in a schema, which an embedded database does not have.`)
  }
  const draft = drafts.get(name) ?? { wanted, types: new Map(), key: [], keyDefault: null, indexes: [] }
  drafts.set(name, draft)
  for (const member of wanted.members) {
    const declared = wanted.columns.get(member.property)
    if (declared?.computed !== undefined || member.neededBy === null) continue
    const type = declared?.type == null ? memberType(member) : declaredType[declared.type]
    draft.types.set(member.property, draft.types.get(member.property) || type)
  }
}

function addType(draft: EmbeddedTable, type: CompiledType): void {
  const key = referenceColumn(type)
  draft.key = keyColumns(key)
  if (type.id.column !== key) draft.indexes.push({ members: keyColumns(type.id.column), isUnique: true })
  if (draft.key.length === 1) {
    draft.types.set(key, draft.types.get(key) || keyType(type))
    draft.keyDefault = keyDefault(type)
  }
  // Rows from before the version was declared need one too.
  if (type.version?.kind === 'integer') draft.types.set(type.version.column, 'integer not null default 1')
  draft.indexes.push(...uniqueSets(type).map(({ columns }) => ({ members: columns, isUnique: true })))
}

/** Adds the columns that hold a key of other rows. */
function addKey(table: EmbeddedTable | null, { id, type }: RelationKey, targets: readonly CompiledType[]): void {
  if (table === null) return
  const [only = '', ...others] = new Set(targets.map(keyType))
  for (const column of keyColumns(id)) {
    table.types.set(column, table.types.get(column) || (others.length === 0 ? only : ''))
  }
  if (type !== null) table.types.set(type, 'text')
  table.indexes.push({ members: keyColumns(id), isUnique: false })
}

function createTable({ wanted, types, key, keyDefault: given }: EmbeddedTable): string {
  const isSingle = key.length === 1
  const columns = [...types].map(([member, type]) => {
    const text = columnText(wanted, member, type)
    if (!key.includes(member)) return text
    return isSingle ? `${text} not null primary key${given === null ? '' : ` default (${given})`}` : `${text} not null`
  })
  const composite = key.length > 1 ? [`primary key (${columnList(wanted, key)})`] : []
  return `create table ${quotedName(wanted.tableName.name)} (${[...columns, ...composite].join(', ')})`
}

function addColumns({ wanted, types }: EmbeddedTable, present: ReadonlySet<string>): readonly string[] {
  return [...types]
    .filter(([member]) => !present.has(columnName(wanted, member).toLowerCase()))
    .map(
      ([member, type]) =>
        `alter table ${quotedName(wanted.tableName.name)} add column ${columnText(wanted, member, type)}`,
    )
}

function createIndexes({ wanted, indexes }: EmbeddedTable): readonly string[] {
  const table = wanted.tableName.name
  return indexes.map(({ members, isUnique }) => {
    const columns = members.map((member) => columnName(wanted, member))
    const name = [table, ...columns, isUnique ? 'unique' : 'index'].join('_')
    const kind = isUnique ? 'unique index' : 'index'
    return `create ${kind} if not exists ${quotedName(name)} on ${quotedName(table)} (${columnList(wanted, members)})`
  })
}

function columnText(wanted: WantedTable, member: string, type: string): string {
  return `${quotedName(columnName(wanted, member))} ${type}`.trimEnd()
}

function columnList(wanted: WantedTable, members: readonly string[]): string {
  return members.map((member) => quotedName(columnName(wanted, member))).join(', ')
}

/** The types of SQLite that hold the column types which models declare. */
const declaredType: Readonly<Record<ColumnType, string>> = {
  text: 'text',
  integer: 'integer',
  bigint: 'bigint',
  number: 'real',
  real: 'real',
  decimal: 'numeric',
  boolean: 'integer',
  instant: 'text',
  timestamp: 'text',
  epochSeconds: 'integer',
  epochMilliseconds: 'integer',
  date: 'text',
  time: 'text',
  json: 'text',
  list: 'text',
  uuid: 'text',
  bytes: 'blob',
  other: '',
}

/** Returns the type of a column by its attribute; empty if no attribute defines it, so that SQLite stores each value unchanged. */
function memberType({ storageType, spec }: Pick<WantedMember, 'storageType' | 'spec'>): string {
  if (storageType === null) return ''
  return storageType === 'number' && spec?.kind.schema['type'] === 'integer' ? 'integer' : declaredType[storageType]
}

/**
 * Returns the type of the column that identifies the rows of a type; empty for several columns. The database counts keys, unless the id has
 * its own format or clients choose it.
 */
function keyType(type: CompiledType): string {
  const key = referenceColumn(type)
  const { format, fallback, clientIds, codec } = type.id.spec
  if (isComposite(key)) return ''
  if (type.id.column !== key || codec !== null) return 'integer'
  // A client may write 007, which is another id than 7.
  if (format === 'numeric') return clientIds === 'required' ? 'text' : 'integer'
  return format === null && fallback.kind === 'store' && clientIds === 'forbidden' ? 'integer' : 'text'
}

const uuid = `lower(hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4' || substr(hex(randomblob(2)), 2) || '-' ||
  substr('89ab', 1 + (abs(random()) % 4), 1) || substr(hex(randomblob(2)), 2) || '-' || hex(randomblob(6)))`

/** Returns the expression by which the database generates text keys; null if it does not generate them. */
function keyDefault(type: CompiledType): string | null {
  const { format, fallback, clientIds } = type.id.spec
  if (keyType(type) === 'integer' || fallback.kind !== 'store' || clientIds === 'required') return null
  if (format === 'uuid') return uuid
  // Only the application knows the format of the ids.
  return format === null ? 'lower(hex(randomblob(16)))' : null
}
