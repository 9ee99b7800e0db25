import type { ColumnValues } from '../../declare/resource/capabilities/persister.js'
import type { ServedType } from '../../declare/resource/capabilities/served-type.js'
import { parentColumns } from '../../declare/resource/compiled/relation-link.js'
import { isComposite, keyColumns } from '../../declare/resource/parts/key-columns.js'
import type { QueryColumn, RowCondition } from '../../declare/resource/querying/row-condition.js'
import type { RequestContext } from '../../declare/resource/request/request-context.js'

/*
 * What is known of a condition without asking the store: whether a row certainly meets it, and which columns and rows decide that.
 */

type Values = Readonly<Record<string, unknown>>

/**
 * Returns whether a row with these values meets a condition in every store, with any collation and any types. Fast path for
 * rows that a write stores: if it is true, the store need not be queried. False means only that the store has to decide,
 * for example because a column is missing here.
 */
export function certainlyMeets(condition: RowCondition, row: Values): boolean {
  switch (condition.kind) {
    case 'compare': {
      const value = valueIn(condition.column, row)
      if (condition.operator === '=') return isSame(value, condition.value, condition.column)
      return hasOrder(condition.column) && compares(value, condition.operator, condition.value)
    }
    case 'range': {
      const value = valueIn(condition.column, row)
      const { min, max } = condition
      if (!hasOrder(condition.column) || !isNumber(value)) return false
      return (min === null || compares(value, '>=', min)) && (max === null || compares(value, '<=', max))
    }
    case 'in': {
      if (condition.negated) return false
      const value = valueIn(condition.column, row)
      return condition.values.some((each) => isSame(value, each, condition.column))
    }
    case 'null': {
      const value = valueIn(condition.column, row)
      return value !== undefined && (value === null) !== condition.negated
    }
    case 'all':
      return condition.conditions.every((each) => certainlyMeets(each, row))
    case 'any':
      return condition.conditions.some((each) => certainlyMeets(each, row))
    default:
      return false
  }
}

/**
 * Returns whether a row with these values certainly does not meet a condition, in any store. False means only that the store has to
 * decide, unless `certainlyMeets()` is true.
 */
export function certainlyFails(condition: RowCondition, row: Values): boolean {
  switch (condition.kind) {
    case 'compare': {
      const value = valueIn(condition.column, row)
      if (value === null) return true
      if (condition.operator === '=') return isOther(value, condition.value, condition.column)
      if (!hasOrder(condition.column) || !isNumber(value) || !isNumber(condition.value)) return false
      return isOrder(condition.operator) && !compares(value, condition.operator, condition.value)
    }
    case 'in': {
      const value = valueIn(condition.column, row)
      if (value === null) return true
      return !condition.negated && condition.values.every((each) => isOther(value, each, condition.column))
    }
    case 'null': {
      const value = valueIn(condition.column, row)
      return value !== undefined && (value === null) === condition.negated
    }
    case 'all':
      return condition.conditions.some((each) => certainlyFails(each, row))
    case 'any':
      return condition.conditions.every((each) => certainlyFails(each, row))
    default:
      return false
  }
}

/** Returns `undefined` if the value is not known. */
function valueIn({ of, name }: QueryColumn, row: Values): unknown {
  return of === 'row' && !isComposite(name) && Object.hasOwn(row, name) ? row[name] : undefined
}

/**
 * Returns whether the column certainly has an order of numbers. For a rule, only the store knows the type of a column
 * without an attribute of numbers: it may hold texts.
 */
function hasOrder({ asStored }: QueryColumn): boolean {
  return asStored === undefined || asStored === 'number'
}

/**
 * Keys are compared as the texts that ids are made of, and a number in a rule equals its digits. Moments are never certainly the
 * same: a column may have days or whole seconds only.
 */
function isSame(value: unknown, wanted: unknown, { isKey, asStored }: QueryColumn): boolean {
  if (value === null || value === undefined || !hasClass(value, asStored)) return false
  if (isKey && typeof value === 'number' && typeof wanted === 'string') return String(value) === wanted
  if (typeof value === 'number' && !Number.isSafeInteger(value)) return false
  if (asStored !== undefined && typeof value === 'number' && typeof wanted === 'string') return String(value) === wanted
  return typeof value !== 'object' && value === wanted
}

/**
 * Returns whether a rule certainly compares a value with an equal one. Only the store knows whether it does if the value
 * is not of the class of the attributes: it compares no booleans with texts.
 */
function hasClass(value: unknown, asStored: QueryColumn['asStored']): boolean {
  if (asStored === undefined) return true
  switch (typeof value) {
    case 'boolean':
      return asStored === 'boolean'
    case 'string':
      return asStored === 'text'
    default:
      return asStored !== 'boolean'
  }
}

/** Whole numbers and booleans differ in every store if they differ here. Texts may be equal in a collation. */
function isOther(value: unknown, wanted: unknown, { isKey }: QueryColumn): boolean {
  if (isKey && isNumber(value) && typeof wanted === 'string') return String(value) !== wanted
  if (typeof value === 'boolean' && typeof wanted === 'boolean') return value !== wanted
  return isNumber(value) && isNumber(wanted) && value !== wanted
}

/** Whole numbers are stored unchanged. A column may round other numbers. */
function isNumber(value: unknown): value is number {
  return Number.isSafeInteger(value)
}

function isOrder(operator: string): boolean {
  return ['>', '>=', '<', '<='].includes(operator)
}

function compares(value: unknown, operator: string, wanted: unknown): boolean {
  if (!isNumber(value) || !isNumber(wanted)) return false
  switch (operator) {
    case '>':
      return value > wanted
    case '>=':
      return value >= wanted
    case '<':
      return value < wanted
    case '<=':
      return value <= wanted
    default:
      return false
  }
}

/**
 * Returns the columns of a row that decide whether it is in a scope. Returns `null` if other rows or a user-defined condition
 * decide too.
 */
export function scopeColumns(condition: RowCondition): ReadonlySet<string> | null {
  switch (condition.kind) {
    case 'compare':
    case 'range':
    case 'in':
    case 'null':
      return condition.column.of === 'row' ? new Set(keyColumns(condition.column.name)) : null
    case 'all':
    case 'any': {
      const parts = condition.conditions.map(scopeColumns)
      return parts.every((part) => part !== null) ? new Set(parts.flatMap((part) => [...part])) : null
    }
    case 'not':
      return scopeColumns(condition.condition)
    case 'related':
    case 'search':
    case 'custom':
    case 'scope':
      return null
  }
}

/**
 * Whether a row that meets a condition certainly meets it after these columns are set. A condition on related rows
 * depends on the columns that refer to them.
 */
export function staysMet(condition: RowCondition | null, values: ColumnValues, served: ServedType): boolean {
  if (condition === null) return true
  if (condition.kind === 'all') return condition.conditions.every((each) => staysMet(each, values, served))
  if (!Object.keys(values).some((column) => dependsOn(condition, column, served))) return true
  return certainlyMeets(condition, values)
}

/** Whether a condition depends only on columns of the row. */
export function isDecidedByColumns(condition: RowCondition, context: RequestContext): boolean {
  const inRequest = condition.kind === 'scope' ? condition.conditionIn(context) : condition
  return inRequest === null || scopeColumns(inRequest) !== null
}

/** Whether a row may meet a condition differently after a column is set. The condition contains no scopes. */
export function dependsOn(condition: RowCondition, column: string, served: ServedType): boolean {
  switch (condition.kind) {
    case 'all':
    case 'any':
      return condition.conditions.some((each) => dependsOn(each, column, served))
    case 'not':
      return dependsOn(condition.condition, column, served)
    case 'related': {
      return looksAtModel(condition, served) || (parentColumns(condition.relation)?.includes(column) ?? true)
    }
    default:
      return scopeColumns(condition)?.has(column) ?? true
  }
}

/**
 * Whether a condition may depend on rows of the model of a type, at the end of any path.
 *
 * @param context the request, if the condition may contain scopes
 */
export function looksAtModel(
  condition: RowCondition,
  { type: { model } }: ServedType,
  context: RequestContext | null = null,
): boolean {
  return looksAtModels(condition, [model?.name], context)
}

/** Whether a condition may depend on rows of models, by their names. A type without a model may have any rows. */
export function looksAtModels(
  condition: RowCondition,
  models: readonly (string | undefined)[],
  context: RequestContext | null,
): boolean {
  switch (condition.kind) {
    case 'all':
    case 'any':
      return condition.conditions.some((each) => looksAtModels(each, models, context))
    case 'not':
      return looksAtModels(condition.condition, models, context)
    case 'related': {
      const { relation, conditionsOf, condition: ofMember } = condition
      if (relation.targets.some(({ model }) => models.includes(model?.name))) return true
      const inner = [...conditionsOf.values()].flat()
      return [...inner, ...(ofMember === null ? [] : [ofMember])].some((each) => looksAtModels(each, models, context))
    }
    case 'scope': {
      const inRequest = context === null ? condition : condition.conditionIn(context)
      return inRequest !== null && (inRequest === condition || looksAtModels(inRequest, models, context))
    }
    case 'custom':
      return true
    default:
      return false
  }
}
