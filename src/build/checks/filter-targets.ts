import type { ValueKind } from '../../resource/fields/value-kind.js'
import type { CustomFilter, FilterSpec, FilterTest } from '../../resource/filters/filter-spec.js'
import { isFilterSpec } from '../../resource/fields/spec-shape.js'
import { refuseUnasked } from './asked-relations.js'
import { atOnce, isAsyncFunction } from '../declared/async-function.js'
import type { BuildRule, BuildWorld, DeclaredType } from '../declared/build-rule.js'
import { eachType } from '../declared/build-rule.js'
import type { Query } from './query-scopes.js'
import { filterQueries } from './query-scopes.js'
import type { Finding } from './query-targets.js'
import { pathFindings, targetFindings } from './query-targets.js'
import { refuseSeveralTypes } from './relation-paths.js'
import { oneOf, shown } from '../declared/shown.js'

/** Filters aim at attributes, columns, relations and paths that are there; custom ones can be executed. */
export const filterTargets: BuildRule = eachType((declared, world) =>
  filterQueries(declared, world).flatMap((query) =>
    [...judge(query, world), ...lateValues(query.spec)].map((finding) => ({ member: query.member, ...finding })),
  ),
)

function judge(query: Query<FilterSpec>, world: BuildWorld): readonly Finding[] {
  const { key, spec, over } = query
  const test: FilterTest = spec.test
  switch (test.kind) {
    case 'compare':
    case 'range':
    case 'in':
    case 'null':
      return targetFindings(test.column ?? key, { ...query, world, refuseKind: refusedKind(test) })
    case 'idIn':
      return []
    case 'has':
      return [
        ...relationFindings(test.relation ?? key, query, world),
        ...(test.matching === null ? [] : custom(test.matching)),
      ]
    case 'through':
      return pathFindings(test.path ?? key, {
        over,
        world,
        refuse: (relation, owner) => refuseSeveralTypes(relation, owner) ?? refuseUnasked(relation, owner, world),
        refuseKind: refusedKind(test),
      })
    case 'all':
    case 'any':
      // What is no filter was noted when the group was read.
      return Object.entries(test.filters).flatMap(([member, child]: [string, unknown]) => {
        if (!isFilterSpec(child)) return []
        return child.test.kind === 'trashed' ? [inGroup] : judge({ ...query, key: member, spec: child }, world)
      })
    case 'trashed':
      return over === null || over.type.softDeletes !== null ? [] : [notTrashed(over)]
    case 'custom':
      return custom(test.custom)
    default:
      return [
        { problem: `${shown((test as { kind: unknown }).kind)} is no kind of filter`, remedy: 'use the filter kit' },
      ]
  }
}

/** A group says which rows are meant; this says which are there. */
const inGroup: Finding = Object.freeze({
  problem: 'has withTrashed() or onlyTrashed() in a group',
  remedy: 'declare it under a key of its own',
})

function notTrashed({ type }: DeclaredType): Finding {
  return {
    problem: `asks for deleted rows of '${type.type}', which has no softDeletes`,
    remedy: 'take the filter away, or declare softDeletes there',
  }
}

/** Only text has parts to look for. */
function refusedKind(test: FilterTest): (kind: ValueKind) => Finding | null {
  const operator = test.kind === 'compare' || test.kind === 'through' ? test.operator : '='
  if (operator !== 'like' && operator !== 'starts' && operator !== 'ends') return () => null
  return ({ name, comparedAs }) =>
    comparedAs === 'text'
      ? null
      : {
          problem: `looks for a part of a text where values are of the kind ${shown(name)}`,
          remedy: 'use where(), in() or range(), or declare it with custom()',
        }
}

function lateValues({ deserialize }: FilterSpec): readonly Finding[] {
  return isAsyncFunction(deserialize)
    ? [{ problem: `deserializeUsing() was given ${shown(deserialize)}`, remedy: atOnce }]
    : []
}

function relationFindings(relation: string, { over }: Query<FilterSpec>, world: BuildWorld): readonly Finding[] {
  if (over === null) return []
  const found = over.type.relationNamed.get(relation)
  if (found !== undefined) {
    const problem = refuseUnasked(found, over, world)
    return problem === null
      ? []
      : [{ problem: `cannot be asked: ${problem}`, remedy: 'take the filter away, or declare it with custom()' }]
  }
  const names = [...over.type.relationNamed.keys()]
  return [
    {
      problem: `aims at ${shown(relation)}, which is no relation of '${over.type.type}'`,
      remedy: names.length === 0 ? 'declare the relation, or take the filter away' : `name ${oneOf(names)}`,
    },
  ]
}

function custom(given: CustomFilter | undefined): readonly Finding[] {
  const { matches, apply }: { readonly [Member in keyof CustomFilter]: unknown } = given ?? {}
  if (isAsyncFunction(matches)) return [{ problem: `matches is ${shown(matches)}`, remedy: atOnce }]
  if (matches !== undefined && typeof matches !== 'function') {
    return [{ problem: `matches is ${shown(matches)}`, remedy: 'give a function of a row and a value' }]
  }
  if (matches !== undefined || (apply !== undefined && apply !== null)) return []
  return [
    {
      problem: 'has neither matches nor apply, so that no store can execute it',
      remedy: 'give one of the two, or both',
    },
  ]
}
