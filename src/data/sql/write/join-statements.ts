import type { RawBuilder } from 'kysely'
import { sql } from 'kysely'
import type { SqlResult } from '../driver/sql-driver.js'
import type { SqlColumn, SqlTable } from '../schema/sql-table.js'
import type { Shape } from '../statement/shape.js'
import type { GivenRow } from './given-rows.js'
import { givenRows, rowsAtOnce } from './given-rows.js'
import type { SqlWriting } from './sql-writing.js'
import { columnNames, notedTable, runWrite, written } from './sql-writing.js'

/** Rows of one table that set the same columns. */
export interface AlikeRows {
  readonly table: SqlTable
  readonly columns: readonly SqlColumn[]
  readonly rows: readonly GivenRow[]
}

/** @param pair the columns of a unique index: a row that has the same there takes the other columns instead */
export async function insertRows(
  writing: SqlWriting,
  { table, columns, rows }: AlikeRows,
  pair: readonly SqlColumn[] | null,
): Promise<void> {
  for (const some of rowsAtOnce(rows, columns.length, writing)) {
    await runWrite(writing, (shape) => {
      shape.note(pair === null ? 'insert rows' : `insert rows, not twice ${namesOf(pair)}`)
      const into = notedTable(shape, table)
      const given = givenRows(shape, { table, columns, rows: some }, writing)
      return () => {
        const instead = pair === null ? sql`` : sql` ${onConflict(columns, pair)}`
        return sql`insert into ${into} (${columnNames(columns)}) ${given.inserted()}${instead}`
      }
    })
  }
}

function onConflict(columns: readonly SqlColumn[], pair: readonly SqlColumn[]): RawBuilder<unknown> {
  const others = columns.filter((column) => !pair.includes(column))
  if (others.length === 0) return sql`on conflict (${columnNames(pair)}) do nothing`
  const changes = others.map(({ name }) => sql`${sql.id(name)} = ${sql.id('excluded', name)}`)
  return sql`on conflict (${columnNames(pair)}) do update set ${sql.join(changes)}`
}

/**
 * Sets the columns that are not of the pair in the row that has the same pair. Where there are several, in the first of
 * them; in all where they have no key, since nobody can tell which of these is read.
 */
export async function updateRows(
  writing: SqlWriting,
  { table, columns, rows }: AlikeRows,
  { pair, isUnique }: { readonly pair: readonly SqlColumn[]; readonly isUnique: boolean },
): Promise<readonly SqlResult[]> {
  const results: SqlResult[] = []
  const isOnly = isUnique || table.live.primaryKey.length === 0
  const read = (shape: Shape, some: readonly GivenRow[]) => {
    shape.note(`update rows by ${namesOf(pair)}`)
    const target = notedTable(shape, table)
    const given = givenRows(shape, { table, columns, rows: some }, writing)
    const others = columns.filter((column) => !pair.includes(column))
    return () => {
      const changes = others.map(({ name }) => sql`${sql.id(name)} = ${sql.id('given', name)}`)
      const matches = isOnly ? samePair(pair, written) : isFirst(table, target, pair)
      // SQLite knows only the table that is written there; on PostgreSQL the name alone would mean two columns.
      const found = columnNames(pair, writing.store.engine === 'postgres' ? written : null)
      return sql`${given.before()}update ${target} as ${sql.id(written)} set ${sql.join(changes)} from ${given.from()} where ${matches} returning ${found}`
    }
  }
  for (const some of rowsAtOnce(rows, columns.length, writing)) {
    results.push(await runWrite(writing, (shape) => read(shape, some)))
  }
  return results
}

function namesOf(columns: readonly SqlColumn[]): string {
  return JSON.stringify(columns.map(({ name }) => name))
}

function samePair(pair: readonly SqlColumn[], alias: string): RawBuilder<unknown> {
  const same = pair.map(({ name }) => sql`${sql.id(alias, name)} = ${sql.id('given', name)}`)
  return sql.join(same, sql` and `)
}

/** The one with the lowest key: it is the one that is read. */
function isFirst({ live }: SqlTable, table: RawBuilder<unknown>, pair: readonly SqlColumn[]): RawBuilder<unknown> {
  const of = (alias: string): RawBuilder<unknown> => sql.join(live.primaryKey.map((name) => sql.id(alias, name)))
  const isLower = sql`(${of('other')}) < (${of(written)})`
  return sql`${samePair(pair, written)} and not exists (select 1 from ${table} as other where ${samePair(pair, 'other')} and ${isLower})`
}
