import { failAll } from '../../../core/errors/json-api-error.js'
import { deny, permissionIn } from '../../read/query/permission.js'
import { ruleCondition, scopeIn } from '../../read/query/scope-conditions.js'
import type { ColumnValues } from '../../../declare/resource/capabilities/persister.js'
import type { ServedType } from '../../../declare/resource/capabilities/served-type.js'
import { keyIn } from '../../../declare/resource/parts/key-columns.js'
import { RowCheck, RowRule } from '../../../declare/resource/policy/rule-kit.js'
import type { RowCondition } from '../../../declare/resource/querying/row-condition.js'
import type { RequestContext } from '../../../declare/resource/request/request-context.js'
import { rowObject } from '../../../core/rows/row-set.js'
import { changesForeignRows } from '../linkage/foreign-rows.js'
import type { ParentRows } from './check-parents.js'
import { checkChangedParents, checkParents } from './check-parents.js'
import { checkRules } from './check-rules.js'
import { scopeColumns } from '../../../stores/row-query/condition-analysis.js'
import { checkScopes, outOfScope } from './check-scope.js'
import type { WriteCheck, WrittenRow } from './rows-outside.js'
import { meetsConditions } from '../../read/rows/rows-meeting.js'
import type { EndWrite } from './write-flattened.js'
import type { MemberMutation } from './write-members.js'
import { membersOf, writtenMembers } from './written-members.js'
import type { WriteOutcome } from './write-outcome.js'

interface OtherWrites {
  readonly mutations: readonly MemberMutation[]
  /** The related rows that flattened attributes are stored in. */
  readonly ends: readonly EndWrite[]
  /** The rows that get or lose members in relations with a separate ability. */
  readonly parents: readonly ParentRows[]
  /** The rows that the resource refers to, or has referred to, if their visibility may depend on it. */
  readonly linked: readonly WrittenRow[]
  /** The ability that the row itself must have after the write; `null` if it needs none. */
  readonly ability: 'create' | 'updated' | null
}

/**
 * Checks all rows that the write of a resource has changed. Returns the outcome of the write.
 *
 * @param ability the ability that the row must have after the write; `null` if it needs none
 */
export async function checkWritten(
  served: ServedType,
  outcome: WriteOutcome,
  { mutations, ends, parents, linked, ability }: OtherWrites,
  check: WriteCheck,
): Promise<WriteOutcome> {
  if (outcome.kind === 'accepted') return outcome
  const { columns, rows } = outcome.rows
  const row = rowObject(columns, rows[0] ?? [])
  const resource = { served, key: keyIn(row, served.type.id.column), row, pointer: '/data' }
  const related = ends.map((end) => ({
    ...end,
    row: { ...end.row, ...end.values },
    pointer: end.pointers.pointerTo([...end.sent.keys()]),
  }))
  const members = await writtenMembers(mutations, row, check)
  await checkScopes([resource, ...members.visible, ...related, ...linked], check)
  const isDecided = ability === 'create' && permissionIn(served, ability, check.context) instanceof RowCheck
  if (ability !== null && !isDecided) await checkRules([resource], ability, check)
  await checkRules([...members.updated, ...related], 'updated', check)
  await checkChangedParents(parents, check)
  return outcome
}

/**
 * Fails with 401 or 403 if a write changes resources of other types that the caller may not update: rows that hold the key of the
 * owner, resources that show the same join rows, the rows of flattened attributes, and rows with a relation that shows the
 * changed keys from the other side.
 */
export async function checkForeignRows(
  { mutations, ends, parents }: Pick<OtherWrites, 'mutations' | 'ends' | 'parents'>,
  check: WriteCheck,
): Promise<void> {
  const foreign = mutations.filter(({ relation }) => changesForeignRows(relation))
  const members = foreign.flatMap((mutation) =>
    membersOf(mutation, [...mutation.added, ...mutation.updated, ...mutation.removed, ...mutation.concealed]),
  )
  for (const { rows, abilities } of members) for (const ability of abilities) await checkRules(rows, ability, check)
  const related = ends.map((end) => ({ ...end, row: end.row ?? null, pointer: null }))
  await checkRules(related, 'update', check)
  await checkParents(parents, check)
}

interface DraftCheck {
  readonly mode: 'create' | 'update'
  /** The ability that the row must have after the write; `null` if it needs none. */
  readonly ability: string | null
}

/**
 * Fails with 401 or 403 before a row is written, if the write could not be undone: its store has no transactions, or the work may
 * be deferred. Columns that only the store knows are checked after the write. Deferred work cannot be checked afterwards, so it
 * is denied if the values are not sufficient to decide.
 */
export async function checkDraft(
  served: ServedType,
  draft: ColumnValues,
  { mode, ability }: DraftCheck,
  context: RequestContext,
): Promise<void> {
  const { create, update } = served.type.responses
  const mayBeDeferred = (mode === 'create' ? create : update).some(({ kind }) => kind === 'accepted')
  if (served.transactions !== null && !mayBeDeferred) return
  const isOutside = async (condition: RowCondition): Promise<boolean> => {
    const columns = scopeColumns(condition)
    if (columns === null || ![...columns].every((column) => Object.hasOwn(draft, column))) return mayBeDeferred
    return !(await meetsConditions(served, draft, [condition], context))
  }
  const scope = scopeIn(served, context)
  if (scope !== null && (await isOutside(scope))) failAll([outOfScope({ served, pointer: '/data' })])
  if (ability === null) return
  const permission = permissionIn(served, ability, context)
  if (!(permission instanceof RowRule)) return
  if (await isOutside(ruleCondition(served, permission, context))) deny(served, ability, context)
}
