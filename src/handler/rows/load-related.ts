import type { RelatedCriteria, RelatedGroup } from '../../resource/capabilities/provider.js'
import type { ServedRelation, ServedType } from '../../resource/capabilities/served-type.js'
import type { RowSet } from '../../rows/row-set.js'
import { checkedRelated } from './checked-related.js'
import { loadByFunction } from './load-by-function.js'
import { loadFromTargets } from './load-from-targets.js'
import { loadOwned } from './load-owned.js'
import type { RelatedRows } from './related-rows.js'

/** One read for all parents, by whoever reads the relation. */
export async function loadRelated(
  owner: ServedType,
  relation: ServedRelation,
  parents: RowSet,
  criteria: RelatedCriteria,
): Promise<RelatedRows> {
  const { sets, groups } = await read(owner, relation, parents, criteria)
  return { sets, groups: relation.spec.traits.toMany ? groups : groups.map(onlyFirst) }
}

async function read(
  owner: ServedType,
  relation: ServedRelation,
  parents: RowSet,
  criteria: RelatedCriteria,
): Promise<RelatedRows> {
  switch (relation.readBy) {
    case 'owner':
      return loadOwned(owner, relation, parents, criteria)
    case 'targets':
      return checkedRelated(relation, await loadFromTargets(relation, parents, criteria), { parents, criteria })
    case 'function':
      return checkedRelated(relation, await loadByFunction(relation, parents, criteria), { parents, criteria })
    case 'nobody':
      return { sets: [], groups: parents.rows.map(() => ({ members: [], total: null })) }
  }
}

/** Where several rows claim to be the one, the first is it. */
function onlyFirst(group: RelatedGroup): RelatedGroup {
  return group.members.length > 1 ? { ...group, members: group.members.slice(0, 1) } : group
}
