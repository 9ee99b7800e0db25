import type { RawBuilder } from 'kysely'
import { sql } from 'kysely'
import type { RelationKey } from '../../../resource/relations/relation-spec.js'
import type { EngineName } from '../driver/sql-driver.js'
import type { LiveIndex } from '../schema/live-schema.js'
import type { SqlColumn, SqlTable } from '../schema/sql-table.js'
import { columnOf } from '../schema/sql-table.js'
import { tableReference } from '../statement/table-reference.js'

/** The columns of join rows that say whom they join: no two should agree in them. */
export type JoinPair = readonly SqlColumn[]

/** The column that holds a key, and the one that holds the type of what has it, where types differ. */
export function keyColumns(table: SqlTable, { id, type }: RelationKey): readonly SqlColumn[] {
  return type === null ? [columnOf(table, id)] : [columnOf(table, id), columnOf(table, type)]
}

/** Whether a unique index keeps an owner and a member from being joined twice. */
export function isUniquePair({ live }: SqlTable, pair: JoinPair): boolean {
  return live.indexes.some((index) => isWithin(index, pair))
}

/** Whether that index is over the whole pair, and judges at once: only then an insert may say what to do instead. */
export function isArbitrated({ live }: SqlTable, pair: JoinPair): boolean {
  return live.indexes.some((index) => {
    return isWithin(index, pair) && !index.deferrable && index.columns.length === pair.length
  })
}

function isWithin({ unique, partial, columns }: LiveIndex, pair: JoinPair): boolean {
  return unique && !partial && columns.every((name) => pair.some((column) => column.name === name))
}

/**
 * Of several join rows with one pair the first counts, to readers as to writers: the one with the lowest key, or else the
 * one that lies first.
 *
 * @param here what the join rows are called in the statement
 * @param other a name that nothing else there has
 */
export function isFirstOfPair(
  { table, pair, engine }: { readonly table: SqlTable; readonly pair: JoinPair; readonly engine: EngineName },
  here: string,
  other: string,
): RawBuilder<boolean> {
  const { primaryKey } = table.live
  const order = primaryKey.length > 0 ? primaryKey : engine === 'postgres' ? ['tableoid', 'ctid'] : ['rowid']
  const of = (alias: string): RawBuilder<unknown> => sql.join(order.map((name) => sql.id(alias, name)))
  const same = pair.map(({ name }) => sql`${sql.id(other, name)} = ${sql.id(here, name)}`)
  const isBefore = sql`(${of(other)}) < (${of(here)})`
  return sql`not exists (select 1 from ${tableReference(table)} as ${sql.id(other)} where ${sql.join(same, sql` and `)} and ${isBefore})`
}

/** The rows of a view have no place by which they could be compared: they are numbered instead. */
export function numberedPairs(table: SqlTable, pair: JoinPair): RawBuilder<unknown> {
  const columns = sql.join(pair.map(({ name }) => sql.id(name)))
  return sql`(select *, row_number() over (partition by ${columns}) as ${sql.id(pairNumber)} from ${tableReference(table)})`
}

/** The column that {@link numberedPairs} adds. */
export const pairNumber = 'ashlar_pair_number'
