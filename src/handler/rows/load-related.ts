import type { RelatedCriteria, RelatedGroup, RelatedResult } from '../../resource/capabilities/provider.js'
import type { ServedRelation, ServedType } from '../../resource/capabilities/served-type.js'
import type { RowSet } from '../../rows/row-set.js'
import { invariant } from '../../util/invariant.js'
import { checkedRows } from './checked-rows.js'
import { totalOf } from './list-of.js'
import { loadByFunction } from './load-by-function.js'
import { loadFromTargets } from './load-from-targets.js'
import { isToldByStore, membersByObject } from './members-by-object.js'
import type { RelatedRows } from './related-rows.js'

/** One read for all parents, by whoever reads the relation. */
export async function loadRelated(
  owner: ServedType,
  relation: ServedRelation,
  parents: RowSet,
  criteria: RelatedCriteria,
): Promise<RelatedRows> {
  const found = await read(owner, relation, parents, criteria)
  const sets = checkedSets(relation, found)
  const rows = { sets, groups: checkedGroups(relation, found, { sets, parents, criteria }) }
  const { groups, ...typed } = isToldByStore(relation) ? rows : membersByObject(relation, rows)
  return { ...typed, groups: relation.spec.traits.toMany ? groups : groups.map(onlyFirst) }
}

/** The border to providers: rows are of types that the relation names, and have their keys. */
function checkedSets(relation: ServedRelation, { sets }: RelatedResult): RelatedRows['sets'] {
  return sets.map(({ type, rows }) => {
    const served = relation.related.get(type)
    if (served === undefined) {
      throw new TypeError(`${nameOf(relation)} was answered rows of '${type}', which it does not name.`)
    }
    return { served, rows: checkedRows(served, rows) }
  })
}

interface Asked {
  readonly sets: RelatedRows['sets']
  readonly parents: RowSet
  readonly criteria: RelatedCriteria
}

/** There is one group for each parent, and its members are rows that came along. */
function checkedGroups(
  relation: ServedRelation,
  { groups }: RelatedResult,
  { sets, parents, criteria }: Asked,
): RelatedRows['groups'] {
  if (!Array.isArray(groups) || groups.length !== parents.rows.length) {
    throw new TypeError(`${nameOf(relation)} was not answered one group for each parent.`)
  }
  const { window, wantsCount } = criteria
  return groups.map(({ total, ...group }: RelatedGroup): RelatedGroup => {
    const strays = group.members.filter(({ set, row }) => sets[set]?.rows.rows[row] === undefined)
    if (strays.length > 0) throw new TypeError(`${nameOf(relation)} was answered members without a row.`)
    const known = totalOf(total, window === null ? group.members.length : null)
    // A provider may count always; what nobody asked for is not told.
    return { ...group, total: wantsCount ? known : null }
  })
}

/** Where several rows claim to be the one, the first is it. */
function onlyFirst(group: RelatedGroup): RelatedGroup {
  return group.members.length > 1 ? { ...group, members: group.members.slice(0, 1) } : group
}

function nameOf({ owner, name }: ServedRelation): string {
  return `'${owner.type}.${name}'`
}

function read(
  { provider }: ServedType,
  relation: ServedRelation,
  parents: RowSet,
  criteria: RelatedCriteria,
): Promise<RelatedResult> | RelatedResult {
  switch (relation.readBy) {
    case 'owner':
      invariant(provider?.fetchRelated !== undefined, `'${relation.owner.type}' has no provider that reads relations`)
      return provider.fetchRelated(relation, parents, criteria)
    case 'targets':
      return loadFromTargets(relation, parents, criteria)
    case 'function':
      return loadByFunction(relation, parents, criteria)
    case 'nobody':
      return { sets: [], groups: parents.rows.map(() => ({ members: [], total: null })) }
  }
}
