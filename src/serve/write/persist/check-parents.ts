import { deny } from '../../read/query/permission.js'
import { rowsByKey } from '../../read/rows/rows-by-key.js'
import type { GuardedKey, ServedType } from '../../../declare/resource/capabilities/served-type.js'
import type { RowObject } from '../../../declare/resource/fields/field-spec.js'
import { keyIn, keyValues } from '../../../declare/resource/parts/key-columns.js'
import { referenceColumn } from '../../../declare/resource/compiled/relation-link.js'
import type { RequestContext } from '../../../declare/resource/request/request-context.js'
import { keyText } from '../../../stores/row-query/key-text.js'
import type { ColumnChange, ParentKey } from '../linkage/guarded-keys.js'
import { changedParents } from '../linkage/guarded-keys.js'
import type { LinkageChange, MemberOf } from '../linkage/linkage-change.js'
import { checkRules, storedRow } from './check-rules.js'
import { looksAtReferring } from './check-scope.js'
import { isAlwaysPermitted } from './permitted-writes.js'
import type { WriteCheck, WrittenRow } from './rows-outside.js'
import type { EndWrite } from './write-flattened.js'
import type { MemberMutation } from './write-members.js'

/** The rows of one type that a write takes members from, or gives members to, and the ability that it needs for them. */
export interface ParentRows {
  readonly owner: ServedType
  readonly ability: string
  readonly rows: readonly WrittenRow[]
}

/** The parts of a write that may set keys of relations with `security({ mutate })`. */
interface KeyWrites {
  /** The columns of the resource itself. */
  readonly change: ColumnChange
  readonly mutations: readonly MemberMutation[]
  readonly ends: readonly EndWrite[]
}

/**
 * Reads the rows that get or lose members because a write sets keys: the belongs-to side of a relation changes its has-many side
 * too, and a row that gets another parent is taken from the one before. Takes one read for each relation with a separate ability,
 * and nothing if there is none.
 */
export async function parentsOf(
  { change, mutations, ends }: KeyWrites,
  check: WriteCheck,
): Promise<readonly ParentRows[]> {
  const ofMembers: ParentKey[] = []
  for (const mutation of mutations) ofMembers.push(...(await parentsOfMembers(mutation, change.before, check)))
  const ofEnds = ends.flatMap(({ served, row, values }) =>
    changedParents({ served, before: row ?? null, values, concealed: [] }),
  )
  return parentRows([...changedParents(change), ...ofMembers, ...ofEnds], check)
}

/** Reads parents by their keys. Leaves out those for which the caller needs no check. */
export async function parentRows(parents: readonly ParentKey[], check: WriteCheck): Promise<readonly ParentRows[]> {
  const byRelation = new Map<GuardedKey, Map<string | null, unknown>>()
  for (const { guarded, key } of parents) {
    const keys = byRelation.get(guarded) ?? new Map<string | null, unknown>()
    byRelation.set(guarded, keys.set(keyText(key), key))
  }
  const found: ParentRows[] = []
  for (const [{ owner, ability }, keys] of byRelation) {
    if (isAlwaysPermitted(owner, ability, check.context)) continue
    // Without a provider, no rule can be evaluated.
    if (owner.provider === null) deny(owner, ability, check.context)
    const rows = await rowsByKey(owner, referenceColumn(owner.type), [...keys.values()], check)
    found.push({ owner, ability, rows: rows.map((row) => storedRow(owner, row)) })
  }
  return found
}

/** Fails with 401 or 403 if the caller may not change the members of a parent. */
export async function checkParents(parents: readonly ParentRows[], check: WriteCheck): Promise<void> {
  for (const { ability, rows } of parents) await checkRules(rows, ability, check)
}

/** Fails with 401 or 403 if a parent does not meet `updated` after the write, as for a change from its own side. */
export async function checkChangedParents(parents: readonly ParentRows[], check: WriteCheck): Promise<void> {
  for (const { ability, rows } of parents) if (ability === 'update') await checkRules(rows, 'updated', check)
}

/**
 * Returns the parents of members whose rows hold the key. The row of the owner itself is left out: its own relation was
 * checked.
 */
async function parentsOfMembers(
  { relation, added, removed }: MemberMutation,
  ownerRow: RowObject | null,
  check: WriteCheck,
): Promise<readonly ParentKey[]> {
  const { storage, owner } = relation
  if (storage.kind !== 'relatedKey') return []
  const { id, type } = storage.key
  const ownerKey = ownerRow === null ? null : keyIn(ownerRow, referenceColumn(owner))
  const linked = { ...keyValues(id, ownerKey), ...(type === null ? {} : { [type]: owner.storedType }) }
  const cleared = { ...keyValues(id, null), ...(type === null ? {} : { [type]: null }) }
  const parents: ParentKey[] = []
  for (const [name, served] of relation.related) {
    if (served.guardedKeys.length === 0) continue
    const keys = added.filter((member) => member.type === name).map(({ idKey }) => idKey)
    const rows = await rowsByKey(served, served.type.id.column, keys, check)
    parents.push(...rows.flatMap((before) => changedParents({ served, before, values: linked, concealed: [] })))
    if (removed.some((member) => member.type === name)) {
      parents.push(...changedParents({ served, before: linked, values: cleared, concealed: [] }))
    }
  }
  return parents.filter(({ guarded, key }) => {
    return guarded.relation !== relation || keyText(key) !== keyText(ownerKey)
  })
}

/**
 * Returns the visible rows that a resource refers to after or before a write, if their visibility may depend on it: a rule of
 * albums may look at their tracks.
 */
export function linkedRows(
  served: ServedType,
  changes: readonly LinkageChange[],
  memberOf: MemberOf,
  context: RequestContext,
): readonly WrittenRow[] {
  return changes.flatMap(({ relation, added, removed, pointer }) => {
    if (relation.storage.kind !== 'ownKey') return []
    const members = [
      ...added.map((sent) => ({ type: sent.type, key: memberOf(sent)?.idKey, pointer: sent.pointer })),
      ...removed.map(({ type, id }) => ({ type, key: relation.related.get(type)?.type.id.decode(id), pointer })),
    ]
    return members.flatMap(({ type, key, pointer: at }): readonly WrittenRow[] => {
      const target = relation.related.get(type)
      if (target === undefined || keyText(key) === null || !looksAtReferring(target, served, context)) return []
      return [{ served: target, key, row: null, pointer: at }]
    })
  })
}
