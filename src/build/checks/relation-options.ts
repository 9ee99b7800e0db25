import type { Constraint } from '../../resource/fields/constraint.js'
import type { RelationSpec } from '../../resource/relations/relation-spec.js'
import type { BuildRule } from '../declared/build-rule.js'
import { eachType } from '../declared/build-rule.js'
import { isConstraint } from './constraint-lists.js'

interface Senseless {
  readonly isSaid: (spec: RelationSpec) => boolean
  readonly problem: string
  readonly remedy: string
}

/** Options that no request could ever see the effect of. */
const senseless: readonly Senseless[] = Object.freeze([
  {
    isSaid: ({ countable, traits }) => countable && !traits.toMany,
    problem: 'is countable(), and a to-one relation has nothing to count',
    remedy: 'take countable() away',
  },
  {
    isSaid: ({ filters, traits }) => traits.polymorphic && Object.keys(filters).length > 0,
    problem: 'has filters, and members of several types have nothing in common to filter by',
    remedy: 'take withFilters() away',
  },
  {
    isSaid: ({ sorts, traits }) => traits.polymorphic && Object.keys(sorts).length > 0,
    problem: 'has sorts, and members of several types have nothing in common to sort by',
    remedy: 'take withSorts() away',
  },
  {
    isSaid: ({ sorts, traits }) => !traits.polymorphic && !traits.toMany && Object.keys(sorts).length > 0,
    problem: 'has sorts, and a to-one relation has nothing to sort',
    remedy: 'take withSorts() away',
  },
  {
    isSaid: ({ defaultSort, traits }) => defaultSort !== null && (traits.polymorphic || !traits.toMany),
    problem: 'has a defaultSort(), and only members of one type, several of them, can be sorted',
    remedy: 'take defaultSort() away',
  },
  {
    isSaid: ({ constraints, traits }) => traits.toMany && says(constraints, 'nullable'),
    problem: 'is nullable(), and a to-many relation is empty, never null',
    remedy: 'take nullable() away',
  },
  {
    isSaid: ({ constraints }) => constraints.some((constraint) => !fitsLinkage(constraint)),
    problem: 'has a constraint that linkage cannot be held to',
    remedy:
      'keep required(), nullable(), minItems() and maxItems(), alone or combined, and put the others on the related type',
  },
])

/** Options of a relation make sense for its kind. */
export const relationOptions: BuildRule = eachType(({ type }) =>
  type.relations.flatMap(({ name: member, spec }) =>
    senseless.filter(({ isSaid }) => isSaid(spec)).map(({ problem, remedy }) => ({ member, problem, remedy })),
  ),
)

function says(constraints: readonly unknown[], kind: Constraint['kind']): boolean {
  return constraints.some((constraint) => isConstraint(constraint) && constraint.kind === kind)
}

/** What is no constraint at all is told by another rule. */
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
