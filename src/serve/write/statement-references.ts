import { withScopes } from '../read/rows/fill-scopes.js'
import type { ColumnValues, RowReference } from '../../declare/resource/capabilities/persister.js'
import type { ServedRelation, ServedType } from '../../declare/resource/capabilities/served-type.js'
import type { RowCondition } from '../../declare/resource/querying/row-condition.js'
import type { RequestContext } from '../../declare/resource/request/request-context.js'
import { isPromise } from '../../core/util/awaitable.js'
import type { Awaitable } from '../../core/util/types.js'
import { checkAgreement } from './linkage/check-agreement.js'
import type { LinkageChange, MemberOf } from './linkage/linkage-change.js'
import type { NewResource } from './new-resource.js'
import { newColumns } from './new-resource.js'
import { looksAtReferring } from './persist/check-scope.js'
import { certainlyShowsMembers } from './persist/hidden-members.js'
import { creatableConditions } from './persist/permitted-writes.js'
import type { ReadContext } from '../read/read-context.js'
import { writeStrategies } from './write-strategy.js'

/** The rows that written rows refer to: the statement itself checks that they exist and are visible. */
export interface StatementReferences {
  /** Finds members without a read: by their ids. */
  readonly memberOf: MemberOf
  readonly references: readonly RowReference[]
}

export const noReferences: StatementReferences = Object.freeze({ memberOf: () => undefined, references: [] })

interface ReferenceOptions {
  /** Whether the function that gets the references accepts scopes. */
  readonly acceptsScopes: boolean
  readonly context: RequestContext
}

/** Returns the references of rows of a type; `null` if a relation is not stored as a key that a statement can check. */
export function statementReferences(
  served: ServedType,
  changes: readonly LinkageChange[],
  { acceptsScopes, context }: ReferenceOptions,
): StatementReferences | null {
  if (changes.length === 0) return noReferences
  const { references: known } = writeStrategies(served)
  const sent = new Map<ServedRelation, RowReference>()
  for (const { relation, added } of changes) {
    if (sent.has(relation)) continue
    const reference = known.get(relation)
    if (reference === undefined) return null
    for (const target of relation.related.values()) if (looksAtReferring(target, served, context)) return null
    if (added.length === 0) continue
    const { conditions } = acceptsScopes ? reference : withScopes({ conditions: reference.conditions, context })
    sent.set(relation, conditions === reference.conditions ? reference : { ...reference, conditions })
  }
  const references = [...sent.values()]
  const types = new Map(references.map(({ type }) => [type.type, type]))
  return {
    references,
    memberOf({ type, id }) {
      const key = types.get(type)?.id.decode(id) ?? null
      return key === null ? undefined : { type, id, key, idKey: key }
    },
  }
}

/** Whether all members that are named are found. */
export function areMembersFound(changes: readonly LinkageChange[], memberOf: MemberOf): boolean {
  return changes.every(({ added }) => added.every((identifier) => memberOf(identifier) !== undefined))
}

/** A row that a statement inserts, if the row as it is stored meets the conditions. */
export interface StatementRow {
  readonly values: ColumnValues
  readonly conditions: readonly RowCondition[]
}

/**
 * Returns the row of a new resource. Returns `null` if a member is missing, and if more than the stored row decides whether the caller may
 * create it.
 */
export function statementRow(
  resource: NewResource,
  memberOf: MemberOf,
  { context, services }: ReadContext,
): Awaitable<StatementRow | null> {
  const { served, changes } = resource
  if (!areMembersFound(changes, memberOf)) return null
  if (changes.length > 1) checkAgreement(changes, { memberOf, row: null })
  const columns = newColumns(resource, memberOf, { context, services })
  return isPromise(columns) ? columns.then(row) : row(columns)

  function row(values: ColumnValues): StatementRow | null {
    const conditions = creatableConditions(served, values, context)
    if (conditions === null || (conditions.length > 0 && served.shortcuts.create?.checksRows !== true)) return null
    const showsAll = !writeStrategies(served).mayHideMembers || certainlyShowsMembers(resource, values, context)
    return showsAll ? { values, conditions } : null
  }
}
