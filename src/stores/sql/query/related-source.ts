import type { RawBuilder } from 'kysely'
import { sql } from 'kysely'
import type { CompiledType } from '../../../declare/resource/compiled/compiled-type.js'
import type { RelationLink, RelationStorage } from '../../../declare/resource/compiled/relation-link.js'
import { referenceColumn, relationKeyColumns } from '../../../declare/resource/compiled/relation-link.js'
import type { RelationKey } from '../../../declare/resource/relations/relation-spec.js'
import { invariant } from '../../../core/util/invariant.js'
import { memoize } from '../../../core/util/memoize.js'
import type { SqlDialect } from '../dialect/dialect.js'
import { numericTypes } from '../schema/column-type.js'
import type { LiveIndex } from '../schema/live-schema.js'
import type { SqlColumn, SqlTable } from '../schema/sql-table.js'
import { columnOf, columnReference, joinModel, partsOf, tableFor, tableOf } from '../schema/sql-table.js'
import { isBefore } from '../statement/row-value.js'
import { tableReference } from '../statement/table-reference.js'
import type { Aliases, RowsRead, SqlPart, StatementBuild } from './statement-build.js'

/** The tables, columns and conditions that connect the owners of a relation with its members of one type. */
export interface RelatedSource extends RowsRead {
  /** Returns the `from` clause, with the aliases of the statement. */
  readonly from: (at: Aliases) => RawBuilder<unknown>
  /** The column that identifies the owner, in the member row or in the join row. */
  readonly link: SqlColumn
  /** The column of the owner that `link` refers to. */
  readonly ownerColumn: string
  /** The column of the owner that contains the type of its members; `null` if all have the same type. */
  readonly ownerTypeColumn: string | null
  /** Further conditions that members must meet. */
  readonly conditions: readonly SqlPart[]
}

/**
 * Memoized as long as the tables stay the same, since every condition on related rows needs it.
 *
 * @param position the index of the type among the targets of the relation
 */
export function relatedSource(relation: RelationLink, position: number, build: StatementBuild): RelatedSource {
  const sources = sourcesOf(relation)
  let known = sources[position]
  if (known?.tables !== build.tables) {
    known = { tables: build.tables, ...newSource(relation, position, build) }
    sources[position] = known
  }
  build.shape.addKeyPart(known.key)
  return known.source
}

/** A source, and the part of the cache key of statements that use it. */
interface KeyedSource {
  readonly source: RelatedSource
  readonly key: string
}

const sourcesOf = memoize((_relation: RelationLink): (KeyedSource & Pick<StatementBuild, 'tables'>)[] => [])

function newSource(
  relation: RelationLink,
  position: number,
  build: Pick<StatementBuild, 'tables' | 'dialect'>,
): KeyedSource {
  const { owner, storage, targets } = relation
  const type = targets[position]
  invariant(type !== undefined, 'a relation has no type at this index')
  const table = tableFor(build.tables, type)
  const joined = storage.kind === 'join' ? ` ${tableOf(build.tables, joinModel(storage)).cacheKey}` : ''
  // The storage is part of the key: two servers with one store may use different columns for the same relation name.
  const keys = 'key' in storage ? [storage.key] : storage.kind === 'join' ? [storage.owner, storage.member] : []
  const columns = keys.flatMap(({ id, type: typeColumn }) => [id, typeColumn])
  const stored = JSON.stringify([owner.storedType, type.storedType, storage.kind, ...columns])
  const key = `reach ${owner.type} ${relation.name} ${type.type} ${stored} ${table.cacheKey}${joined}`
  return { key, source: sourceOf({ relation, type, table }, build) }
}

interface RelatedTable {
  readonly relation: RelationLink
  readonly type: CompiledType
  readonly table: SqlTable
}

function sourceOf(
  { relation, type, table }: RelatedTable,
  build: Pick<StatementBuild, 'tables' | 'dialect'>,
): RelatedSource {
  const { owner, storage } = relation
  const rows = { type, table, pivot: null, from: ({ row }: Aliases) => tableAs(table, row) }
  switch (storage.kind) {
    case 'ownKey':
      return {
        ...rows,
        link: columnOf(table, referenceColumn(type)),
        ownerColumn: storage.key.id,
        ownerTypeColumn: storage.key.type,
        conditions: [],
      }
    case 'relatedKey':
      return {
        ...rows,
        link: columnOf(table, storage.key.id),
        ownerColumn: referenceColumn(owner),
        ownerTypeColumn: null,
        conditions: typeConditions(
          { table, dialect: build.dialect },
          [storage.key.type, owner.storedType],
          (at) => at.row,
        ),
      }
    case 'join':
      return joinedSource({ relation, type, table }, storage, build)
    case 'function':
    case 'provider':
      invariant(false, `the SQL store cannot read '${relation.name}', whose members it does not store`)
  }
}

/** Returns the columns of the link as a list, for clauses that take no row value. */
export function linkColumns({ link }: RelatedSource, at: Aliases): RawBuilder<unknown> {
  return sql.join(partsOf(link).map(({ name }) => sql.id(linkAlias(at), name)))
}

/** Returns the alias of the rows that hold the link: the join rows, if there are any. */
export function linkAlias({ row, pivot }: Aliases): string {
  return pivot ?? row
}

type JoinStorage = Extract<RelationStorage, { kind: 'join' }>

function joinedSource(
  { relation, type, table }: RelatedTable,
  storage: JoinStorage,
  { tables, dialect }: Pick<StatementBuild, 'tables' | 'dialect'>,
): RelatedSource {
  const pivot = tableOf(tables, joinModel(storage))
  const [link, member] = [columnOf(pivot, storage.owner.id), columnOf(pivot, storage.member.id)]
  const reference = columnOf(table, referenceColumn(type))
  const pair = [storage.owner, storage.member].flatMap((key) => keyColumns(pivot, key))
  const joined = joinRows(pivot, pair, dialect)
  return {
    type,
    table,
    pivot,
    from: (at) => {
      const isMember = sameKey([member, pivotIn(at)], [reference, at.row], dialect)
      return sql`${joined.from(pivotIn(at))} inner join ${tableAs(table, at.row)} on ${isMember}`
    },
    link,
    ownerColumn: referenceColumn(relation.owner),
    ownerTypeColumn: null,
    conditions: [
      ...typeConditions({ table: pivot, dialect }, [storage.owner.type, relation.owner.storedType], pivotIn),
      ...typeConditions({ table: pivot, dialect }, [storage.member.type, type.storedType], pivotIn),
      ...joined.conditions,
    ],
  }
}

function pivotIn({ pivot }: Aliases): string {
  invariant(pivot !== null, 'join rows are read without an alias')
  return pivot
}

/** The values of type columns are declared by the application, so they are literals in the statement. */
function typeConditions(
  { table, dialect }: { readonly table: SqlTable; readonly dialect: SqlDialect },
  [property, type]: readonly [property: string | null, type: string],
  aliasIn: (at: Aliases) => string,
): readonly SqlPart[] {
  if (property === null) return []
  const { name, type: columnType } = columnOf(table, property)
  return [
    (at) => {
      const column = sql.id(aliasIn(at), name)
      return sql`${columnType === 'text' ? column : dialect.spell.asText(column)} = ${sql.lit(type)}`
    },
  ]
}

/** Uses only the first join row of each pair of owner and member. */
function joinRows(
  pivot: SqlTable,
  pair: JoinPair,
  dialect: SqlDialect,
): { readonly from: (alias: string) => RawBuilder<unknown>; readonly conditions: readonly SqlPart[] } {
  const isUnique = isUniquePair(pivot, pair)
  const hasIdentity = !pivot.live.isView && pivot.live.primaryKey.length + dialect.schema.rowIdentity.length > 0
  if (!isUnique && !hasIdentity) {
    return {
      from: (alias) => sql`${numberedPairs(pivot, pair)} as ${sql.id(alias)}`,
      conditions: [(at) => sql`${sql.id(pivotIn(at), pairNumber)} = 1`],
    }
  }
  const isFirst: SqlPart = (at) => isFirstOfPair({ table: pivot, pair, dialect }, pivotIn(at), at.fresh())
  return { from: (alias) => tableAs(pivot, alias), conditions: isUnique ? [] : [isFirst] }
}

export function tableAs(table: SqlTable, alias: string): RawBuilder<unknown> {
  return sql`${tableReference(table)} as ${sql.id(alias)}`
}

type StoredKey = readonly [column: SqlColumn, alias: string]

/** Returns a condition that two columns, or two composite keys, contain the same key, even if their types differ. */
export function sameKey(
  [one, oneAlias]: StoredKey,
  [other, otherAlias]: StoredKey,
  dialect: SqlDialect,
): RawBuilder<boolean> {
  const others = partsOf(other)
  const same = partsOf(one).map((part, index) =>
    sameColumn([part, oneAlias], [others[index] ?? other, otherAlias], dialect),
  )
  return sql<boolean>`${sql.join(same, sql` and `)}`
}

function sameColumn(
  [one, oneAlias]: StoredKey,
  [other, otherAlias]: StoredKey,
  dialect: SqlDialect,
): RawBuilder<boolean> {
  const [a, b] = [columnReference(one, oneAlias), columnReference(other, otherAlias)]
  const areNumbers = numericTypes.has(one.type) && numericTypes.has(other.type)
  if (areNumbers || one.type === other.type) return sql<boolean>`${a} = ${b}`
  return sql<boolean>`${dialect.spell.asText(a)} = ${dialect.spell.asText(b)}`
}

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

/** Numbers the rows of a table for each pair, if they have no key and no row id to compare, as those of a view. */
function numberedPairs(table: SqlTable, pair: JoinPair): RawBuilder<unknown> {
  const columns = sql.join(pair.map(({ name }) => sql.id(name)))
  return sql`(select *, row_number() over (partition by ${columns}) as ${sql.id(pairNumber)} from ${tableReference(table)})`
}

/** The column that {@link numberedPairs} adds. */
const pairNumber = 'ashlar_pair_number'
