// @ts-check
/** The checks of aggregates, in addition to those of lists: which fields group rows, and which measures are shown. */
import { place } from './place.mjs'

/** @type {readonly import('./place.mjs').Place[]} */
export const aggregates = [
  place(
    'serve/handler/fetch-aggregate.ts',
    'fields that group, for aggregates',
    '  requireVisibleGroups(served, context)\n  const plan',
    '  const plan',
  ),
  place(
    'serve/handler/fetch-aggregate.ts',
    'aggregate, for aggregates',
    "requirePermission(source, 'aggregate', context)",
  ),
  place(
    'serve/read/rows/read-groups.ts',
    'keys of hidden rows, in groups',
    'mayBeHidden ? visibleMember(relation, scopeConditions) : null',
    'mayBeHidden && source === null ? visibleMember(relation, scopeConditions) : null',
  ),
  place(
    'server/assembly/aggregate-types.ts',
    'hidden fields, in aggregates',
    '!isVisible(own, context) : false',
    '!isVisible(own, context) && own === null : false',
  ),
  place(
    'serve/read/plan/reachable-types.ts',
    'plans of aggregates, by the filters of the caller',
    'root.source === null ? [root] : [root, root.source]',
    '[root]',
  ),
  place(
    'server/assembly/declared/private-types.ts',
    'private responses of aggregates',
    'groupsOf === null ? targets : [...targets, groupsOf.owner]',
    'groupsOf === null ? targets : [...targets]',
  ),
]
