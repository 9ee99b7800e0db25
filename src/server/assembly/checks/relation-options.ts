import type { Constraint } from '../../../declare/resource/fields/constraint.js'
import type { RelationSpec } from '../../../declare/resource/relations/relation-spec.js'
import type { BuildRule } from '../declared/build-rule.js'
import { eachType } from '../declared/build-rule.js'
import { isConstraint } from './constraint-lists.js'

interface UselessOption {
  readonly isUsed: (spec: RelationSpec) => boolean
  readonly problem: string
  readonly remedy: string
}

/** Options that have no effect in any request. */
const uselessOptions: readonly UselessOption[] = Object.freeze([
  {
    isUsed: ({ countable, traits }) => countable && !traits.toMany,
    problem: 'is countable(), but a to-one relation has nothing to count',
    remedy: 'remove countable()',
  },
  {
    isUsed: ({ filters, traits }) => traits.polymorphic && Object.keys(filters).length > 0,
    problem: 'has filters, but members of several types have nothing in common to filter by',
    remedy: 'remove withFilters()',
  },
  {
    isUsed: ({ sorts, traits }) => traits.polymorphic && Object.keys(sorts).length > 0,
    problem: 'has sorts, but members of several types have nothing in common to sort by',
    remedy: 'remove withSorts()',
  },
  {
    isUsed: ({ sorts, traits }) => !traits.polymorphic && !traits.toMany && Object.keys(sorts).length > 0,
    problem: 'has sorts, but a to-one relation has nothing to sort',
    remedy: 'remove withSorts()',
  },
  {
    isUsed: ({ defaultSort, traits }) => defaultSort !== null && (traits.polymorphic || !traits.toMany),
    problem: 'has a defaultSort(), but only a to-many relation to one type can be sorted',
    remedy: 'remove defaultSort()',
  },
  {
    isUsed: ({ includableIf, cannotBeIncluded }) => includableIf !== null && cannotBeIncluded === true,
    problem: 'is includableIf(), but cannotBeIncluded() by anybody',
    remedy: 'remove one of the two',
  },
  {
    isUsed: ({ constraints, traits }) => traits.toMany && hasConstraint(constraints, 'nullable'),
    problem: 'is nullable(), but a to-many relation is empty, never null',
    remedy: 'remove nullable()',
  },
  {
    isUsed: ({ constraints }) => constraints.some((constraint) => !fitsLinkage(constraint)),
    problem: 'has a constraint that does not apply to linkage',
    remedy:
      'keep only required(), nullable(), minItems() and maxItems(), alone or combined, and put other constraints on the related type',
  },
])

/** Checks that the options of a relation have an effect for its kind. */
export const relationOptions: BuildRule = eachType(({ type }) =>
  type.relations.flatMap(({ name: member, spec }) =>
    uselessOptions.filter(({ isUsed }) => isUsed(spec)).map(({ problem, remedy }) => ({ member, problem, remedy })),
  ),
)

function hasConstraint(constraints: readonly unknown[], kind: Constraint['kind']): boolean {
  return constraints.some((constraint) => isConstraint(constraint) && constraint.kind === kind)
}

/** Values that are not constraints are reported by the rule knownConstraints. */
function fitsLinkage(constraint: unknown): boolean {
  if (!isConstraint(constraint)) return true
  switch (constraint.kind) {
    case 'required':
    case 'nullable':
      return true
    case 'schema':
      return constraint.name === 'minItems' || constraint.name === 'maxItems'
    case 'sequentially':
    case 'when':
      return constraint.constraints.every(fitsLinkage)
    case 'atLeastOneOf':
      return constraint.alternatives.every(fitsLinkage)
    default:
      return false
  }
}
