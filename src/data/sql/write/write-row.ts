import { sql } from 'kysely'
import type { RowObject } from '../../../resource/fields/field-spec.js'
import type { SqlColumn, SqlTable } from '../schema/sql-table.js'
import type { Shape } from '../statement/shape.js'
import { hasKey, keyOperand } from './key-condition.js'
import type { SetColumns } from './new-row.js'
import type { SqlWriting } from './sql-writing.js'
import { boundColumns, changesOf, columnNames, notedTable, rowOf, runRead, runWrite, written } from './sql-writing.js'

/** Inserts a row, and answers it as stored. */
export async function insertRow(writing: SqlWriting, table: SqlTable, set: SetColumns): Promise<RowObject> {
  const result = await runWrite(writing, (shape) => {
    shape.note('insert')
    const into = notedTable(shape, table)
    const bound = boundColumns(shape, set)
    return () => {
      const returning = sql`returning ${columnNames(table.columns)}`
      if (bound.length === 0) return sql`insert into ${into} default values ${returning}`
      const names = columnNames(bound.map(({ column }) => column))
      const values = sql.join(bound.map(({ slot }) => sql`${slot}`))
      // Identities that are always generated take a key only so; other columns do not mind.
      const overriding = writing.store.engine === 'postgres' ? sql`overriding system value ` : sql``
      return sql`insert into ${into} (${names}) ${overriding}values (${values}) ${returning}`
    }
  })
  const row = rowOf(table, result)
  if (row === null) throw keptBack(table)
  return row
}

/** What to throw where fewer rows come back than were inserted. */
function keptBack({ name }: SqlTable): Error {
  return new Error(
    `A row was inserted into '${name}', and none came back: a trigger or a rule of the database has kept it back.`,
  )
}

/** A row of a table, by one of its keys. */
export interface KeyedRow {
  readonly table: SqlTable
  readonly column: SqlColumn
  readonly key: unknown
}

/** Sets columns of a row, and answers it as stored; `null` when it is gone. */
export async function updateRow(
  writing: SqlWriting,
  { table, column, key }: KeyedRow,
  set: SetColumns,
): Promise<RowObject | null> {
  const { engine } = writing.store
  const operand = keyOperand(column, key, engine)
  if (operand === null) return null
  const read = (shape: Shape) => {
    shape.note(set.size === 0 ? 'select' : 'update')
    const target = notedTable(shape, table)
    const bound = boundColumns(shape, set)
    const matches = hasKey(column, operand, { shape, engine })
    return () => {
      const names = columnNames(table.columns)
      if (bound.length === 0) return sql`select ${names} from ${target} as ${sql.id(written)} where ${matches(written)}`
      return sql`update ${target} as ${sql.id(written)} set ${changesOf(bound)} where ${matches(written)} returning ${names}`
    }
  }
  return rowOf(table, await (set.size === 0 ? runRead : runWrite)(writing, read))
}

/** Answers whether there was such a row. */
export async function deleteRow(writing: SqlWriting, { table, column, key }: KeyedRow): Promise<boolean> {
  const { engine } = writing.store
  const operand = keyOperand(column, key, engine)
  if (operand === null) return false
  const { changes } = await runWrite(writing, (shape) => {
    shape.note('delete')
    const target = notedTable(shape, table)
    const matches = hasKey(column, operand, { shape, engine })
    return () => sql`delete from ${target} as ${sql.id(written)} where ${matches(written)}`
  })
  return changes > 0
}
