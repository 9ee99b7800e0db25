import type { RawBuilder } from 'kysely'
import { sql } from 'kysely'
import type { CompiledType } from '../../../resource/compiled-type.js'
import type { RowCondition } from '../../../resource/querying/row-condition.js'
import type { OrderStep } from '../../../resource/querying/row-order.js'
import type { RelationLink } from '../../../resource/relations/relation-link.js'
import { referenceColumn } from '../../../resource/relations/relation-link.js'
import type { SqlColumn } from '../schema/sql-table.js'
import { columnOf, partsOf } from '../schema/sql-table.js'
import type { RelatedSource } from './related-source.js'
import { relatedSource, sameKey } from './related-source.js'
import { allOf, always, anyOf, where } from './sql-parts.js'
import type { Aliases, RowsRead, SqlPart, StatementBuild } from './statement-build.js'

/** The rows from which a relation starts, and the function that converts conditions on its members. */
export interface RelationStart {
  readonly rows: RowsRead
  readonly build: StatementBuild
  readonly sqlConditions: (conditions: readonly RowCondition[], rows: RowsRead, build: StatementBuild) => SqlPart
}

/** Returns a condition that a member of a relation, of any of its types, meets a condition. */
export function readRelatedCondition(
  { relation, conditionsOf, condition, negated }: Extract<RowCondition, { kind: 'related' }>,
  { rows, build, sqlConditions }: RelationStart,
): SqlPart {
  build.shape.addKeyPart(negated ? 'none' : 'some')
  const found = relation.targets.map((target, position) => {
    const source = relatedSource(relation, position, build)
    const isVisible = sqlConditions(conditionsOf.get(target.type) ?? [], source, build)
    const search = { relation, source, isVisible, rows, build }
    const matches = sqlConditions(condition === null ? [] : [condition], source, build)
    const isMember = relation.spec.traits.toMany ? always : firstByKey(search)
    return someMember(search, allOf([isVisible, matches, isMember]))
  })
  const some = anyOf(found)
  return negated ? (at) => sql`not ${some(at)}` : some
}

interface MemberSearch {
  readonly relation: RelationLink
  readonly source: RelatedSource
  /** The condition that rows of this type must meet to be visible. */
  readonly isVisible: SqlPart
  /** The rows from which the relation starts. */
  readonly rows: RowsRead
  readonly build: StatementBuild
}

function someMember({ source, rows, build }: MemberSearch, condition: SqlPart): SqlPart {
  return (at) => {
    const inner = innerAliases(at, source)
    const belongs = memberCondition(source, { owner: at, rows, build })
    return build.dialect.spell.exists(sql`select 1 from ${source.from(inner)}${where(belongs, condition)(inner)}`)
  }
}

/** Returns the aliases of a subquery. */
function innerAliases(at: Aliases, { pivot }: RelatedSource): Aliases {
  return { row: at.fresh(), pivot: pivot === null ? null : at.fresh(), fresh: at.fresh }
}

interface Correlation {
  readonly owner: Aliases
  readonly rows: RowsRead
  readonly build: StatementBuild
}

/** Returns the condition that makes a row a member of a row of the outer query. */
function memberCondition(source: RelatedSource, { owner, rows, build }: Correlation): SqlPart {
  const ownerColumn = columnOf(rows.table, source.ownerColumn)
  const isLinked: SqlPart = (at) =>
    sameKey([source.link, source.linkAlias(at)], [ownerColumn, owner.row], build.dialect)
  const type = source.ownerTypeColumn === null ? always : ownerHasType(source, source.ownerTypeColumn, { owner, rows })
  return allOf([isLinked, ...source.conditions, type])
}

function ownerHasType(
  { type }: RelatedSource,
  property: string,
  { owner, rows }: Pick<Correlation, 'owner' | 'rows'>,
): SqlPart {
  const { name } = columnOf(rows.table, property)
  return () => sql`cast(${sql.id(owner.row, name)} as text) = ${sql.lit(type.storedType)}`
}

/**
 * Returns the condition for the member of a to-one relation, if several rows refer to the owner: the first one by key.
 * If the owner has the foreign key, there is only one row.
 */
function firstByKey({ relation, source, isVisible, build }: MemberSearch): SqlPart {
  if (relation.storage.kind === 'ownKey') return always
  const key = keyColumn(source.type, source)
  return (at) => {
    const inner = innerAliases(at, source)
    const isRival: SqlPart = (rival) =>
      sameKey([source.link, source.linkAlias(rival)], [source.link, source.linkAlias(at)], build.dialect)
    const rivals = where(isRival, ...source.conditions, isVisible)(inner)
    const names = partsOf(key).map(({ name }) => name)
    const order = keyOrder(inner.row, key, build)
    const first = sql`select ${sql.join(names.map((name) => sql.id(inner.row, name)))} from ${source.from(inner)}${rivals} order by ${order} limit 1`
    if (names.length === 1 || build.dialect.can.compareRows !== 'never') {
      return sql`(${sql.join(names.map((name) => sql.id(at.row, name)))}) = (${first})`
    }
    const found = at.fresh()
    const same = names.map((name) => sql`${sql.id(found, name)} = ${sql.id(at.row, name)}`)
    return sql`exists (select 1 from (${first}) as ${sql.id(found)} where ${sql.join(same, sql` and `)})`
  }
}

function keyColumn(type: CompiledType, { table }: RowsRead): SqlColumn {
  return columnOf(table, referenceColumn(type))
}

function keyOrder(alias: string, key: SqlColumn, { dialect }: StatementBuild): RawBuilder<unknown> {
  return sql.join(partsOf(key).map(({ name, type }) => dialect.spell.keyInOrder(sql.id(alias, name), type)))
}

/**
 * The member of a to-one relation. `value` reads an expression of it as a subquery: null if there is no row.
 */
export interface RelatedRow {
  readonly source: RelatedSource
  readonly value: (of: SqlPart<unknown>) => SqlPart<unknown>
}

export function relatedRow(
  { relation, condition }: OrderStep,
  { rows, build, sqlConditions }: RelationStart,
): RelatedRow {
  const source = relatedSource(relation, 0, build)
  const isVisible = sqlConditions(condition === null ? [] : [condition], source, build)
  const key = keyColumn(source.type, source)
  // A foreign key of the owner refers to at most one row; several rows may have a foreign key to the owner.
  const first = (alias: string): RawBuilder<unknown> =>
    relation.storage.kind === 'ownKey' ? sql`` : sql` order by ${keyOrder(alias, key, build)} limit 1`
  return {
    source,
    value: (of) => (at) => {
      const inner = innerAliases(at, source)
      const belongs = memberCondition(source, { owner: at, rows, build })
      return sql`(select ${of(inner)} from ${source.from(inner)}${where(belongs, isVisible)(inner)}${first(inner.row)})`
    },
  }
}
