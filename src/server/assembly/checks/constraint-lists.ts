import type { CompiledType } from '../../../declare/resource/compiled/compiled-type.js'
import type { Constraint, ConstraintContext } from '../../../declare/resource/fields/constraint.js'
import { memoize } from '../../../core/util/memoize.js'
import { declaredAttributes } from './declared-attributes.js'

/**
 * For each kind of constraint, whether the parts that the build rules read have the right types. The functions in
 * constraints are checked by the rule knownConstraints.
 */
const hasValidParts: Readonly<Record<Constraint['kind'], (constraint: UnknownMembers) => boolean>> = Object.freeze({
  required: () => true,
  nullable: () => true,
  schema: ({ schema, name }) => typeof schema === 'object' && schema !== null && typeof name === 'string',
  bigintBound: ({ bound }) => typeof bound === 'bigint',
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

type UnknownMembers = Readonly<Record<string, unknown>>

export function isConstraint(value: unknown): value is Constraint {
  if (typeof value !== 'object' || value === null) return false
  const { kind } = value as UnknownMembers
  return (
    typeof kind === 'string' &&
    Object.hasOwn(hasValidParts, kind) &&
    hasValidParts[kind as Constraint['kind']](value as UnknownMembers)
  )
}

/** Constraints that all apply to one value, and the member that declares them. */
export interface ConstraintList {
  readonly member: string
  readonly constraints: readonly Constraint[]
}

/**
 * Returns every list of constraints of a type: of attributes, relations, filters and the id, and the lists inside
 * combinations such as `when()`. Memoized: many rules call it.
 */
export const constraintLists: (type: CompiledType) => readonly ConstraintList[] = memoize((type) =>
  constrainedMembers(type).flatMap(({ member, constraints }) => listsIn(member, constraints)),
)

/** Returns the members of a type that can have constraints, with their declared constraints, valid or not. */
export function constrainedMembers(
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
    ...declaredAttributes(type).map(({ member, spec }) => ({ member, constraints: spec.constraints })),
    ...type.relations.map(({ name, spec }) => ({ member: name, constraints: spec.constraints })),
    ...filters.map(({ member, spec }) => ({ member, constraints: spec?.constraints ?? [] })),
  ]
}

function listsIn(member: string, declared: readonly unknown[]): readonly ConstraintList[] {
  const constraints = declared.filter(isConstraint)
  return [{ member, constraints }, ...constraints.flatMap((constraint) => nestedLists(member, constraint))]
}

function nestedLists(member: string, constraint: Constraint): readonly ConstraintList[] {
  switch (constraint.kind) {
    case 'each':
    case 'sequentially':
    case 'when':
      return listsIn(member, constraint.constraints)
    case 'atLeastOneOf':
      return constraint.alternatives.flatMap((alternative) => listsIn(member, [alternative]))
    default:
      return []
  }
}

/** Returns whether two constraints can apply to the same request. */
export function canApplyTogether(one: ConstraintContext, other: ConstraintContext): boolean {
  return one === 'always' || other === 'always' || one === other
}
