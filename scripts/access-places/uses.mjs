// @ts-check
/** The checks of filters, sorts and include paths that only some callers may use. */
import { place } from './place.mjs'

/** @type {readonly import('./place.mjs').Place[]} */
export const uses = [
  place(
    'server/assembly/compile/compile-use-guards.ts',
    'abilities of usableIf(), for every row',
    "guard.visibilityIn(context) === 'visible'",
    "guard.visibilityIn(context) !== 'hidden'",
  ),
  place('serve/read/query/visible-filter.ts', 'usableIf() of filters', 'isUsable(filter.spec, context) && ', ''),
  place(
    'serve/read/query/visible-filter.ts',
    'visible texts of searches',
    'target === null ? ifMissing : isFilterableTarget(target, context)\n      })',
    'target === null ? ifMissing : true\n      })',
  ),
  place(
    'serve/read/query/read-conditions.ts',
    'usableIf() of singular filters',
    ' && isVisibleFilter({ key, spec }, vocabulary, context)',
    '',
  ),
  place(
    'serve/read/query/read-conditions.ts',
    'filters in filter trees',
    '!isOffered || !isVisibleFilter({ key, spec }, vocabulary, options.context)',
    '!isOffered',
  ),
  place(
    'serve/read/plan/reachable-uses.ts',
    'plans of callers who may use other keys in filter trees',
    '[...filteredKeys(query), ...related',
    '[...query.filter.keys(), ...related',
  ),
  place(
    'serve/read/query/read-orders.ts',
    'usableIf() of sorts',
    'entries.filter(([, spec]) => isUsable(spec, context))',
    'entries.filter(([, spec]) => isUsable({ ...spec, useGuard: null }, context))',
  ),
  place('serve/read/plan/inclusion.ts', 'includableIf()', 'isUsable(relation.spec, request.context) && ', ''),
  place(
    'serve/read/plan/inclusion.ts',
    'cannotBeIncluded(), with a function',
    'spec.includeGuard === null || spec.includeGuard.allows(context)',
    'spec.includeGuard === null || context !== null',
  ),
  place(
    'serve/read/plan/inclusion.ts',
    'usableIf() of include paths',
    'covers && isUsable(allowed, context)',
    'covers',
  ),
  place(
    'serve/read/plan/guard-variant.ts',
    'plans of callers who may use other keys',
    "used.map((guard) => (guard.allows(context) ? 1 : 0)).join('')",
    'used.length',
  ),
  place(
    'serve/read/plan/guard-variant.ts',
    'keys that an error offers',
    'guard.assume(to, guard.allows(from))',
    'guard.assume(to, from !== to)',
  ),
  place(
    'serve/read/plan/reachable-uses.ts',
    'default includes',
    'query.include === null ? ofDefaults :',
    'query.include === null ? [] :',
  ),
]
