import { permissionIn } from '../../read/query/permission.js'
import { ruleCondition, scopeIn } from '../../read/query/scope-conditions.js'
import { rowsByKey } from '../../read/rows/rows-by-key.js'
import type { ServedRelation, ServedType } from '../../../declare/resource/capabilities/served-type.js'
import type { RowObject } from '../../../declare/resource/fields/field-spec.js'
import { keyIn, keyValues } from '../../../declare/resource/parts/key-columns.js'
import { RowRule } from '../../../declare/resource/policy/rule-kit.js'
import type { RowCondition } from '../../../declare/resource/querying/row-condition.js'
import { clearedColumns } from '../../../declare/resource/compiled/cleared-columns.js'
import { referenceColumn } from '../../../declare/resource/compiled/relation-link.js'
import type { RequestContext } from '../../../declare/resource/request/request-context.js'
import { keyText } from '../../../stores/row-query/key-text.js'
import type { NamedMember } from '../conflicts/write-linkage.js'
import { changesForeignRows, foreignAbilities } from '../linkage/foreign-rows.js'
import { looksAtModels } from '../../../stores/row-query/condition-analysis.js'
import type { WriteCheck, WrittenRow } from './rows-outside.js'
import { isReadByOtherStore } from './rows-outside.js'
import type { MemberMutation } from './write-members.js'

/** Rows of one related type, with the abilities that a change of them needs. */
interface ForeignRows {
  readonly served: ServedType
  readonly rows: readonly WrittenRow[]
  readonly abilities: readonly string[]
}

/** Returns members as rows of their types. */
export function membersOf(
  { relation, pointer }: MemberMutation,
  members: readonly NamedMember<string | null>[],
): readonly ForeignRows[] {
  return [...relation.related].flatMap(([name, served]) => {
    const ofType = members.filter(({ type }) => type === name)
    if (ofType.length === 0) return []
    const rows = ofType.map((member) => {
      return { served, key: member.idKey, row: null, pointer: member.pointer ?? pointer }
    })
    return [{ served, rows, abilities: foreignAbilities(relation, served) }]
  })
}

/** The members that a write has changed, by the checks that they need. */
interface WrittenMembers {
  /** Rows that must be visible. */
  readonly visible: readonly WrittenRow[]
  /** Rows that must meet `updated`. */
  readonly updated: readonly WrittenRow[]
}

/**
 * Returns the members that a write leaves behind changed: their rows hold the key of the owner, or a rule of theirs looks at
 * the join rows.
 *
 * @param owner the row of the owner after the write
 */
export async function writtenMembers(
  mutations: readonly MemberMutation[],
  owner: RowObject,
  check: WriteCheck,
): Promise<WrittenMembers> {
  const visible: WrittenRow[] = []
  const updated: WrittenRow[] = []
  for (const mutation of mutations) {
    const { relation, added, removed } = mutation
    const members =
      relation.storage.kind === 'join' ? [...added, ...mutation.updated, ...removed] : [...added, ...removed]
    for (const { served, rows, abilities } of membersOf(mutation, members)) {
      const isSeen = mayChangeVisibility(relation, served, check.context)
      const isUpdated = abilities.includes('update') && mayChangeUpdated(relation, served, check.context)
      const known = isSeen || isUpdated ? await resultingRows(rows, mutation, { owner, served, check }) : []
      if (isSeen) visible.push(...known)
      if (isUpdated) updated.push(...known)
    }
  }
  return { visible, updated }
}

/** Whether members of a type may be visible before a change of the relation, and not after it, or the other way round. */
export function mayChangeVisibility(relation: ServedRelation, served: ServedType, context: RequestContext): boolean {
  const scope = scopeIn(served, context)
  return scope !== null && mayChange(relation, scope, context)
}

/** Whether members of a type may not meet `updated` after a change of the relation. */
export function mayChangeUpdated(relation: ServedRelation, served: ServedType, context: RequestContext): boolean {
  if (!changesForeignRows(relation)) return false
  const updated = permissionIn(served, 'updated', context)
  if (!(updated instanceof RowRule)) return updated !== true
  // Without `updated`, the rule of `update` applies, which the members have met before the change.
  if (served.type.policy?.declares('updated') === true) return true
  return mayChange(relation, ruleCondition(served, updated, context), context)
}

/** Join rows change no column of the members: only a condition on related rows may depend on them. */
function mayChange({ storage, owner }: ServedRelation, condition: RowCondition, context: RequestContext): boolean {
  switch (storage.kind) {
    case 'relatedKey':
      return true
    case 'join':
      return looksAtModels(condition, [owner.model?.name, storage.model], context)
    default:
      return false
  }
}

interface ResultingRead {
  readonly owner: RowObject
  readonly served: ServedType
  readonly check: WriteCheck
}

/**
 * Adds the rows as the write leaves them, if another store reads them and does not see the change before the commit. The
 * columns that hold the key of the owner are known.
 */
async function resultingRows(
  rows: readonly WrittenRow[],
  { relation, removed }: MemberMutation,
  { owner, served, check }: ResultingRead,
): Promise<readonly WrittenRow[]> {
  if (!isReadByOtherStore(served)) return rows
  const { column } = served.type.id
  const stored = await rowsByKey(
    served,
    column,
    rows.map(({ key }) => key),
    check,
  )
  const storedByKey = new Map(stored.map((row) => [keyText(keyIn(row, column)), row]))
  const removedKeys = new Set(removed.map(({ idKey }) => keyText(idKey)))
  return rows.map((each) => {
    const row = storedByKey.get(keyText(each.key))
    if (row === undefined) return each
    return {
      ...each,
      row: { ...row, ...keyOfOwner(relation, { owner, served, isMember: !removedKeys.has(keyText(each.key)) }) },
    }
  })
}

interface OwnerKey extends Pick<ResultingRead, 'owner' | 'served'> {
  readonly isMember: boolean
}

/** Returns the columns of a member that hold the key of the owner, with their values after the write. */
function keyOfOwner({ storage, owner: type }: ServedRelation, { owner, served, isMember }: OwnerKey): RowObject {
  if (storage.kind !== 'relatedKey') return {}
  const { key } = storage
  const ofType = key.type === null ? {} : { [key.type]: isMember ? type.storedType : null }
  if (isMember) return { ...keyValues(key.id, keyIn(owner, referenceColumn(type))), ...ofType }
  return { ...Object.fromEntries(clearedColumns(served.type, key.id).map((column) => [column, null])), ...ofType }
}
