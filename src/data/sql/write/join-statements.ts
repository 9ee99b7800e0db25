import { sql } from 'kysely'
import type { SqlResult } from '../driver/sql-statement.js'
import type { JoinPair } from '../query/join-pair.js'
import { isFirstOfPair, isUniquePair } from '../query/join-pair.js'
import { namesOf } from '../query/wanted-columns.js'
import type { SqlColumn, SqlTable } from '../schema/sql-table.js'
import type { RowValues } from './row-source.js'
import { rowSource } from './row-source.js'
import type { SqlWriting } from './sql-writing.js'
import { columnNames, addTable, runWrite, writtenAlias } from './sql-writing.js'

/** Rows of one table that set the same columns, at most as many as fit into one statement. */
export interface JoinRowBatch {
  readonly table: SqlTable
  readonly columns: readonly SqlColumn[]
  readonly rows: readonly RowValues[]
}

/**
 * Inserts join rows.
 *
 * @param pair the columns of a unique index: a stored row with the same pair is updated instead; `null` if there is no
 * index
 */
export async function insertRows(
  writing: SqlWriting,
  { table, columns, rows }: JoinRowBatch,
  pair: JoinPair | null,
): Promise<void> {
  await runWrite(writing, (shape) => {
    shape.describe('insert', table)
    shape.addKeyPart(pair === null ? 'insert rows' : `insert rows, not twice ${namesOf(pair)}`)
    const into = addTable(shape, table)
    const given = rowSource(shape, { table, columns, rows }, writing)
    return () => {
      const changed = columns.filter((column) => pair?.includes(column) === false)
      const onPairConflict =
        pair === null ? sql`` : sql` ${writing.store.dialect.spell.onConflict(namesIn(pair), namesIn(changed))}`
      return sql`insert into ${into} (${columnNames(columns)}) ${given.insertedRows()}${onPairConflict}`
    }
  })
}

function namesIn(columns: readonly SqlColumn[]): readonly string[] {
  return columns.map(({ name }) => name)
}

/**
 * Updates the columns outside the pair in the stored row with the same pair. If several rows have the pair, only the
 * first is updated. If the table has no primary key, all are updated, because every write may change which row is the
 * first.
 */
export function updateRows(
  writing: SqlWriting,
  { table, columns, rows }: JoinRowBatch,
  pair: JoinPair,
): Promise<SqlResult> {
  const { dialect } = writing.store
  return runWrite(writing, (shape) => {
    shape.describe('update', table)
    shape.addKeyPart(`update rows by ${namesOf(pair)}`)
    const target = addTable(shape, table)
    const given = rowSource(shape, { table, columns, rows }, writing)
    return () => {
      const others = columns.filter((column) => !pair.includes(column))
      const changes = others.map(({ name }) => sql`${sql.id(name)} = ${sql.id('given', name)}`)
      const same = pair.map(({ name }) => sql`${sql.id(writtenAlias, name)} = ${sql.id('given', name)}`)
      const updatesAllMatches = isUniquePair(table, pair) || table.live.primaryKey.length === 0
      const matches = updatesAllMatches
        ? same
        : [...same, isFirstOfPair({ table, pair, dialect }, writtenAlias, 'other')]
      // Without the alias, the name of a column may be ambiguous.
      const returnedPair = columnNames(pair, dialect.can.returnByAlias ? writtenAlias : null)
      const returning = dialect.can.returnRows ? sql` returning ${returnedPair}` : sql``
      return sql`${given.before()}update ${target} as ${sql.id(writtenAlias)} set ${sql.join(changes)} from ${given.from()} where ${sql.join(matches, sql` and `)}${returning}`
    }
  })
}
