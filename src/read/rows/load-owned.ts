import type { RelatedCriteria } from '../../resource/capabilities/provider.js'
import type { ServedRelation, ServedType } from '../../resource/capabilities/served-type.js'
import type { RowSet } from '../../rows/row-set.js'
import { invariant } from '../../util/invariant.js'
import { criteriaFor } from './fill-scopes.js'
import { checkedRelated } from './checked-related.js'
import type { RelatedRows } from './related-rows.js'

/** Loads members from the provider of the owner, which reads the relation itself. */
export async function loadOwned(
  { provider }: ServedType,
  relation: ServedRelation,
  parents: RowSet,
  criteria: RelatedCriteria,
): Promise<RelatedRows> {
  invariant(provider?.fetchRelated !== undefined, `'${relation.owner.type}' has no provider that reads relations`)
  return checkedRelated(
    relation,
    await provider.fetchRelated(relation, parents, criteriaFor(provider.fetchRelated, criteria)),
    { parents, criteria },
  )
}
