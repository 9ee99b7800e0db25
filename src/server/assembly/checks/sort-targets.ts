import type { ValueKind } from '../../../declare/resource/fields/value-kind.js'
import type { FilterSpecs } from '../../../declare/resource/filters/filter-spec.js'
import { isFilterSpec } from '../../../declare/resource/relations/spec-shape.js'
import type { CustomSort, SortSpec } from '../../../declare/resource/sorts/sort-spec.js'
import { refuseUnqueryable } from './refuse-unqueryable.js'
import { synchronousRemedy, isAsyncFunction } from '../declared/async-function.js'
import type { BuildRule, BuildContext } from '../declared/build-rule.js'
import { eachType } from '../declared/build-rule.js'
import type { DeclaredQuery } from './declared-queries.js'
import { declaredSorts } from './declared-queries.js'
import type { Finding } from './query-targets.js'
import { pathFindings, targetFindings } from './query-targets.js'
import { refuseToMany } from './relation-paths.js'
import { relevanceFindings } from './search-targets.js'
import { describeValue } from '../declared/describe-value.js'

/**
 * Checks that sorts refer to existing attributes and columns, that paths follow to-one relations, and that custom sorts
 * can be executed.
 */
export const sortTargets: BuildRule = eachType((declared, context) =>
  declaredSorts(declared, context).flatMap((query) =>
    sortFindings(query, context).map((finding) => ({ member: query.member, ...finding })),
  ),
)

function sortFindings(query: DeclaredQuery<SortSpec>, context: BuildContext): readonly Finding[] {
  const { key, spec, over } = query
  switch (spec?.kind) {
    case 'field':
      return targetFindings(spec.column ?? key, { ...query, context, refuseKind: refuseJson })
    case 'through':
      return pathFindings(spec.path ?? key, {
        over,
        context,
        refuse: (relation, owner) => refuseToMany(relation, owner) ?? refuseUnqueryable(relation, owner, context),
        refuseKind: refuseJson,
      })
    case 'relevance':
      return over === null ? [] : relevanceFindings(spec.filter, searchesIn(query.filters))
    case 'custom':
      return customFindings(spec.custom)
    default:
      return [{ problem: 'is not a sort', remedy: "declare it with the kit, such as s.field('title')" }]
  }
}

/** Returns the keys of the filters that search. */
function searchesIn(filters: FilterSpecs): readonly string[] {
  return Object.entries(filters).flatMap(([key, spec]) =>
    isFilterSpec(spec) && spec.test.kind === 'search' ? [key] : [],
  )
}

/** Refuses lists and objects, because they have no order. */
function refuseJson({ name, comparedAs }: ValueKind): Finding | null {
  if (comparedAs !== 'json') return null
  return {
    problem: `sorts by values of the kind ${describeValue(name)}, which have no order`,
    remedy: 'sort by another attribute or column, or declare it with custom()',
  }
}

function customFindings(declared: CustomSort | undefined): readonly Finding[] {
  const { compare, apply }: { readonly [Member in keyof CustomSort]: unknown } = declared ?? {}
  if (isAsyncFunction(compare)) return [{ problem: `compare is ${describeValue(compare)}`, remedy: synchronousRemedy }]
  if (compare !== undefined && typeof compare !== 'function') {
    return [{ problem: `compare is ${describeValue(compare)}`, remedy: 'give a function that takes two rows' }]
  }
  if (compare !== undefined || (apply !== undefined && apply !== null)) return []
  return [
    {
      problem: 'has neither compare nor apply, so that no store can execute it',
      remedy: 'give one of the two, or both',
    },
  ]
}
