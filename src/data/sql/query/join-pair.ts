import type { RawBuilder } from 'kysely'
import { sql } from 'kysely'
import { relationKeyColumns } from '../../../resource/relations/relation-link.js'
import type { RelationKey } from '../../../resource/relations/relation-spec.js'
import type { SqlDialect } from '../dialect/dialect.js'
import type { LiveIndex } from '../schema/live-schema.js'
import type { SqlColumn, SqlTable } from '../schema/sql-table.js'
import { columnOf } from '../schema/sql-table.js'
import { isBefore } from '../statement/row-value.js'
import { tableReference } from '../statement/table-reference.js'

/** The columns of join rows that identify the owner and the member. No two join rows should have the same pair. */
export type JoinPair = readonly SqlColumn[]

/** Returns the columns of a key, and the column with the type that the key belongs to, if there are several types. */
export function keyColumns(table: SqlTable, key: RelationKey): readonly SqlColumn[] {
  return relationKeyColumns(key).map((column) => columnOf(table, column))
}

/** Returns whether a unique index prevents two join rows for the same pair. */
export function isUniquePair({ live }: SqlTable, pair: JoinPair): boolean {
  return live.indexes.some((index) => isWithin(index, pair))
}

/**
 * Returns whether such an index covers exactly the pair and is not deferrable: only then `on conflict` of an insert can use it.
 */
export function isArbitrated({ live }: SqlTable, pair: JoinPair): boolean {
  return live.indexes.some((index) => {
    return isWithin(index, pair) && !index.deferrable && index.columns.length === pair.length
  })
}

function isWithin({ unique, partial, columns }: LiveIndex, pair: JoinPair): boolean {
  return unique && !partial && columns.every((name) => pair.some((column) => column.name === name))
}

/**
 * Returns a condition for the first of several join rows with the same pair: the row with the lowest primary key, or
 * without a primary key the one with the lowest identity, such as `ctid` or `rowid`. Reads and writes both use it.
 *
 * @param here the alias of the join rows in the statement
 * @param other an alias that the statement does not use
 */
export function isFirstOfPair(
  { table, pair, dialect }: { readonly table: SqlTable; readonly pair: JoinPair; readonly dialect: SqlDialect },
  here: string,
  other: string,
): RawBuilder<boolean> {
  const { primaryKey } = table.live
  const order = primaryKey.length > 0 ? primaryKey : dialect.schema.rowIdentity
  const of = (alias: string): readonly RawBuilder<unknown>[] => order.map((name) => sql.id(alias, name))
  const same = pair.map(({ name }) => sql`${sql.id(other, name)} = ${sql.id(here, name)}`)
  return sql`not exists (select 1 from ${tableReference(table)} as ${sql.id(other)} where ${sql.join(same, sql` and `)} and ${isBefore(of(other), of(here), dialect.can)})`
}

/** Numbers the rows of a view for each pair, since they have no key and no row id to compare. */
export function numberedPairs(table: SqlTable, pair: JoinPair): RawBuilder<unknown> {
  const columns = sql.join(pair.map(({ name }) => sql.id(name)))
  return sql`(select *, row_number() over (partition by ${columns}) as ${sql.id(pairNumber)} from ${tableReference(table)})`
}

/** The column that {@link numberedPairs} adds. */
export const pairNumber = 'ashlar_pair_number'
