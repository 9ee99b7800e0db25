import type { CompiledType } from '../../resource/compiled-type.js'
import type { Constraint, ConstraintContext } from '../../resource/fields/constraint.js'
import { oncePer } from '../../util/once-per.js'
import { attributePlaces } from './attribute-places.js'

/** What each kind of constraint holds that is looked into here; the functions in it have a rule of their own. */
const parts: Readonly<Record<Constraint['kind'], (constraint: Loose) => boolean>> = Object.freeze({
  required: () => true,
  nullable: () => true,
  schema: ({ schema, name }) => typeof schema === 'object' && schema !== null && typeof name === 'string',
  before: () => true,
  after: () => true,
  between: () => true,
  each: ({ constraints }) => Array.isArray(constraints),
  sequentially: ({ constraints }) => Array.isArray(constraints),
  atLeastOneOf: ({ alternatives }) => Array.isArray(alternatives),
  when: ({ constraints }) => Array.isArray(constraints),
  compare: () => true,
  unique: ({ fields }) => Array.isArray(fields),
  standard: () => true,
  custom: () => true,
})

type Loose = Readonly<Record<string, unknown>>

export function isConstraint(value: unknown): value is Constraint {
  if (typeof value !== 'object' || value === null) return false
  const { kind } = value as Loose
  return typeof kind === 'string' && Object.hasOwn(parts, kind) && parts[kind as Constraint['kind']](value as Loose)
}

/** Constraints that hold together, and the member they were put on. */
export interface ConstraintList {
  readonly member: string
  readonly constraints: readonly Constraint[]
}

/**
 * Every list of constraints of a type: of attributes, relations, filters and the id, and those inside combinations. Many
 * rules ask for them.
 */
export const constraintLists: (type: CompiledType) => readonly ConstraintList[] = oncePer((type) =>
  constrained(type).flatMap(({ member, constraints }) => nested(member, constraints)),
)

/** The members of a type that constraints were put on, with what was put on them, whatever it is. */
export function constrained(
  type: CompiledType,
): readonly { readonly member: string; readonly constraints: readonly unknown[] }[] {
  const filters = [
    ...Object.entries(type.filters).map(([key, spec]) => ({ member: `filters.${key}`, spec })),
    ...type.relations.flatMap(({ name, spec }) =>
      Object.entries(spec.filters).map(([key, filter]) => ({ member: `${name}.filters.${key}`, spec: filter })),
    ),
  ]
  return [
    ...type.ids.map(({ spec }) => ({ member: 'id', constraints: spec.constraints })),
    ...attributePlaces(type).map(({ member, spec }) => ({ member, constraints: spec.constraints })),
    ...type.relations.map(({ name, spec }) => ({ member: name, constraints: spec.constraints })),
    ...filters.map(({ member, spec }) => ({ member, constraints: spec?.constraints ?? [] })),
  ]
}

function nested(member: string, given: readonly unknown[]): readonly ConstraintList[] {
  const constraints = given.filter(isConstraint)
  return [{ member, constraints }, ...constraints.flatMap((constraint) => inner(member, constraint))]
}

function inner(member: string, constraint: Constraint): readonly ConstraintList[] {
  switch (constraint.kind) {
    case 'each':
    case 'sequentially':
    case 'when':
      return nested(member, constraint.constraints)
    case 'atLeastOneOf':
      return constraint.alternatives.flatMap((alternative) => nested(member, [alternative]))
    default:
      return []
  }
}

/** Whether two constraints ever hold in one request. */
export function meet(one: ConstraintContext, other: ConstraintContext): boolean {
  return one === 'always' || other === 'always' || one === other
}
