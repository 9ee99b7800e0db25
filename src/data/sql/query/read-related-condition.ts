import type { RawBuilder } from 'kysely'
import { sql } from 'kysely'
import type { CompiledType } from '../../../resource/compiled-type.js'
import type { OrderStep } from '../../../resource/querying/row-order.js'
import type { RowCondition } from '../../../resource/querying/row-condition.js'
import type { RelationLink } from '../../../resource/relations/relation-link.js'
import { referenceColumn } from '../../../resource/relations/relation-link.js'
import type { SqlColumn } from '../schema/sql-table.js'
import { columnOf } from '../schema/sql-table.js'
import type { Reach } from './reach.js'
import { readReach, sameKey } from './reach.js'
import type { Aliases, RowsRead, SqlReading, SqlPart } from './sql-reading.js'
import { allOf, always, anyOf, existing, where } from './written-parts.js'

/** Where a relation starts, and how conditions on the rows that it leads to are read. */
export interface RelationStart {
  readonly rows: RowsRead
  readonly reading: SqlReading
  readonly sqlConditions: (conditions: readonly RowCondition[], rows: RowsRead, reading: SqlReading) => SqlPart
}

/** Whether a row that a relation leads to meets a condition; of several types, a row of any. */
export function readRelatedCondition(
  { relation, conditionsOf, condition, negated }: Extract<RowCondition, { kind: 'related' }>,
  { rows, reading, sqlConditions }: RelationStart,
): SqlPart {
  reading.shape.addKeyPart(negated ? 'none' : 'some')
  const found = relation.targets.map((target, position) => {
    const reach = readReach(relation, position, reading)
    const isThere = sqlConditions(conditionsOf.get(target.type) ?? [], reach, reading)
    const claims = { relation, reach, isThere, rows, reading }
    const matches = sqlConditions(condition === null ? [] : [condition], reach, reading)
    const isTheOne = relation.spec.traits.toMany ? always : firstByKey(claims)
    return someMember(claims, allOf([isThere, matches, isTheOne]))
  })
  const some = anyOf(found)
  return negated ? (at) => sql`not ${some(at)}` : some
}

interface Claims {
  readonly relation: RelationLink
  readonly reach: Reach
  /** What rows of this type must meet to be there. */
  readonly isThere: SqlPart
  /** Where the relation starts. */
  readonly rows: RowsRead
  readonly reading: SqlReading
}

function someMember({ reach, rows, reading }: Claims, condition: SqlPart): SqlPart {
  return (at) => {
    const inner = within(at, reach)
    const belongs = memberCondition(reach, { owner: at, rows, reading })
    return existing(sql`select 1 from ${reach.from(inner)}${where(belongs, condition)(inner)}`, reading)
  }
}

/** The names of tables one level further in. */
function within(at: Aliases, { pivot }: Reach): Aliases {
  return { row: at.fresh(), pivot: pivot === null ? null : at.fresh(), fresh: at.fresh }
}

interface Correlation {
  readonly owner: Aliases
  readonly rows: RowsRead
  readonly reading: SqlReading
}

/** What makes a row a member of the row around it. */
function memberCondition(reach: Reach, { owner, rows, reading }: Correlation): SqlPart {
  const own = columnOf(rows.table, reach.ownerColumn)
  const isLinked: SqlPart = (at) =>
    sameKey([reach.linkIn(at), reach.link.type], [sql.id(owner.row, own.name), own.type], reading.engine)
  const type = reach.ownerTypeColumn === null ? always : ownerSaysType(reach, reach.ownerTypeColumn, { owner, rows })
  return allOf([isLinked, ...reach.conditions, type])
}

function ownerSaysType(
  { type }: Reach,
  property: string,
  { owner, rows }: Pick<Correlation, 'owner' | 'rows'>,
): SqlPart {
  const { name } = columnOf(rows.table, property)
  return () => sql`cast(${sql.id(owner.row, name)} as text) = ${sql.lit(type.type)}`
}

/**
 * Several rows may claim to be the one of a to-one relation: the first by type and key is. Where the owner holds the key,
 * or only one row can hold the owner's, nobody else claims.
 */
function firstByKey({ relation, reach, isThere, reading }: Claims): SqlPart {
  if (relation.storage.kind === 'ownKey') return always
  const key = keyColumn(reach.type, reach)
  return (at) => {
    const inner = within(at, reach)
    const isRival: SqlPart = (rival) =>
      sameKey([reach.linkIn(rival), reach.link.type], [reach.linkIn(at), reach.link.type], reading.engine)
    const claiming = where(isRival, ...reach.conditions, isThere)(inner)
    const first = sql`select ${sql.id(inner.row, key.name)} from ${reach.from(inner)}${claiming} order by ${keyOrder(inner.row, key, reading)} limit 1`
    return sql`${sql.id(at.row, key.name)} = (${first})`
  }
}

function keyColumn(type: CompiledType, { table }: RowsRead): SqlColumn {
  return columnOf(table, referenceColumn(type))
}

function keyOrder(alias: string, { name, type }: SqlColumn, { engine }: SqlReading): RawBuilder<unknown> {
  const key = sql.id(alias, name)
  return engine === 'postgres' && type === 'text' ? sql`${key} collate "C"` : key
}

/** The row that a to-one relation leads to, and how its values are read as subqueries: null where there is no row. */
export interface ReachedOne {
  readonly reach: Reach
  readonly value: (of: SqlPart<unknown>) => SqlPart<unknown>
}

export function reachOne(
  { relation, condition }: OrderStep,
  { rows, reading, sqlConditions }: RelationStart,
): ReachedOne {
  const reach = readReach(relation, 0, reading)
  const isThere = sqlConditions(condition === null ? [] : [condition], reach, reading)
  const key = keyColumn(reach.type, reach)
  // A key leads to one row at most; a key that others hold may lead to several.
  const first = (alias: string): RawBuilder<unknown> =>
    relation.storage.kind === 'ownKey' ? sql`` : sql` order by ${keyOrder(alias, key, reading)} limit 1`
  return {
    reach,
    value: (of) => (at) => {
      const inner = within(at, reach)
      const belongs = memberCondition(reach, { owner: at, rows, reading })
      return sql`(select ${of(inner)} from ${reach.from(inner)}${where(belongs, isThere)(inner)}${first(inner.row)})`
    },
  }
}
