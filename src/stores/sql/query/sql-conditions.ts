import type { RawBuilder } from 'kysely'
import { sql } from 'kysely'
import type { RowFlag } from '../../../declare/resource/capabilities/provider.js'
import type { CompiledType } from '../../../declare/resource/compiled/compiled-type.js'
import type {
  ComparisonOperator,
  QueryColumn,
  RowCondition,
  ScopeCondition,
} from '../../../declare/resource/querying/row-condition.js'
import type { OrderStep } from '../../../declare/resource/querying/row-order.js'
import type { RelationLink } from '../../../declare/resource/compiled/relation-link.js'
import { referenceColumn } from '../../../declare/resource/compiled/relation-link.js'
import { isNull } from '../../row-query/stored-value.js'
import type { Operand } from '../dialect/operand.js'
import type { SqlColumn } from '../schema/sql-table.js'
import { columnOf, columnReference, partsOf } from '../schema/sql-table.js'
import { areEqual } from '../statement/row-value.js'
import type { ComparedColumn } from './compared-column.js'
import { comparedColumn } from './compared-column.js'
import { readCustom } from './custom-expressions.js'
import { searchRules, sqlSearch } from './sql-search.js'
import type { RelatedSource } from './related-source.js'
import { linkAlias, relatedSource, sameKey } from './related-source.js'
import { areAboutShared, sharedColumns } from './shared-columns.js'
import type { Aliases, RowsRead, Selected, SqlPart, StatementBuild } from './statement-build.js'
import {
  aliasOf,
  allOf,
  always,
  anyOf,
  bind,
  boundList,
  isNumberText,
  queriedColumn,
  where,
} from './statement-build.js'

/**
 * Converts conditions to one that holds if all of them hold. Their number is part of the cache key, since the
 * conditions of related rows are followed by those of the outer rows.
 */
export function sqlConditions(conditions: readonly RowCondition[], rows: RowsRead, build: StatementBuild): SqlPart {
  build.shape.addKeyPart(`conditions ${conditions.length}`)
  return allOf(conditions.map((condition) => readCondition(condition, rows, build)))
}

function readCondition(condition: RowCondition, rows: RowsRead, build: StatementBuild): SqlPart {
  switch (condition.kind) {
    case 'compare': {
      const { column, operator, value } = condition
      return isNull(value) ? never(build) : comparison(columnIn(column, rows, build), operator, value)
    }
    case 'range': {
      const column = columnIn(condition.column, rows, build)
      const bounds = [
        ...(isOpen(condition.min) ? [] : [comparison(column, '>=', condition.min)]),
        ...(isOpen(condition.max) ? [] : [comparison(column, '<=', condition.max)]),
      ]
      return allOf(bounds.length === 0 ? [nullity(column, true)] : bounds)
    }
    case 'in':
      return membership(columnIn(condition.column, rows, build), condition.values, condition.negated)
    case 'null':
      return nullity(columnIn(condition.column, rows, build), condition.negated)
    case 'related':
      return readRelatedCondition(condition, rows, build)
    case 'all':
    case 'any':
      build.shape.addKeyPart(`${condition.kind} ${condition.conditions.length}`)
      return (condition.kind === 'all' ? allOf : anyOf)(
        condition.conditions.map((each) => readCondition(each, rows, build)),
      )
    case 'search': {
      const matches = searchRules(build.dialect).matches(sqlSearch(condition, rows), build.shape)
      return (at) => sql<boolean>`${matches(at.row)}`
    }
    case 'not': {
      build.shape.addKeyPart('not')
      const part = readCondition(condition.condition, rows, build)
      return (at) => sql<boolean>`(${part(at)}) is not true`
    }
    case 'custom':
      return readCustom({ kind: 'filter', apply: condition.custom.apply, value: condition.value }, rows, build)
    case 'scope':
      return sqlScope(condition, rows, build)
  }
}

/** Converts the condition that a scope has in this request, and records which parameter values belong to it. */
export function sqlScope(scope: ScopeCondition, rows: RowsRead, build: StatementBuild): SqlPart {
  const { shape, scopes, context } = build
  const start = shape.values.length
  const condition = scope.conditionIn(context)
  shape.addKeyPart(condition === null ? 'no scope' : 'scope')
  const part = condition === null ? always : readCondition(condition, rows, build)
  scopes.push({ scope, rows, start, end: shape.values.length })
  return part
}

function never({ shape }: StatementBuild): SqlPart {
  shape.addKeyPart('never')
  return anyOf([])
}

/** The column of a condition, with its table column and how it is compared. */
interface ConditionColumn {
  readonly column: SqlColumn
  readonly compared: ComparedColumn
  readonly build: StatementBuild
  readonly reference: (at: Aliases) => RawBuilder<unknown>
}

function columnIn(queried: QueryColumn, rows: RowsRead, build: StatementBuild): ConditionColumn {
  const column = queriedColumn(queried, rows)
  const compared = comparedColumn(column, queried, build.dialect)
  build.shape.addKeyPart(`${queried.of} ${compared.name}`)
  return { column, compared, build, reference: (at) => columnReference(column, aliasOf(queried, at)) }
}

function nullity(
  { column, reference, build }: Pick<ConditionColumn, 'column' | 'reference' | 'build'>,
  negated: boolean,
): SqlPart {
  build.shape.addKeyPart(negated ? 'is not null' : 'is null')
  // A composite key is null if one of its columns is. The engines have other rules for row values.
  if (column.parts !== undefined) {
    const isSame = (at: Aliases): RawBuilder<unknown> => areEqual(reference(at), reference(at), build.dialect.can)
    return (at) => (negated ? sql`coalesce(${isSame(at)}, 1 = 0)` : sql`not coalesce(${isSame(at)}, 1 = 0)`)
  }
  return (at) => (negated ? sql`${reference(at)} is not null` : sql`${reference(at)} is null`)
}

/** A value that no row can have differs from every value that is not null. */
function comparison(conditionColumn: ConditionColumn, operator: ComparisonOperator, value: unknown): SqlPart {
  const { column, compared, build, reference } = conditionColumn
  if (operator === '=' || operator === '!=') {
    if (compared.as === 'json') return membership(conditionColumn, [value], operator === '!=')
    const operand = compared.operand(value)
    if (operand === null) {
      return operator === '=' || compared.isAsStored ? never(build) : nullity(conditionColumn, true)
    }
    const bound = bind(operand, build)
    build.shape.addKeyPart(operator)
    const equal: SqlPart = (at) => equalTo(conditionColumn, compared.read(reference(at), operand.fine), bound())
    return operator === '=' ? equal : differing(conditionColumn, equal)
  }
  if (isTextOperator(operator)) return textComparison(conditionColumn, operator, value)
  const operand = compared.as === 'json' ? null : compared.operand(value, true)
  if (operand === null) return never(build)
  const bound = bind(operand, build)
  build.shape.addKeyPart(operator)
  // A value within the same millisecond equals the shown one.
  const { finer } = build.dialect.spell
  const isToEnd = compared.shownDigits === 'milliseconds' && (operator === '<=' || operator === '>')
  const isDouble = compared.shownDigits === 'double' && !isExactBound(column, operand)
  if (isDouble) build.shape.addKeyPart('as doubles')
  return (at) => {
    const limit = isToEnd && finer !== null ? finer.endOfMillisecond(bound()) : bound()
    const stored = compared.inOrder(reference(at), operand.fine)
    return isDouble && finer !== null
      ? sql`${finer.asDouble(stored)} ${sql.raw(operator)} ${finer.asDouble(limit)}`
      : sql`${stored} ${sql.raw(operator)} ${limit}`
  }
}

/** Returns whether no whole number is rounded to this bound, so that an index can be used. */
function isExactBound({ type }: SqlColumn, { value }: Operand): boolean {
  return type === 'bigint' && Math.abs(Number(value)) < 2 ** 53
}

/** Compares the digits that are shown for equality: the database may store more of them. */
function equalTo(
  { compared: { shownDigits }, build: { dialect } }: ConditionColumn,
  stored: RawBuilder<unknown>,
  value: RawBuilder<unknown>,
): RawBuilder<boolean> {
  const { finer } = dialect.spell
  if (shownDigits === null || finer === null) return areEqual(stored, value, dialect.can)
  switch (shownDigits) {
    case 'milliseconds':
      return sql<boolean>`${stored} between ${value} and ${finer.endOfMillisecond(value)}`
    case 'double':
      return sql<boolean>`${finer.asDouble(stored)} = ${finer.asDouble(value)}`
  }
}

type TextOperator = Extract<ComparisonOperator, 'like' | 'starts' | 'ends'>

function isTextOperator(operator: ComparisonOperator): operator is TextOperator {
  return operator === 'like' || operator === 'starts' || operator === 'ends'
}

/** Compares text only. ASCII letters match in both cases. */
function textComparison(conditionColumn: ConditionColumn, operator: TextOperator, value: unknown): SqlPart {
  const { column, compared, build, reference } = conditionColumn
  if (typeof value !== 'string' || compared.as !== 'text') return never(build)
  const matches = build.dialect.spell.textSearch({ operator, value }, build.shape)
  return (at) =>
    matches(column.type === 'uuid' ? build.dialect.spell.asText(reference(at)) : compared.read(reference(at), false))
}

/** Binds the values as one list, so that the text does not depend on their number. */
function membership(conditionColumn: ConditionColumn, values: readonly unknown[], negated: boolean): SqlPart {
  const { compared, build, reference } = conditionColumn
  const found = values.flatMap((value) => (isNull(value) ? [] : (compared.operand(value) ?? [])))
  const [first] = found
  // A rule is not met if one of its values cannot be compared: the value may be the stored one.
  if (compared.isAsStored && negated && found.length < values.length) return never(build)
  if (first === undefined) return negated ? nullity(conditionColumn, true) : never(build)
  build.shape.addKeyPart(negated ? 'not in' : 'in')
  if (compared.as === 'json') return listHasOneOf(conditionColumn, found, negated)
  const types = new Set(found.map(({ type, fine }) => `${type} ${fine}`))
  const lists = [...types].map((type) => {
    const ofType = found.filter((each) => `${each.type} ${each.fine}` === type)
    const list = boundList(ofType, build)
    const fine = ofType[0]?.fine ?? false
    build.shape.addKeyPart(`fine ${fine}`)
    return (at: Aliases): RawBuilder<boolean> => {
      const stored = compared.read(reference(at), fine)
      return compared.shownDigits === null
        ? list.contains(stored)
        : list.containsEqual((value) => equalTo(conditionColumn, stored, value))
    }
  })
  if (!negated) return anyOf(lists)
  const differs = differing(conditionColumn, anyOf(lists))
  // A search of the list finds nothing for null, and is no null itself.
  return compared.shownDigits === null ? differs : allOf([nullity(conditionColumn, true), differs])
}

/**
 * Returns a condition that one member of a list column is one of the values. Numbers in arrays are compared by size,
 * all others as text.
 */
function listHasOneOf(
  { column: { type, items }, compared: { isRounded }, build, reference }: ConditionColumn,
  found: readonly Operand[],
  negated: boolean,
): SqlPart {
  const { lists, spell } = build.dialect
  const values = found.map(({ value }) => value)
  if (lists.overlaps !== null && type === 'list') {
    const overlaps = lists.overlaps({ items, isRounded, values }, build.shape)
    if (!negated) return (at) => sql<boolean>`${overlaps(reference(at))}`
    return (at) => sql<boolean>`(${reference(at)} is not null and not (${overlaps(reference(at))}))`
  }
  const isOneOf = memberTest(values, build)
  return (at) => {
    const member = at.fresh()
    const has = spell.exists(sql`select 1 from ${lists.members(reference(at), member)} where ${isOneOf(member)}`)
    return negated ? sql<boolean>`(${reference(at)} is not null and not ${has})` : has
  }
}

/** Returns a condition that a member of a JSON list is one of the values: by text, and numbers by size. */
function memberTest(values: readonly unknown[], build: StatementBuild): (alias: string) => RawBuilder<boolean> {
  const { lists } = build.dialect
  const texts = boundList(
    values.map((value) => ({ value, type: 'text' })),
    build,
  )
  const numberTexts = values.filter(isNumberText)
  build.shape.addKeyPart(`numbers ${numberTexts.length > 0}`)
  if (numberTexts.length === 0) return (alias) => texts.contains(lists.memberText(alias))
  const numbers = boundList(
    numberTexts.map((text) => ({ value: lists.number(text), type: 'float8' })),
    build,
  )
  return (alias) =>
    sql<boolean>`(${texts.contains(lists.memberText(alias))} or ${numbers.contains(lists.memberNumber(alias))})`
}

/** A value that cannot be compared differs from every value, except in rules; null differs from none. */
function differing({ compared, reference }: ConditionColumn, equal: SqlPart): SqlPart {
  if (compared.isDirect || compared.isAsStored) return (at) => sql`not (${equal(at)})`
  return (at) => sql`(${reference(at)} is not null and coalesce(not (${equal(at)}), 1 = 1))`
}

function isOpen(bound: unknown): boolean {
  return bound === null || bound === undefined
}

/** Converts flags to expressions to select. */
export function selectedFlags(flags: readonly RowFlag[], rows: RowsRead, build: StatementBuild): readonly Selected[] {
  if (flags.length === 0) return []
  build.shape.addKeyPart(`flags ${flags.length}`)
  const selected = { ...build, isSelected: true }
  return flags.map(({ condition }) => ({ name: null, expression: sqlConditions([condition], rows, selected) }))
}

/** Returns a condition that a member of a relation, of any of its types, meets a condition. */
function readRelatedCondition(
  { relation, conditionsOf, condition, negated }: Extract<RowCondition, { kind: 'related' }>,
  rows: RowsRead,
  build: StatementBuild,
): SqlPart {
  const { dialect, shape, isSelected } = build
  shape.addKeyPart(negated ? 'none' : 'some')
  const exists = isSelected && relation.storage.kind === 'ownKey' ? dialect.spell.existsByKey : dialect.spell.exists
  const found = relation.targets.map((target, position) => {
    const source = relatedSource(relation, position, build)
    const conditions = conditionsOf.get(target.type) ?? []
    const isVisible = sqlConditions(conditions, source, build)
    if (condition === null && isShownByOwner(relation, { source, conditions }, rows, build)) {
      shape.addKeyPart('by owner')
      const key = columnOf(rows.table, source.ownerColumn)
      const reference = (at: Aliases): RawBuilder<unknown> => columnReference(key, at.row)
      return allOf([isVisible, nullity({ column: key, reference, build }, true)])
    }
    const matches = sqlConditions(condition === null ? [] : [condition], source, build)
    const isMember = relation.spec.traits.toMany
      ? always
      : firstByKey(relation, source, { condition: isVisible, build })
    const membersIn = memberQuery(source, { rows, build, condition: allOf([isVisible, matches, isMember]) })
    return (at: Aliases) => exists(membersIn(at, () => sql`1`))
  })
  const some = anyOf(found)
  return negated ? (at) => sql`not ${some(at)}` : some
}

interface RelatedConditions {
  readonly source: RelatedSource
  readonly conditions: readonly RowCondition[]
}

/**
 * Fast path for related rows whose visibility the referring row shows itself, because a foreign key contains all columns that decide it.
 * The conditions are then written for the row itself, whose columns have the same names.
 */
function isShownByOwner(
  { storage, targets }: RelationLink,
  { source, conditions }: RelatedConditions,
  { table, pivot }: RowsRead,
  { context }: StatementBuild,
): boolean {
  if (storage.kind !== 'ownKey' || targets.length > 1 || pivot !== null || source.type.objectType !== null) return false
  return areAboutShared(conditions, sharedColumns(source, table), context)
}

interface MemberSearch {
  /** The rows from which the relation starts. */
  readonly rows: RowsRead
  /** The condition that members must meet. */
  readonly condition: SqlPart
  readonly build: StatementBuild
}

type MemberQuery = (at: Aliases, selected: SqlPart<unknown>, order?: SqlPart<unknown>) => RawBuilder<unknown>

/** Returns a subquery that selects an expression of the members of a row of the outer query. */
function memberQuery(source: RelatedSource, { rows, condition, build }: MemberSearch): MemberQuery {
  const { link, ownerColumn, ownerTypeColumn, conditions, type } = source
  return (at, selected, order = () => sql``) => {
    const inner = innerAliases(at, source)
    const owner = columnOf(rows.table, ownerColumn)
    const isLinked: SqlPart = () => sameKey([link, linkAlias(inner)], [owner, at.row], build.dialect)
    const ownerType = ownerTypeColumn === null ? null : sql.id(at.row, columnOf(rows.table, ownerTypeColumn).name)
    const isOfType: SqlPart =
      ownerType === null ? always : () => sql`${build.dialect.spell.asText(ownerType)} = ${sql.lit(type.storedType)}`
    const belongs = allOf([isLinked, ...conditions, isOfType])
    return sql`select ${selected(inner)} from ${source.from(inner)}${where(belongs, condition)(inner)}${order(inner)}`
  }
}

/** Returns the aliases of a subquery. */
function innerAliases(at: Aliases, { pivot }: RelatedSource): Aliases {
  return { row: at.fresh(), pivot: pivot === null ? null : at.fresh(), fresh: at.fresh }
}

/**
 * Returns the condition for the member of a to-one relation, if several rows refer to the owner: the first one by key of those that meet
 * a condition. If the owner has the foreign key, there is only one row.
 */
function firstByKey(
  { storage }: RelationLink,
  source: RelatedSource,
  { condition, build }: Omit<MemberSearch, 'rows'>,
): SqlPart {
  if (storage.kind === 'ownKey') return always
  const key = keyColumn(source.type, source)
  return (at) => {
    const inner = innerAliases(at, source)
    const isRival: SqlPart = (rival) =>
      sameKey([source.link, linkAlias(rival)], [source.link, linkAlias(at)], build.dialect)
    const rivals = where(isRival, ...source.conditions, condition)(inner)
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

export function relatedRow({ relation, condition }: OrderStep, rows: RowsRead, build: StatementBuild): RelatedRow {
  const source = relatedSource(relation, 0, build)
  const isVisible = sqlConditions(condition === null ? [] : [condition], source, build)
  const key = keyColumn(source.type, source)
  // A foreign key of the owner refers to at most one row; several rows may have a foreign key to the owner.
  const order: SqlPart<unknown> = ({ row }) =>
    relation.storage.kind === 'ownKey' ? sql`` : sql` order by ${keyOrder(row, key, build)} limit 1`
  const membersIn = memberQuery(source, { rows, condition: isVisible, build })
  return { source, value: (of) => (at) => sql`(${membersIn(at, of, order)})` }
}
