import type { DatabaseAccess } from '../../../driver/sql-statement.js'
import { readRows } from '../../../driver/sql-statement.js'
import type { Group } from '../../../grouped.js'
import { grouped } from '../../../grouped.js'
import type { ColumnType } from '../../../schema/column-type.js'
import type {
  FoundTable,
  LiveColumn,
  LiveForeignKey,
  LiveIndex,
  LiveTable,
  TableName,
} from '../../../schema/live-schema.js'
import { quotedName } from '../../../schema/quoted-name.js'

/** Selects the tables and views with a requested name, in any schema and in upper or lower case. */
const isRequested = `l.type <> 'shadow' and lower(l.name) in (select lower(value) from json_each(?))`

const columns = `
select l.schema, l.name, l.wr, c.name, c.type, c."notnull", c.dflt_value is not null, c.pk, c.hidden, l.type = 'view'
from pragma_table_list l join pragma_table_xinfo(l.name, l.schema) c
where ${isRequested} and c.hidden <> 1
order by l.schema, l.name, c.cid`

const indexes = `
select l.schema, l.name, i.name, i."unique", i.partial, x.name, x.coll,
  (select s.sql from sqlite_schema s where s.name = i.name and s.type = 'index' and l.schema = 'main')
from pragma_table_list l join pragma_index_list(l.name, l.schema) i join pragma_index_xinfo(i.name, l.schema) x
where ${isRequested} and x."key" = 1
order by l.schema, l.name, i.name, x.seqno`

/** A foreign key that names no referenced columns references the primary key. It may write the name of the table in another case. */
const foreignKeys = `
select l.schema, l.name, k.id, coalesce((
    select t.name from pragma_table_list t where t.schema = l.schema and lower(t.name) = lower(k."table")
  ), k."table"), k."from",
  coalesce(k."to", (select p.name from pragma_table_info(k."table", l.schema) p where p.pk = k.seq + 1))
from pragma_table_list l join pragma_foreign_key_list(l.name, l.schema) k
where ${isRequested}
order by l.schema, l.name, k.id, k.seq`

type ColumnRow = readonly [
  schema: string,
  table: string,
  withoutRowid: number,
  name: string,
  declared: string,
  notNull: number,
  hasDefault: number,
  /** Its position in the primary key, from 1; 0 if it is not part of it. */
  inKey: number,
  hidden: number,
  isView: number,
]

type IndexRow = readonly [
  schema: string,
  table: string,
  name: string,
  unique: number,
  partial: number,
  column: string | null,
  collation: string,
  text: string | null,
]

type ForeignKeyRow = readonly [
  schema: string,
  table: string,
  id: number,
  related: string,
  column: string,
  reference: string | null,
]

type TriggerRow = readonly [schema: string, table: string, text: string]

export async function readSqliteTables(
  driver: DatabaseAccess,
  requested: readonly TableName[],
): Promise<readonly FoundTable[]> {
  const values = [JSON.stringify(requested.map(({ name }) => name))]
  const rows = await Promise.all([columns, indexes, foreignKeys].map((sql) => readRows(driver, sql, values)))
  const [columnRows, indexRows, foreignKeyRows] = rows as unknown as [ColumnRow[], IndexRow[], ForeignKeyRow[]]
  const triggered = await readTriggeredTables(driver, [...new Set(columnRows.map(([schema]) => schema))])
  const searchObjects = await readSearchObjects(driver, [...new Set(columnRows.map(([schema]) => schema))])
  const indexesOf = grouped(indexRows, qualifiedName)
  const foreignKeysOf = grouped(foreignKeyRows, qualifiedName)
  const tables = [...grouped(columnRows, qualifiedName)].map(([tableKey, ofTable]): LiveTable => {
    const [[schema, name, , , , , , , , isView]] = ofTable
    const rowid = rowidOf(ofTable)
    return {
      name,
      schema,
      isView: isView === 1,
      changesAfterReturning: triggered.has(triggeredName([schema, name])),
      changesBeforeStoring: false,
      columns: ofTable.map((row) => liveColumn(row, rowid)),
      primaryKey: keyColumns(ofTable).map(([, , , column]) => column),
      indexes: [
        ...(rowid === null ? [] : [rowidIndex(rowid)]),
        ...[...grouped(indexesOf.get(tableKey) ?? [], ([, , index]) => index).values()].map((index) =>
          liveIndex(index, ofTable),
        ),
      ],
      ...searchObjectsOf([schema, name], searchObjects),
      foreignKeys: [...grouped(foreignKeysOf.get(tableKey) ?? [], ([, , id]) => id).values()].map(liveForeignKey),
    }
  })
  return requested.flatMap((name) => {
    const table = findTable(tables, name)
    return table === undefined ? [] : [{ requestedName: name, table }]
  })
}

/**
 * Finds a table by name. Without a schema SQLite searches temporary tables first, then the main file, then attached
 * files.
 */
function findTable(tables: readonly LiveTable[], { schema, name }: TableName): LiveTable | undefined {
  const alike = tables.filter((table) => isSame(table.name, name))
  const inSchema = (searched: string): LiveTable | undefined =>
    alike.find((table) => isSame(table.schema ?? '', searched))
  return schema === null ? (inSchema('temp') ?? inSchema('main') ?? alike[0]) : inSchema(schema)
}

function isSame(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase()
}

/** Returns the tables of some schemas whose triggers name their own table. Each schema has its own list of triggers. */
async function readTriggeredTables(driver: DatabaseAccess, schemas: readonly string[]): Promise<ReadonlySet<string>> {
  if (schemas.length === 0) return new Set()
  const sql = schemas
    .map(
      (schema) => `select ? as "schema", tbl_name, sql from ${quotedName(schema)}.sqlite_schema where type = 'trigger'`,
    )
    .join(' union all ')
  const rows = (await readRows(driver, sql, schemas)) as readonly TriggerRow[]
  return new Set(rows.filter(namesItsTable).map(triggeredName))
}

type SearchRow = readonly [schema: string, table: string, text: string]

/** Returns the triggers of tables, and the virtual tables with FTS5, whose content may be one of them. */
async function readSearchObjects(driver: DatabaseAccess, schemas: readonly string[]): Promise<readonly SearchRow[]> {
  if (schemas.length === 0) return []
  const selections = schemas.map(
    (schema) =>
      `select ?, case type when 'table' then '' else tbl_name end, sql from ${quotedName(schema)}.sqlite_schema where (type = 'table' and sql like 'create virtual table % using fts5%') or (type = 'trigger' and name like '%\\_search\\_%' escape '\\')`,
  )
  return (await readRows(driver, selections.join(' union all '), schemas)) as unknown as readonly SearchRow[]
}

/** The definition of a virtual table names its content, which only the definition of the wanted index can be compared with. */
function searchObjectsOf(
  [schema, name]: readonly [string, string],
  rows: readonly SearchRow[],
): Pick<LiveTable, 'searchObjects'> {
  const triggers = rows.filter((row) => row[0] === schema && isSame(row[1], name)).map(([, , text]) => text)
  if (triggers.length === 0) return {}
  const virtualTables = rows.filter((row) => row[0] === schema && row[1] === '').map(([, , text]) => text)
  return { searchObjects: [...triggers, ...virtualTables] }
}

function namesItsTable([, table, text]: TriggerRow): boolean {
  const [, ...body] = text.toLowerCase().split(/\bbegin\b/)
  const name = table.toLowerCase().replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`)
  return new RegExp(`(?<![\\p{L}\\p{N}_$])${name}(?![\\p{L}\\p{N}_$])`, 'u').test(body.join(' '))
}

/** The name of a table in a trigger may differ in case from that of the table. */
function triggeredName([schema, table]: readonly [string, string, ...unknown[]]): string {
  return `${schema}.${table}`.toLowerCase()
}

function qualifiedName([schema, table]: readonly [string, string, ...unknown[]]): string {
  return `${schema}.${table}`
}

function keyColumns(rows: readonly ColumnRow[]): readonly ColumnRow[] {
  return rows.filter((row) => row[7] > 0).toSorted((a, b) => a[7] - b[7])
}

/**
 * Returns the rowid column, which SQLite fills itself and needs no index for:
 * https://www.sqlite.org/lang_createtable.html#rowid
 */
function rowidOf(rows: readonly ColumnRow[]): string | null {
  const [key, ...others] = keyColumns(rows)
  if (key === undefined || others.length > 0) return null
  const [, , withoutRowid, name, declared] = key
  return withoutRowid === 0 && declared.toUpperCase() === 'INTEGER' ? name : null
}

/** The table itself is sorted by its rowid. */
function rowidIndex(column: string): LiveIndex {
  const index = { name: 'rowid', columns: [column], expressed: [], sortsTexts: true }
  return { ...index, unique: true, partial: false, deferrable: false }
}

function liveColumn(
  [, , , name, declared, notNull, hasDefault, , hidden]: ColumnRow,
  rowid: string | null,
): LiveColumn {
  return {
    name,
    databaseType: declared,
    type: sqliteType(declared),
    nullable: notNull === 0 && name !== rowid,
    // A value above 1 marks a generated column.
    hasDefault: name === rowid || hasDefault === 1 || hidden > 1,
    ...(hidden > 1 ? { generated: 'expression' } : {}),
  }
}

function liveIndex(rows: Group<IndexRow>, columnRows: readonly ColumnRow[]): LiveIndex {
  const [[, , name, unique, partial, , collation, text]] = rows
  const parts = rows.map((row) => row[5])
  return {
    name,
    columns: parts,
    unique: unique === 1,
    partial: partial === 1,
    deferrable: false,
    expressed: parts.includes(null) && text !== null ? columnsInIndexSql(text, columnRows) : [],
    sortsTexts: collation.toUpperCase() === 'BINARY',
  }
}

/** Returns the columns that the SQL of an index names before its `where` clause. String literals are skipped. */
function columnsInIndexSql(text: string, columnRows: readonly ColumnRow[]): readonly string[] {
  const [parts = ''] = text.slice(text.indexOf('(')).split(/\)\s*where\b/i)
  const words = parts
    .replaceAll(/'[^']*'/g, '')
    .toLowerCase()
    .split(/[^\p{L}\p{N}_$]+/u)
  return columnRows.map(([, , , name]) => name).filter((name) => words.includes(name.toLowerCase()))
}

function liveForeignKey(rows: Group<ForeignKeyRow>): LiveForeignKey {
  const [[, , , table]] = rows
  return {
    name: null,
    columns: rows.map((row) => row[4]),
    table,
    schema: null,
    references: rows.flatMap((row) => row[5] ?? []),
  }
}

/**
 * Maps the declared type of an SQLite column to a column type. SQLite accepts any words as a type. Type names of other
 * databases have their usual meaning here; the rest follows
 * https://www.sqlite.org/datatype3.html#determination_of_column_affinity.
 */
function sqliteType(declared: string): ColumnType {
  const words = declared
    .toUpperCase()
    .replaceAll(/\([^)]*\)/g, ' ')
    .trim()
    .split(/\s+/)
  const named = known[words[0] ?? '']
  if (named !== undefined) return named
  const text = words.join(' ')
  if (text.includes('BIG INT')) return 'bigint'
  return affinities.find(([part]) => text.includes(part))?.[1] ?? 'other'
}

const known: Readonly<Record<string, ColumnType | undefined>> = {
  BOOL: 'boolean',
  BOOLEAN: 'boolean',
  DATETIME: 'instant',
  TIMESTAMP: 'instant',
  TIMESTAMPTZ: 'instant',
  DATE: 'date',
  TIME: 'time',
  JSON: 'json',
  JSONB: 'json',
  DECIMAL: 'decimal',
  NUMERIC: 'decimal',
  UUID: 'uuid',
  GUID: 'uuid',
  UNIQUEIDENTIFIER: 'uuid',
  BIGINT: 'bigint',
  INT8: 'bigint',
  BYTEA: 'bytes',
  BINARY: 'bytes',
  VARBINARY: 'bytes',
}

const affinities: readonly (readonly [part: string, type: ColumnType])[] = [
  ['INT', 'integer'],
  ['CHAR', 'text'],
  ['CLOB', 'text'],
  ['TEXT', 'text'],
  ['BLOB', 'bytes'],
  ['REAL', 'number'],
  ['FLOA', 'number'],
  ['DOUB', 'number'],
]
