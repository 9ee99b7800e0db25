import type { Row } from '../../../../../core/rows/row-set.js'
import { grouped } from '../../../grouped.js'
import type { DatabaseAccess } from '../../../driver/sql-statement.js'
import { readRows } from '../../../driver/sql-statement.js'
import type {
  FoundTable,
  LiveColumn,
  LiveForeignKey,
  LiveIndex,
  LiveTable,
  TableName,
} from '../../../schema/live-schema.js'
import { columnType, databaseTypeOf, labelsOf } from './mysql-types.js'

/** The parts of the catalogue in which the engines differ. */
export interface CatalogueRules {
  /** The collation whose order and equality are those of code points. */
  readonly codePoints: string
  /** Selects the schemas, tables and columns that hold JSON as text; null if JSON has a type. */
  readonly jsonColumns: string | null
  /** The column of the catalogue that has the expressions of an index. */
  readonly indexExpression: string
}

/** What the catalogue knows of one table. */
interface Catalogue {
  readonly columns: readonly Row[]
  readonly indexes: readonly Row[]
  readonly foreignKeys: readonly Row[]
  readonly json: ReadonlySet<unknown>
  readonly changesBeforeStoring: boolean
}

/** Returns the function that reads tables and views. */
export function tableReader(rules: CatalogueRules) {
  return async (database: DatabaseAccess, requested: readonly TableName[]): Promise<readonly FoundTable[]> => {
    if (requested.length === 0) return []
    const tables = await readTableRows(database, requested)
    const [columns, indexes, foreignKeys, json, triggers] = await Promise.all(
      [columnsOf, indexesOf(rules), foreignKeysOf, rules.jsonColumns, triggersOf].map(async (query) =>
        byTable(query === null ? [] : await readRows(database, ...ofTables(query, tables))),
      ),
    )
    return requested.flatMap((requestedName) => {
      const row = tables.find(([schema, name, , isCurrent]) => {
        const isInSchema = requestedName.schema === null ? Number(isCurrent) === 1 : schema === requestedName.schema
        return isInSchema && name === requestedName.name
      })
      if (row === undefined) return []
      const key = keyOf(row)
      const rows = (all: ReadonlyMap<string, readonly Row[]> | undefined): readonly Row[] => all?.get(key) ?? []
      const table = tableIn(row, rules, {
        columns: rows(columns),
        indexes: rows(indexes),
        foreignKeys: rows(foreignKeys),
        json: new Set(rows(json).map(([, , name]) => name)),
        changesBeforeStoring: rows(triggers).length > 0,
      })
      return [{ requestedName, table }]
    })
  }
}

/** The schema, the name, the kind, and whether the schema is the one that connections use. */
async function readTableRows(database: DatabaseAccess, requested: readonly TableName[]): Promise<readonly Row[]> {
  const conditions = requested.map(({ schema }) =>
    schema === null
      ? '(table_schema = database() and binary table_name = binary ?)'
      : '(table_schema = ? and binary table_name = binary ?)',
  )
  const values = requested.flatMap(({ schema, name }) => (schema === null ? [name] : [schema, name]))
  return readRows(
    database,
    `select table_schema, table_name, table_type, table_schema = database() from information_schema.tables where ${conditions.join(' or ')}`,
    values,
  )
}

const columnsOf = `select table_schema, table_name, column_name, column_type, data_type, is_nullable, column_default, extra, collation_name
  from information_schema.columns where (table_schema, table_name) in (?) order by ordinal_position`

const foreignKeysOf = `select table_schema, table_name, constraint_name, column_name, referenced_table_schema, referenced_table_name, referenced_column_name
  from information_schema.key_column_usage
  where referenced_table_name is not null and (table_schema, table_name) in (?) order by constraint_name, ordinal_position`

const triggersOf = `select event_object_schema, event_object_table from information_schema.triggers
  where action_timing = 'BEFORE' and event_manipulation in ('INSERT', 'UPDATE') and (event_object_schema, event_object_table) in (?)`

function indexesOf({ indexExpression }: CatalogueRules): string {
  return `select table_schema, table_name, index_name, non_unique, column_name, sub_part, collation, index_type, ${indexExpression}
    from information_schema.statistics where (table_schema, table_name) in (?) order by index_name, seq_in_index`
}

/** Replaces the placeholder by one for each table. */
function ofTables(query: string, tables: readonly Row[]): readonly [sql: string, values: readonly unknown[]] {
  const pairs = tables.length === 0 ? "('', '')" : tables.map(() => '(?, ?)').join(', ')
  return [query.replace('(?)', `(${pairs})`), tables.flatMap(([schema, name]) => [schema, name])]
}

function keyOf([schema, name]: Row): string {
  return JSON.stringify([schema, name])
}

function byTable(rows: readonly Row[]): ReadonlyMap<string, readonly Row[]> {
  return grouped(rows, keyOf)
}

function tableIn([schema, name, kind]: Row, rules: CatalogueRules, catalogue: Catalogue): LiveTable {
  const columns = catalogue.columns.map((row) => columnIn(row, catalogue))
  const indexes = [...grouped(catalogue.indexes, ([, , index]) => String(index))].flatMap(([index, rows]) =>
    indexIn(index, rows, { columns, codePoints: rules.codePoints }),
  )
  const primaryKey = indexes.find((index) => index.name === 'PRIMARY')?.columns ?? []
  return {
    name: String(name),
    schema: String(schema),
    isView: kind !== 'BASE TABLE',
    changesAfterReturning: false,
    changesBeforeStoring: catalogue.changesBeforeStoring,
    columns,
    primaryKey: primaryKey.filter((column) => column !== null),
    indexes,
    foreignKeys: [...grouped(catalogue.foreignKeys, ([, , constraint]) => String(constraint))].map(([, rows]) =>
      foreignKeyIn(rows),
    ),
  }
}

function columnIn(row: Row, { json }: Catalogue): LiveColumn {
  const [, , name, declared, dataType, isNullable, defaultValue, extraText, collation] = row
  const extra = String(extraText).toLowerCase()
  const type = json.has(name) ? 'json' : columnType(String(dataType), String(declared))
  const labels = labelsOf(String(declared))
  const isGenerated = extra.includes('generated') && !extra.includes('default_generated')
  // MariaDB has the text NULL for a column without a default.
  const hasDefault = defaultValue !== null && defaultValue !== 'NULL'
  return {
    name: String(name),
    databaseType: databaseTypeOf(String(declared), typeof collation === 'string' && type === 'text' ? collation : null),
    type,
    nullable: isNullable === 'YES',
    hasDefault: hasDefault || isGenerated || extra.includes('auto_increment'),
    ...(isGenerated ? { generated: 'expression' as const } : {}),
    ...(labels === null ? {} : { labels }),
  }
}

interface IndexedTable {
  readonly columns: readonly LiveColumn[]
  readonly codePoints: string
}

/** Whether an entry of an index is a whole column. */
function isWhole([, , , , column, part]: Row): boolean {
  return column !== null && part === null
}

/** An index of words supports neither sorting nor equality. One of a prefix is like one of an expression of the column. */
function indexIn(name: string, rows: readonly Row[], { columns, codePoints }: IndexedTable): readonly LiveIndex[] {
  const [, , , nonUnique, firstColumn, , direction, kind] = rows[0] ?? []
  if (kind === 'FULLTEXT' || kind === 'SPATIAL') return []
  const first = columns.find((column) => column.name === firstColumn)
  const isSorted = first?.type !== 'text' || first.databaseType.endsWith(` collate ${codePoints}`)
  const expressed = rows.flatMap((row) => {
    if (isWhole(row)) return []
    const [, , , , column, , , , expression] = row
    if (typeof column === 'string') return [column]
    return columns.flatMap((each) => (String(expression).includes(`\`${each.name}\``) ? [each.name] : []))
  })
  return [
    {
      name,
      columns: rows.map((row) => (isWhole(row) ? String(row[4]) : null)),
      unique: Number(nonUnique) === 0,
      partial: false,
      deferrable: false,
      expressed,
      sortsTexts: isSorted && direction !== null,
    },
  ]
}

function foreignKeyIn(rows: readonly Row[]): LiveForeignKey {
  const [schema, , constraint, , referencedSchema, table] = rows[0] ?? []
  return {
    name: String(constraint),
    columns: rows.map((row) => String(row[3])),
    table: String(table),
    schema: referencedSchema === schema ? null : String(referencedSchema),
    references: rows.map((row) => String(row[6])),
  }
}
