import type { RawBuilder } from 'kysely'
import { sql } from 'kysely'
import type { SqlResult } from '../driver/sql-driver.js'
import type { JoinPair } from '../query/join-pair.js'
import { isFirstOfPair, isUniquePair } from '../query/join-pair.js'
import { namesOf } from '../query/wanted-columns.js'
import type { SqlColumn, SqlTable } from '../schema/sql-table.js'
import type { GivenRow } from './given-rows.js'
import { givenRows } from './given-rows.js'
import type { SqlWriting } from './sql-writing.js'
import { columnNames, notedTable, runWrite, writtenAlias } from './sql-writing.js'

/** Rows of one table that set the same columns, no more than one statement takes. */
export interface AlikeRows {
  readonly table: SqlTable
  readonly columns: readonly SqlColumn[]
  readonly rows: readonly GivenRow[]
}

/** @param pair the columns of a unique index: a row that has the same there takes the other columns instead */
export async function insertRows(
  writing: SqlWriting,
  { table, columns, rows }: AlikeRows,
  pair: JoinPair | null,
): Promise<void> {
  await runWrite(writing, (shape) => {
    shape.addKeyPart(pair === null ? 'insert rows' : `insert rows, not twice ${namesOf(pair)}`)
    const into = notedTable(shape, table)
    const given = givenRows(shape, { table, columns, rows }, writing)
    return () => {
      const instead = pair === null ? sql`` : sql` ${onConflict(columns, pair)}`
      return sql`insert into ${into} (${columnNames(columns)}) ${given.inserted()}${instead}`
    }
  })
}

function onConflict(columns: readonly SqlColumn[], pair: JoinPair): RawBuilder<unknown> {
  const others = columns.filter((column) => !pair.includes(column))
  if (others.length === 0) return sql`on conflict (${columnNames(pair)}) do nothing`
  const changes = others.map(({ name }) => sql`${sql.id(name)} = ${sql.id('excluded', name)}`)
  return sql`on conflict (${columnNames(pair)}) do update set ${sql.join(changes)}`
}

/**
 * Sets the columns that are not of the pair in the row that has the same pair. Where there are several, in the first of
 * them; in all where they have no key, since it changes with every write which of these lies first.
 */
export function updateRows(
  writing: SqlWriting,
  { table, columns, rows }: AlikeRows,
  pair: JoinPair,
): Promise<SqlResult> {
  const { engine } = writing.store
  return runWrite(writing, (shape) => {
    shape.addKeyPart(`update rows by ${namesOf(pair)}`)
    const target = notedTable(shape, table)
    const given = givenRows(shape, { table, columns, rows }, writing)
    return () => {
      const others = columns.filter((column) => !pair.includes(column))
      const changes = others.map(({ name }) => sql`${sql.id(name)} = ${sql.id('given', name)}`)
      const same = pair.map(({ name }) => sql`${sql.id(writtenAlias, name)} = ${sql.id('given', name)}`)
      const isOnly = isUniquePair(table, pair) || table.live.primaryKey.length === 0
      const matches = isOnly ? same : [...same, isFirstOfPair({ table, pair, engine }, writtenAlias, 'other')]
      // SQLite knows only the table that is written there; on PostgreSQL the name alone would mean two columns.
      const found = columnNames(pair, engine === 'postgres' ? writtenAlias : null)
      return sql`${given.before()}update ${target} as ${sql.id(writtenAlias)} set ${sql.join(changes)} from ${given.from()} where ${sql.join(matches, sql` and `)} returning ${found}`
    }
  })
}
