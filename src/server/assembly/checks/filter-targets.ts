import type { ValueKind } from '../../../declare/resource/fields/value-kind.js'
import type {
  ComposeFilter,
  CustomFilter,
  FilterSpec,
  FilterTest,
} from '../../../declare/resource/filters/filter-spec.js'
import { isComposite, keyColumns } from '../../../declare/resource/parts/key-columns.js'
import { isFilterSpec } from '../../../declare/resource/relations/spec-shape.js'
import { refuseUnqueryable } from './refuse-unqueryable.js'
import { synchronousRemedy, isAsyncFunction } from '../declared/async-function.js'
import type { BuildRule, BuildContext, DeclaredType } from '../declared/build-rule.js'
import { eachType } from '../declared/build-rule.js'
import type { DeclaredQuery } from './declared-queries.js'
import { declaredFilters } from './declared-queries.js'
import type { Finding } from './query-targets.js'
import { pathFindings, targetFindings } from './query-targets.js'
import { searchFindings } from './search-targets.js'
import { refuseSeveralTypes } from './relation-paths.js'
import { oneOf, describeValue } from '../declared/describe-value.js'

/**
 * Checks that filters refer to existing attributes, columns, relations and paths, and that custom filters can be
 * executed.
 */
export const filterTargets: BuildRule = eachType((declared, context) =>
  declaredFilters(declared, context).flatMap((query) =>
    [...filterFindings(query, context), ...asyncFindings(query.spec)].map((finding) => ({
      member: query.member,
      ...finding,
    })),
  ),
)

function filterFindings(query: DeclaredQuery<FilterSpec>, context: BuildContext): readonly Finding[] {
  const { key, spec, over } = query
  const test: FilterTest = spec.test
  switch (test.kind) {
    case 'compare':
    case 'range':
    case 'in':
    case 'null':
      return [
        ...targetFindings(test.column ?? key, { ...query, context, refuseKind: kindRefusal(test) }),
        ...compositeIdFindings(test, test.column ?? key, over),
      ]
    case 'idIn':
      return []
    case 'has':
      return [...relationFindings(test.relation ?? key, query, context), ...matchingFindings(test, query)]
    case 'through':
      return pathFindings(test.path ?? key, {
        over,
        context,
        refuse: (relation, owner) => refuseSeveralTypes(relation, owner) ?? refuseUnqueryable(relation, owner, context),
        refuseKind: kindRefusal(test),
      })
    case 'all':
    case 'any':
      // Entries that are not filters were reported when the group was read.
      return Object.entries(test.filters).flatMap(([member, child]: [string, unknown]) => {
        if (!isFilterSpec(child)) return []
        return child.test.kind === 'trashed'
          ? [trashedInGroup]
          : filterFindings({ ...query, key: member, spec: child }, context)
      })
    case 'search':
      return searchFindings(test, query, context)
    case 'trashed':
      return over === null || over.type.softDeletes !== null ? [] : [withoutSoftDeletes(over)]
    case 'custom':
      return customFindings(test.custom)
    case 'composed':
      return composeFindings(test.compose)
    default:
      return [
        {
          problem: `${describeValue((test as { kind: unknown }).kind)} is not a kind of filter`,
          remedy: 'use the filter kit',
        },
      ]
  }
}

/** A group combines conditions, but `withTrashed()` and `onlyTrashed()` select the rows that conditions apply to. */
const trashedInGroup: Finding = Object.freeze({
  problem: 'has withTrashed() or onlyTrashed() in a group',
  remedy: 'declare it under a separate key',
})

function withoutSoftDeletes({ type }: DeclaredType): Finding {
  return {
    problem: `selects deleted rows of '${type.type}', which has no softDeletes`,
    remedy: 'remove the filter, or declare softDeletes on that type',
  }
}

/** A composite id is a list of values: it can be equal to another, but not be searched, or lie in a range. */
function compositeIdFindings(test: FilterTest, target: string, over: DeclaredType | null): readonly Finding[] {
  if (over === null || target !== 'id' || !isComposite(over.type.id.column)) return []
  if (over.type.attributeNamed.has(target) || over.type.relationNamed.has(target)) return []
  const isEquality = test.kind === 'in' || (test.kind === 'compare' && ['=', '===', '!='].includes(test.operator))
  if (isEquality) return []
  const [first = ''] = keyColumns(over.type.id.column)
  return [
    {
      problem: `compares the id of '${over.type.type}', which has several columns, other than by equality`,
      remedy: `use where(), idIn() or idNotIn(), or filter by one of the columns: where('${first}')`,
    },
  ]
}

/** Substring filters apply to text only. */
function kindRefusal(test: FilterTest): (kind: ValueKind) => Finding | null {
  const operator = test.kind === 'compare' || test.kind === 'through' ? test.operator : '='
  if (operator !== 'like' && operator !== 'starts' && operator !== 'ends') return () => null
  return ({ name, comparedAs }) =>
    comparedAs === 'text'
      ? null
      : {
          problem: `searches for a substring, but the values are of the kind ${describeValue(name)}`,
          remedy: 'use where(), in() or range(), or declare it with custom()',
        }
}

function asyncFindings({ deserialize }: FilterSpec): readonly Finding[] {
  return isAsyncFunction(deserialize)
    ? [{ problem: `deserializeUsing() was given ${describeValue(deserialize)}`, remedy: synchronousRemedy }]
    : []
}

function relationFindings(
  relation: string,
  { over }: DeclaredQuery<FilterSpec>,
  context: BuildContext,
): readonly Finding[] {
  if (over === null) return []
  const found = over.type.relationNamed.get(relation)
  if (found !== undefined) {
    const problem = refuseUnqueryable(found, over, context)
    return problem === null
      ? []
      : [{ problem: `cannot be queried: ${problem}`, remedy: 'remove the filter, or declare it with custom()' }]
  }
  const names = [...over.type.relationNamed.keys()]
  return [
    {
      problem: `refers to ${describeValue(relation)}, which is not a relation of '${over.type.type}'`,
      remedy: names.length === 0 ? 'declare the relation, or remove the filter' : `name ${oneOf(names)}`,
    },
  ]
}

/** The rows of a composed condition must be of one type, since the filter kit names its columns. */
function matchingFindings(
  { relation, matching }: Extract<FilterTest, { kind: 'has' }>,
  { key, over }: DeclaredQuery<FilterSpec>,
): readonly Finding[] {
  if (matching === null) return []
  if (typeof matching !== 'function') return customFindings(matching)
  const found = over?.type.relationNamed.get(relation ?? key)
  const isPolymorphic = found?.spec.traits.polymorphic === true
  return [
    ...composeFindings(matching),
    ...(isPolymorphic
      ? [
          {
            problem: 'composes a condition for rows of several types',
            remedy: 'give matches and apply instead of where',
          },
        ]
      : []),
  ]
}

function composeFindings(compose: ComposeFilter): readonly Finding[] {
  return isAsyncFunction(compose) ? [{ problem: `where is ${describeValue(compose)}`, remedy: synchronousRemedy }] : []
}

function customFindings(declared: CustomFilter | undefined): readonly Finding[] {
  const { matches, apply }: { readonly [Member in keyof CustomFilter]: unknown } = declared ?? {}
  if (isAsyncFunction(matches)) return [{ problem: `matches is ${describeValue(matches)}`, remedy: synchronousRemedy }]
  if (matches !== undefined && typeof matches !== 'function') {
    return [{ problem: `matches is ${describeValue(matches)}`, remedy: 'give a function that takes a row and a value' }]
  }
  if (matches !== undefined || (apply !== undefined && apply !== null)) return []
  return [
    {
      problem: 'has none of where, matches and apply, so that no store can execute it',
      remedy: 'give where, which composes other filters, or the other two',
    },
  ]
}
