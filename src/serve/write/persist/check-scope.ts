import type { Problem } from '../../../core/errors/json-api-error.js'
import { failAll, problem } from '../../../core/errors/json-api-error.js'
import { deny } from '../../read/query/permission.js'
import { scopeConditions, scopeIn } from '../../read/query/scope-conditions.js'
import type { ColumnValues } from '../../../declare/resource/capabilities/persister.js'
import type { ServedType } from '../../../declare/resource/capabilities/served-type.js'
import { keyColumns } from '../../../declare/resource/parts/key-columns.js'
import type { RowCondition } from '../../../declare/resource/querying/row-condition.js'
import { parentColumns } from '../../../declare/resource/compiled/relation-link.js'
import type { RequestContext } from '../../../declare/resource/request/request-context.js'
import { certainlyMeets } from '../../../stores/row-query/certainly-meets.js'
import type { WriteCheck, WrittenRow } from './rows-outside.js'
import { byType, rowsOutside } from './rows-outside.js'

/*
 * A write must not leave behind a row that the scope of its type hides from the caller, like the `with check option` of SQL views.
 */

/** Fails with 403 for each row that is outside the scope of its type after the write. The error rolls everything back. */
export async function checkScopes(written: readonly WrittenRow[], check: WriteCheck): Promise<void> {
  const uncertain = written.filter(({ served, row }) => {
    const scope = scopeIn(served, check.context)
    return scope !== null && !(row !== null && certainlyMeets(scope, row))
  })
  if (uncertain.length === 0) return
  const hidden = await Promise.all(
    Array.from(byType(uncertain), ([served, rows]) => {
      return rowsOutside(served, rows, scopeConditions(served, 'shown'), check)
    }),
  )
  const [first] = hidden.flat()
  if (first !== undefined && first.served.type.policy !== null && check.context.caller === null) {
    deny(first.served, 'view', check.context)
  }
  const problems = hidden.flat().map(outOfScope)
  if (problems.length > 0) failAll(problems.slice(0, check.limit))
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

/** Whether rows of a type may be visible or not because of the rows that refer to them. */
export function looksAtReferring(target: ServedType, referring: ServedType, context: RequestContext): boolean {
  const scope = scopeIn(target, context)
  return scope !== null && looksAtModel(scope, referring, context)
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

export function outOfScope({ served: { type }, pointer }: Pick<WrittenRow, 'served' | 'pointer'>): Problem {
  return problem('RESOURCE_OUT_OF_SCOPE', { type: type.type }, pointer === null ? {} : { source: { pointer } })
}
