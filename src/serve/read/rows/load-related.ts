import type { RelatedCriteria, RelatedGroup, RelatedMember } from '../../../declare/resource/capabilities/provider.js'
import type { ServedRelation, ServedType } from '../../../declare/resource/capabilities/served-type.js'
import { identityReader } from '../../../declare/resource/reading/row-linkage.js'
import type { RowWindow } from '../../../declare/resource/querying/row-window.js'
import type { RequestContext } from '../../../declare/resource/request/request-context.js'
import type { RowSet } from '../../../core/rows/row-set.js'
import { checkedRelated, loadFromOwner } from './checked-related.js'
import { loadByFunction } from './load-by-function.js'
import { withScopes } from './fill-scopes.js'
import { loadFromTargets } from './load-from-targets.js'
import type { RelatedRows } from './related-rows.js'
import { relatedMemberReader } from './related-rows.js'

/** Loads the members of a relation for all parents together, from the provider or the function that reads it. */
export async function loadRelated(
  owner: ServedType,
  relation: ServedRelation,
  parents: RowSet,
  criteria: RelatedCriteria,
): Promise<RelatedRows> {
  const { spec, storage } = relation
  if (spec.traits.toMany) return loadCandidates(owner, relation, parents, criteria)
  // A foreign key in the owner's row refers to at most one row. Otherwise any number of rows may refer to the owner.
  if (storage.kind === 'ownKey') return onlyFirst(await loadCandidates(owner, relation, parents, criteria))
  const first = { ...criteria, window: firstRow }
  const { conditions } = criteria
  if (conditions.length === 0) return onlyFirst(await loadCandidates(owner, relation, parents, first))
  const [found, unfiltered] = await Promise.all([
    loadCandidates(owner, relation, parents, first),
    // The cache key belongs to the other read.
    loadCandidates(owner, relation, parents, { ...first, conditions: [], cacheKey: undefined }),
  ])
  if (found.beyondLimit !== undefined) return found
  if (unfiltered.beyondLimit !== undefined) return unfiltered
  return onlyShown(found, onlyFirst(unfiltered), criteria.context)
}

const firstRow: RowWindow = Object.freeze({ kind: 'offset', offset: 0, limit: 1 })

/** Loads members without a choice among them: for a to-one relation, every row that refers to the owner. */
export async function loadCandidates(
  owner: ServedType,
  relation: ServedRelation,
  parents: RowSet,
  criteria: RelatedCriteria,
): Promise<RelatedRows> {
  switch (relation.readBy) {
    case 'owner':
      return loadFromOwner(owner, relation, parents, criteria)
    case 'targets':
      return checkedRelated(relation, await loadFromTargets(relation, parents, criteria), { parents, criteria })
    case 'function':
      return checkedRelated(relation, await loadByFunction(relation, parents, withScopes(criteria)), {
        parents,
        criteria,
      })
    case 'none':
      return { sets: [], groups: parents.rows.map(() => ({ members: [], total: null })) }
  }
}

/** Reduces each group of a to-one relation to its first row, which is the member. */
function onlyFirst(related: RelatedRows): RelatedRows {
  const isOne = related.groups.every(({ members }) => members.length <= 1)
  if (isOne) return related
  return { ...related, groups: related.groups.map((group) => ({ ...group, members: group.members.slice(0, 1) })) }
}

/** Applies the filters of a to-one relation to the row that is shown without them: no other row replaces it. */
function onlyShown(found: RelatedRows, shown: RelatedRows, context: RequestContext): RelatedRows {
  const identityOf = memberIdentities(found, context)
  const shownIdentityOf = memberIdentities(shown, context)
  return {
    sets: found.sets,
    groups: found.groups.map((group, position): RelatedGroup => {
      const [one] = shown.groups[position]?.members ?? []
      const identity = one === undefined ? null : shownIdentityOf(one)
      return { ...group, members: group.members.filter((member) => identityOf(member) === identity) }
    }),
  }
}

function memberIdentities(related: RelatedRows, context: RequestContext): (member: RelatedMember) => string {
  return relatedMemberReader(related, ({ served, rows }) => {
    const identityOf = identityReader(served, rows.columns)
    return (row) => identityOf(row, context)
  })
}
