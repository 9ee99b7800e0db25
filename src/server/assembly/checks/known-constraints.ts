import type { Constraint } from '../../../declare/resource/fields/constraint.js'
import { synchronousRemedy, isAsyncFunction } from '../declared/async-function.js'
import type { BuildRule } from '../declared/build-rule.js'
import { eachType } from '../declared/build-rule.js'
import { constrainedMembers, constraintLists, isConstraint } from './constraint-lists.js'
import { describeValue } from '../declared/describe-value.js'

/** Checks that constraints are known, and that the functions in them can be called. */
export const knownConstraints: BuildRule = eachType(({ type }) => [
  ...constrainedMembers(type).flatMap(({ member, constraints }) =>
    unknownConstraints(constraints).map((found) => ({ member, ...found })),
  ),
  ...constraintLists(type).flatMap(({ member, constraints }) =>
    constraints
      .flatMap(nestedConstraints)
      .flatMap((found) => unknownConstraints(found).map((fault) => ({ member, ...fault }))),
  ),
  ...constraintLists(type).flatMap(({ member, constraints }) =>
    constraints.filter(isUncallable).map((constraint) => ({
      member,
      problem: `the constraint '${constraint.kind}' has no function to call`,
      remedy: remedies[constraint.kind] ?? 'give it a function',
    })),
  ),
  ...constraintLists(type).flatMap(({ member, constraints }) =>
    constraints.flatMap((constraint) =>
      Object.values(constraint)
        .filter(isAsyncFunction)
        .map(() => ({
          member,
          problem: `the constraint '${constraint.kind}' has an async function`,
          remedy: synchronousRemedy,
        })),
    ),
  ),
])

const remedies: Readonly<Partial<Record<Constraint['kind'], string>>> = Object.freeze({
  when: 'give a function that takes the value: when((value) => …, …)',
  custom: "give a function that takes the value: rule.custom('name', (value) => …)",
  standard: 'give a Standard Schema validator, such as one of Zod or Valibot',
})

function unknownConstraints(
  constraints: readonly unknown[],
): readonly { readonly problem: string; readonly remedy: string }[] {
  return constraints
    .filter((constraint) => !isConstraint(constraint))
    .map((constraint) => ({
      problem: `${describeValue(constraint)} is not a constraint`,
      remedy: 'give constraints of the catalogue, such as rule.minLength(1)',
    }))
}

function nestedConstraints(constraint: Constraint): readonly (readonly unknown[])[] {
  switch (constraint.kind) {
    case 'each':
    case 'sequentially':
    case 'when':
      return [constraint.constraints]
    case 'atLeastOneOf':
      return [constraint.alternatives]
    default:
      return []
  }
}

function isUncallable(constraint: Constraint): boolean {
  switch (constraint.kind) {
    case 'when':
      return typeof constraint.condition !== 'function'
    case 'custom':
      return typeof constraint.test !== 'function'
    case 'standard':
      return !isStandardSchema(constraint.validator)
    default:
      return false
  }
}

function isStandardSchema(validator: unknown): boolean {
  if ((typeof validator !== 'object' && typeof validator !== 'function') || validator === null) return false
  const standard: unknown = '~standard' in validator ? validator['~standard'] : null
  return typeof standard === 'object' && standard !== null && 'validate' in standard
}
