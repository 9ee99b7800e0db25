import { sql } from 'kysely'
import type { Sentence } from '../../../../core/errors/sentence.js'
import { sentence } from '../../../../core/errors/sentence.js'
import type { ReadCatalogue } from '../../dialect/dialect.js'
import type { SqlFault } from '../../driver/sql-statement.js'
import type { LiveForeignKey, TableName } from '../../schema/live-schema.js'
import type { SqlColumn, SqlTable } from '../../schema/sql-table.js'
import { encodedValue } from '../../schema/sql-table.js'
import type { SetColumns } from '../statement-target.js'
import type { SqlWriting } from '../sql-writing.js'
import { runRead } from '../sql-writing.js'
import { allowedByCheck } from './allowed-values.js'

/** A written table, and the table that refused a row: the same one, a partition, or a table behind a view. */
export interface ConstrainedTable {
  readonly table: SqlTable
  readonly constrained: TableName
}

function catalogueOf(writing: SqlWriting): ReadCatalogue {
  return ({ purpose, key, values = [] }, write) =>
    runRead(writing, (shape) => {
      if (purpose !== undefined) shape.describe(purpose, null)
      shape.addKeyPart(key)
      const slots = values.map((value) => shape.bind(value))
      return () => write(...slots)
    })
}

/**
 * Returns the table that refused a row. That is the written table, or the partition or the table behind a view that
 * some engines name instead. Returns `null` for any other table: then a trigger wrote another row, and that was refused.
 */
export async function constraintTable(
  { table: reported }: { readonly table: string | null },
  { live, schema: declaredSchema }: SqlTable,
  writing: SqlWriting,
): Promise<TableName | null> {
  const schema = live.schema ?? declaredSchema
  if (reported === null || reported === live.name) return { schema, name: live.name }
  const { schemaBehind } = writing.store.dialect.constraints
  const found = await schemaBehind({ schema, name: live.name }, reported, catalogueOf(writing))
  return found === null ? null : { schema: found, name: reported }
}

/**
 * Returns the fault, or `raised` if `raise exception` of a trigger named a constraint that the table does not have: then the value that
 * caused it is unknown.
 */
export async function verifiedFault(
  fault: SqlFault | null,
  table: SqlTable,
  writing: SqlWriting,
): Promise<SqlFault | null> {
  if (fault === null || !('raisedAs' in fault) || fault.raisedAs === undefined) return fault
  const { has } = writing.store.dialect.constraints
  const constrained = await constraintTable(fault, table, writing)
  const isReal = constrained !== null && (await has(fault.raisedAs, constrained, catalogueOf(writing)))
  return isReal ? fault : { kind: 'raised' }
}

/**
 * Returns the columns of a violated unique index, as far as they are known, including the columns in its expressions.
 */
export function violatedColumns(
  { columns, constraint }: Extract<SqlFault, { kind: 'unique' }>,
  table: SqlTable,
): readonly SqlColumn[] {
  const index = table.live.indexes.find(({ name }) => name === constraint)
  const names = columns ?? (index === undefined ? [] : [...index.columns, ...index.expressed])
  return columnsNamed(table, [...new Set(names)])
}

/** Returns columns by their database names. Skips expressions (`null`) and unknown names. */
export function columnsNamed({ columnNamed }: SqlTable, names: readonly (string | null)[]): readonly SqlColumn[] {
  return names.flatMap((name) => (name === null ? [] : (columnNamed.get(name) ?? [])))
}

/** Returns the columns of a constraint, as far as the engine knows them. */
async function constraintColumns(
  constraint: string | null,
  { table, constrained }: ConstrainedTable,
  writing: SqlWriting,
): Promise<readonly SqlColumn[]> {
  const { columnsOf } = writing.store.dialect.constraints
  const names = columnsOf === null ? [] : await columnsOf(constraint, constrained, catalogueOf(writing))
  return columnsNamed(table, names)
}

/** Returns the columns of a violated foreign key; those of all foreign keys if it has no name. */
export async function referringColumns(
  { constraint }: Extract<SqlFault, { kind: 'foreignKey' }>,
  { table, constrained }: ConstrainedTable,
  writing: SqlWriting,
): Promise<readonly SqlColumn[]> {
  if (constraint !== null) return constraintColumns(constraint, { table, constrained }, writing)
  return columnsNamed(
    table,
    table.live.foreignKeys.flatMap((key) => key.columns),
  )
}

/**
 * Returns the columns of a violated check constraint, as far as they are known, and a sentence for clients: which values are allowed. The
 * sentence is null if the constraint is about several columns, or cannot be parsed.
 */
export async function violatedCheck(
  { constraint, partitionedBy = [] }: Extract<SqlFault, { kind: 'check' }>,
  { table, constrained }: ConstrainedTable,
  writing: SqlWriting,
): Promise<{ readonly columns: readonly SqlColumn[]; readonly allowed: Sentence | null }> {
  if (constraint === null) {
    const columns = columnsNamed(table, partitionedBy)
    return { columns, allowed: columns.length === 1 ? sentence('partition') : null }
  }
  const { columnsOf, checkText } = writing.store.dialect.constraints
  const text = await checkText(constraint, constrained, catalogueOf(writing))
  const columns =
    columnsOf === null ? columnsIn(text, table) : await constraintColumns(constraint, { table, constrained }, writing)
  const [only, ...others] = columns
  return { columns, allowed: only === undefined || others.length > 0 ? null : allowedByCheck(text, only.name) }
}

/** Returns the columns that the text of a constraint names. String literals are ignored. */
function columnsIn(text: string, { stored }: SqlTable): readonly SqlColumn[] {
  const words = new Set(
    text
      .replaceAll(/'[^']*'/g, '')
      .match(/\w+/g)
      ?.map((word) => word.toLowerCase()),
  )
  return stored.filter(({ name }) => words.has(name.toLowerCase()))
}

interface ViolatingRow {
  readonly table: SqlTable
  readonly set: SetColumns
}

/**
 * Returns the columns of a row that refer to a missing row. Returns none if all references exist: then other rows refer
 * to the row that would have changed. If the engine does not name the constraint, every reference of the row is checked.
 */
export async function missingReferences(
  fault: Extract<SqlFault, { kind: 'foreignKey' }>,
  { table, set }: ViolatingRow,
  writing: SqlWriting,
): Promise<readonly SqlColumn[]> {
  const isSet = (columns: readonly SqlColumn[]): boolean => columns.some((column) => set.has(column))
  if (writing.store.dialect.constraints.columnsOf !== null) {
    const constrained = await constraintTable(fault, table, writing)
    const columns =
      constrained === null ? [] : await constraintColumns(fault.constraint, { table, constrained }, writing)
    return isSet(columns) ? columns : []
  }
  const missing: SqlColumn[] = []
  for (const key of table.live.foreignKeys) {
    const columns = columnsNamed(table, key.columns)
    if (isSet(columns) && !(await referenceExists(key, { table, set }, writing))) missing.push(...columns)
  }
  return missing
}

/**
 * Returns whether the referenced row exists. A foreign key with a null or without all of its columns refers to nothing, which
 * is allowed.
 */
async function referenceExists(
  key: LiveForeignKey,
  { table, set }: ViolatingRow,
  writing: SqlWriting,
): Promise<boolean> {
  const columns = columnsNamed(table, key.columns)
  const values = columns.map((column) => encodedValue(column, set.get(column)))
  if (values.includes(null) || key.references.length !== columns.length) return true
  const { rows } = await runRead(writing, (shape) => {
    // A foreign key of SQLite refers to a table of the same database file.
    const path = [table.live.schema ?? 'main', key.table]
    shape.describe('find', { schema: table.live.schema, name: key.table })
    shape.addKeyPart(JSON.stringify(['reference', path, key.references]))
    const slots = values.map((value) => shape.bind(value))
    return () => {
      const matches = key.references.map((name, index) => sql`${sql.id(name)} = ${slots[index]}`)
      return sql`select 1 from ${sql.id(...path)} where ${sql.join(matches, sql` and `)} limit 1`
    }
  })
  return rows.length > 0
}

/**
 * Returns the columns of a refused row whose values do not fit, as far as the engine can tell, each with a sentence for clients: which values
 * are allowed. The sentence is null if that is unknown.
 */
export async function invalidValues(
  { table, set }: ViolatingRow,
  writing: SqlWriting,
): Promise<readonly { readonly column: SqlColumn; readonly allowed: Sentence | null }[]> {
  const sent = [...set].flatMap(([column, value]) => {
    const encoded = encodedValue(column, value)
    switch (typeof encoded) {
      case 'string':
      case 'number':
      case 'bigint':
      case 'boolean':
        return [{ name: column.name, text: String(encoded) }]
      default:
        // The form of lists, bytes and other values is always valid.
        return []
    }
  })
  const found = await writing.store.dialect.constraints.invalidValues(table, sent, catalogueOf(writing))
  return found.flatMap(({ name, allowed }) => {
    const column = table.columnNamed.get(name)
    return column === undefined ? [] : [{ column, allowed }]
  })
}
