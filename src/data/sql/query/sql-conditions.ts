import type { RawBuilder } from 'kysely'
import { sql } from 'kysely'
import type {
  ComparisonOperator,
  QueryColumn,
  RowCondition,
  ScopeCondition,
} from '../../../resource/querying/row-condition.js'
import { isNull } from '../../../row-query/stored-value.js'
import { columnReference } from '../schema/column-reference.js'
import type { SqlColumn } from '../schema/sql-table.js'
import type { ComparedColumn } from './compared-column.js'
import { comparedColumn } from './compared-column.js'
import { readCustomFilter } from './custom-expressions.js'
import { boundList, listHasOneOf } from './list-values.js'
import { readRelatedCondition } from './read-related-condition.js'
import type { Aliases, RowsRead, SqlReading, SqlPart } from './sql-reading.js'
import { aliasOf, queriedColumn } from './sql-reading.js'
import { allOf, always, anyOf, bind } from './written-parts.js'

/**
 * Converts conditions to one that holds if all of them hold. Their number is part of the cache key, since the
 * conditions of related rows are followed by those of the outer rows.
 */
export function sqlConditions(conditions: readonly RowCondition[], rows: RowsRead, reading: SqlReading): SqlPart {
  reading.shape.addKeyPart(`conditions ${conditions.length}`)
  return allOf(conditions.map((condition) => readCondition(condition, rows, reading)))
}

function readCondition(condition: RowCondition, rows: RowsRead, reading: SqlReading): SqlPart {
  switch (condition.kind) {
    case 'compare': {
      const { column, operator, value } = condition
      return isNull(value) ? never(reading) : comparison(columnIn(column, rows, reading), operator, value)
    }
    case 'range': {
      const column = columnIn(condition.column, rows, reading)
      const bounds = [
        ...(isOpen(condition.min) ? [] : [comparison(column, '>=', condition.min)]),
        ...(isOpen(condition.max) ? [] : [comparison(column, '<=', condition.max)]),
      ]
      return allOf(bounds.length === 0 ? [nullity(column, true)] : bounds)
    }
    case 'in':
      return membership(columnIn(condition.column, rows, reading), condition.values, condition.negated)
    case 'null':
      return nullity(columnIn(condition.column, rows, reading), condition.negated)
    case 'related':
      return readRelatedCondition(condition, { rows, reading, sqlConditions })
    case 'all':
    case 'any':
      return group(condition, rows, reading)
    case 'custom':
      return readCustomFilter(condition, rows, reading)
    case 'scope':
      return sqlScope(condition, rows, reading)
  }
}

/** Converts the condition that a scope has in this request, and records which parameter values belong to it. */
export function sqlScope(scope: ScopeCondition, rows: RowsRead, reading: SqlReading): SqlPart {
  const { shape, scopes, context } = reading
  const start = shape.values.length
  const condition = scope.conditionIn(context)
  shape.addKeyPart(condition === null ? 'no scope' : 'scope')
  const part = condition === null ? always : readCondition(condition, rows, reading)
  scopes.push({ scope, rows, start, end: shape.values.length })
  return part
}

function group(
  { kind, conditions }: Extract<RowCondition, { kind: 'all' | 'any' }>,
  rows: RowsRead,
  reading: SqlReading,
): SqlPart {
  reading.shape.addKeyPart(`${kind} ${conditions.length}`)
  const members = conditions.map((condition) => readCondition(condition, rows, reading))
  return kind === 'all' ? allOf(members) : anyOf(members)
}

function never({ shape }: SqlReading): SqlPart {
  shape.addKeyPart('never')
  return anyOf([])
}

/** The column of a condition, with its table column and how it is compared. */
interface ConditionColumn {
  readonly column: SqlColumn
  readonly compared: ComparedColumn
  readonly reading: SqlReading
  readonly reference: (at: Aliases) => RawBuilder<unknown>
}

function columnIn(queried: QueryColumn, rows: RowsRead, reading: SqlReading): ConditionColumn {
  const column = queriedColumn(queried, rows)
  const compared = comparedColumn(column, queried, reading.engine)
  reading.shape.addKeyPart(`${queried.of} ${compared.name}`)
  return { column, compared, reading, reference: (at) => columnReference(column, aliasOf(queried, at)) }
}

function nullity({ reference, reading }: ConditionColumn, negated: boolean): SqlPart {
  reading.shape.addKeyPart(negated ? 'is not null' : 'is null')
  return (at) => (negated ? sql`${reference(at)} is not null` : sql`${reference(at)} is null`)
}

/** A value that no row can have differs from every value that is not null. */
function comparison(conditionColumn: ConditionColumn, operator: ComparisonOperator, value: unknown): SqlPart {
  const { compared, reading, reference } = conditionColumn
  if (operator === '=' || operator === '!=') {
    if (compared.as === 'json') return membership(conditionColumn, [value], operator === '!=')
    const operand = compared.operand(value)
    if (operand === null) return operator === '=' ? never(reading) : nullity(conditionColumn, true)
    const bound = bind(operand, reading)
    reading.shape.addKeyPart(operator)
    const equal: SqlPart = (at) => sql`${compared.read(reference(at), operand.fine)} = ${bound()}`
    return operator === '=' ? equal : differing(conditionColumn, equal)
  }
  if (isTextOperator(operator)) return textComparison(conditionColumn, operator, value)
  const operand = compared.as === 'json' ? null : compared.operand(value)
  if (operand === null) return never(reading)
  const bound = bind(operand, reading)
  reading.shape.addKeyPart(operator)
  return (at) => sql`${compared.inOrder(reference(at), operand.fine)} ${sql.raw(operator)} ${bound()}`
}

type TextOperator = Extract<ComparisonOperator, 'like' | 'starts' | 'ends'>

function isTextOperator(operator: ComparisonOperator): operator is TextOperator {
  return operator === 'like' || operator === 'starts' || operator === 'ends'
}

/** Compares text only. ASCII letters match in both cases, as on SQLite, and on PostgreSQL with the collation "C". */
function textComparison(conditionColumn: ConditionColumn, operator: TextOperator, value: unknown): SqlPart {
  const { column, compared, reading, reference } = conditionColumn
  if (typeof value !== 'string' || compared.as !== 'text') return never(reading)
  const escaped = value.replaceAll(/[\\%_]/g, '\\$&')
  const pattern = `${operator === 'starts' ? '' : '%'}${escaped}${operator === 'ends' ? '' : '%'}`
  const slot = reading.shape.bind(pattern)
  reading.shape.addKeyPart('like')
  const text = (at: Aliases): RawBuilder<unknown> =>
    column.type === 'uuid' ? sql`cast(${reference(at)} as text)` : compared.read(reference(at), false)
  return reading.engine === 'postgres'
    ? (at) => sql`${text(at)} collate "C" ilike ${slot}::text escape '\\'`
    : (at) => sql`${text(at)} like ${slot} escape '\\'`
}

/** Binds the values as one list, so that the text does not depend on their number. */
function membership(conditionColumn: ConditionColumn, values: readonly unknown[], negated: boolean): SqlPart {
  const { compared, reading, reference } = conditionColumn
  const found = values.flatMap((value) => (isNull(value) ? [] : (compared.operand(value) ?? [])))
  const [first] = found
  if (first === undefined) return negated ? nullity(conditionColumn, true) : never(reading)
  reading.shape.addKeyPart(negated ? 'not in' : 'in')
  if (compared.as === 'json') return listHasOneOf(conditionColumn, found, negated)
  const types = new Set(found.map(({ type, fine }) => `${type} ${fine}`))
  const lists = [...types].map((type) => {
    const ofType = found.filter((each) => `${each.type} ${each.fine}` === type)
    const list = boundList(ofType, reading)
    const fine = ofType[0]?.fine ?? false
    return (at: Aliases): RawBuilder<boolean> => list.contains(compared.read(reference(at), fine))
  })
  return negated ? differing(conditionColumn, anyOf(lists)) : anyOf(lists)
}

/** A value that cannot be compared differs from every value; null differs from none. */
function differing({ compared, reference }: ConditionColumn, equal: SqlPart): SqlPart {
  if (compared.isDirect) return (at) => sql`not (${equal(at)})`
  return (at) => sql`(${reference(at)} is not null and coalesce(not (${equal(at)}), 1 = 1))`
}

function isOpen(bound: unknown): boolean {
  return bound === null || bound === undefined
}
