import type { RelatedCriteria, RelatedResult } from '../../resource/capabilities/provider.js'
import type { ServedRelation, ServedType } from '../../resource/capabilities/served-type.js'
import type { RowSet } from '../../rows/row-set.js'
import { invariant } from '../../util/invariant.js'
import { checkedRows } from '../steps/checked-rows.js'
import { loadByFunction } from './load-by-function.js'
import { loadFromTargets } from './load-from-targets.js'
import type { RelatedRows } from './related-rows.js'
import { isToldByStore, membersByObject } from './members-by-object.js'

/** One read for all parents, by whoever reads the relation. */
export async function loadRelated(
  owner: ServedType,
  relation: ServedRelation,
  parents: RowSet,
  criteria: RelatedCriteria,
): Promise<RelatedRows> {
  const found = await read(owner, relation, parents, criteria)
  if (!Array.isArray(found?.groups) || found.groups.length !== parents.rows.length) {
    throw new TypeError(
      `The provider of '${relation.owner.type}' did not answer one group of '${relation.name}' for each parent.`,
    )
  }
  const sets = found.sets.map(({ type, rows }) => {
    const served = relation.related.get(type)
    if (served === undefined) {
      throw new TypeError(
        `'${relation.owner.type}.${relation.name}' was answered rows of '${type}', which it does not name.`,
      )
    }
    return { served, rows: checkedRows(served, rows) }
  })
  const rows = { sets, groups: found.groups }
  return isToldByStore(relation) ? rows : membersByObject(relation, rows)
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
