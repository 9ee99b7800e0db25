import type { RelatedCriteria, RelatedGroup, RelatedResult } from '../../../declare/resource/capabilities/provider.js'
import type { ServedRelation, ServedType } from '../../../declare/resource/capabilities/served-type.js'
import type { RequestContext } from '../../../declare/resource/request/request-context.js'
import type { RowSet } from '../../../core/rows/row-set.js'
import { isRowSet } from '../../../core/rows/row-set.js'
import { checkedFacts, checkedRows, isObject, rowKeyReader } from './checked-rows.js'
import { isTypedByStore, membersByObject } from './members-by-object.js'
import type { RelatedRows } from './related-rows.js'
import { invariant } from '../../../core/util/invariant.js'
import { withScopes } from './fill-scopes.js'

interface RelatedRequest {
  readonly parents: RowSet
  readonly criteria: RelatedCriteria
}

/**
 * Checks the result of a read of a relation: the rows have types of the relation, and their keys; there is one group
 * for each parent, and its members refer to these rows without duplicates.
 */
export function checkedRelated(
  relation: ServedRelation,
  found: RelatedResult,
  { parents, criteria }: RelatedRequest,
): RelatedRows {
  const { sets, groups } = isObject(found) ? found : ({} as Partial<RelatedResult>)
  if (!Array.isArray(groups) || groups.length !== parents.rows.length) {
    throw new TypeError(`The read of ${nameOf(relation)} did not return one group for each parent.`)
  }
  // Before the rows are checked: a provider that ignores the limit may have returned very many.
  const { maxMembers } = criteria
  if (maxMembers !== undefined && isBeyond(maxMembers, relation, { sets, groups })) {
    return { sets: [], groups: [], beyondLimit: { rows: countRows(sets) } }
  }
  const checked = checkedSets(relation, sets)
  if (found.isVerified === true && isTypedByStore(relation)) return { isVerified: true, sets: checked, groups }
  const keyOf = memberKeys(checked, criteria.context)
  const rows = { sets: checked, groups: groups.map((group) => checkedGroup(relation, group, { keyOf, criteria })) }
  return isTypedByStore(relation) ? rows : membersByObject(relation, rows, criteria)
}

/** Whether there are too many members; of a to-one relation, whose rows parents may share, too many rows. */
function isBeyond(
  maxMembers: number,
  { spec }: ServedRelation,
  { sets, groups }: { readonly sets: unknown; readonly groups: readonly unknown[] },
): boolean {
  if (!spec.traits.toMany) return countRows(sets) > maxMembers
  let count = 0
  for (const group of groups) count += lengthOf(group, 'members')
  return count > maxMembers
}

function countRows(sets: unknown): number {
  let count = 0
  for (const set of Array.isArray(sets) ? (sets as readonly unknown[]) : []) {
    count += lengthOf(set, 'rows')
  }
  return count
}

/** Returns the length of a list in an object, or in a row set there; 0 if there is none. Nothing is checked yet. */
function lengthOf(object: unknown, name: string): number {
  const list: unknown = isObject(object) ? (object as Readonly<Record<string, unknown>>)[name] : null
  if (Array.isArray(list)) return list.length
  return isObject(list) && isRowSet(list) ? list.rows.length : 0
}

function checkedSets(relation: ServedRelation, sets: unknown): RelatedRows['sets'] {
  if (!Array.isArray(sets) || !sets.every(isObject))
    throw new TypeError(`The read of ${nameOf(relation)} returned no sets of rows.`)
  return (sets as RelatedResult['sets']).map(({ type, rows }) => {
    const served = relation.related.get(type)
    if (served === undefined) {
      throw new TypeError(
        `The read of ${nameOf(relation)} returned rows of '${type}', which is not a type of the relation.`,
      )
    }
    return { served, rows: checkedRows(served, rows) }
  })
}

type MemberKey = (member: RelatedGroup['members'][number]) => string | null

/** Returns a function that identifies members by type and key; `null` for a member without a row. */
function memberKeys(sets: RelatedRows['sets'], context: RequestContext): MemberKey {
  const readers = sets.map(({ served, rows }) => {
    const keyAt = rowKeyReader(served, rows, context)
    const { type } = served.type
    return (row: number) => (rows.rows[row] === undefined ? null : `${type} ${keyAt(row)}`)
  })
  return ({ set, row }) => readers[set]?.(row) ?? null
}

function checkedGroup(
  relation: ServedRelation,
  group: RelatedGroup,
  { keyOf, criteria }: { readonly keyOf: MemberKey; readonly criteria: RelatedCriteria },
): RelatedGroup {
  const { members, ...facts } = isObject(group) ? group : ({} as Partial<RelatedGroup>)
  if (members === undefined || !isListOfObjects(members)) {
    throw new TypeError(`The read of ${nameOf(relation)} returned a group without a list of members.`)
  }
  const seen = new Set<string>()
  for (const member of members) {
    const key = keyOf(member)
    if (key === null) throw new TypeError(`The read of ${nameOf(relation)} returned a member without a row.`)
    if (seen.has(key)) throw new TypeError(`The read of ${nameOf(relation)} returned '${key}' twice for one parent.`)
    seen.add(key)
  }
  return { members, ...checkedFacts(nameOf(relation), facts, members.length, criteria) }
}

function nameOf({ owner, name }: ServedRelation): string {
  return `'${owner.type}.${name}'`
}

function isListOfObjects(value: unknown): boolean {
  return Array.isArray(value) && value.every(isObject)
}

/** Loads members from the provider of the owner, which reads the relation itself. */
export async function loadFromOwner(
  { provider, scopeReaders }: ServedType,
  relation: ServedRelation,
  parents: RowSet,
  criteria: RelatedCriteria,
): Promise<RelatedRows> {
  invariant(provider?.fetchRelated !== undefined, `'${relation.owner.type}' has no provider that reads relations`)
  return checkedRelated(
    relation,
    await provider.fetchRelated(relation, parents, scopeReaders.fetchRelated ? criteria : withScopes(criteria)),
    { parents, criteria },
  )
}
