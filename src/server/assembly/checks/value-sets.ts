import type { AttributeSpec } from '../../../declare/resource/fields/attribute-declaration.js'
import type { Constraint } from '../../../declare/resource/fields/constraint.js'
import { declaredAttributes } from './declared-attributes.js'
import type { BuildRule, TypeFault } from '../declared/build-rule.js'
import { eachType } from '../declared/build-rule.js'
import { isConstraint } from './constraint-lists.js'
import { describeValue } from '../declared/describe-value.js'

const jsonTypes: ReadonlyMap<unknown, (value: unknown) => boolean> = new Map([
  ['string', (value) => typeof value === 'string'],
  ['number', (value) => Number.isFinite(value)],
  ['integer', (value) => Number.isInteger(value)],
  ['boolean', (value) => typeof value === 'boolean'],
  ['array', (value) => Array.isArray(value)],
  ['object', (value) => typeof value === 'object' && value !== null && !Array.isArray(value)],
])

/**
 * Checks that `in()`, `notIn()` and `enum()` have values, that the values have the JSON type of the attribute, and that
 * a second list has no values that the first one excludes.
 */
export const valueSets: BuildRule = eachType(({ type }) =>
  declaredAttributes(type).flatMap(({ member, spec }) =>
    [
      ...spec.constraints.filter(isConstraint).flatMap((constraint) => valueFaults(constraint, spec)),
      ...outsideFaults(spec.constraints.filter(isConstraint)),
    ].map((found) => ({ member, ...found })),
  ),
)

function valueFaults(
  constraint: Constraint,
  { kind, enumeration }: AttributeSpec,
): readonly Omit<TypeFault, 'member'>[] {
  if (constraint.kind !== 'schema' || (constraint.name !== 'in' && constraint.name !== 'notIn')) return []
  const values = constraint.name === 'in' ? constraint.schema['enum'] : excluded(constraint.schema['not'])
  const modifier =
    enumeration !== null && enumeration.values.length === sizeOf(values) ? 'enum()' : `${constraint.name}()`
  if (!Array.isArray(values) || values.length === 0) {
    return [{ problem: `${modifier} has no values`, remedy: `give some, or remove ${modifier}` }]
  }
  const hasType = jsonTypes.get(kind.schema['type']) ?? (() => true)
  const fits = (value: unknown): boolean =>
    hasType(value) && (typeof value !== 'string' || (kind.textProblem?.(value) ?? null) === null)
  return values
    .filter((value: unknown) => value !== null && !fits(value))
    .map((value: unknown) => ({
      problem: `${modifier} has the value ${describeValue(value)}, which is not of the kind ${kind.name}`,
      remedy: 'give values of that kind, or declare the attribute as another kind',
    }))
}

/** Reports values of a later `in()` or `enum()` that an earlier one does not have: no client can send them. */
function outsideFaults(constraints: readonly Constraint[]): readonly Omit<TypeFault, 'member'>[] {
  const [first, ...others] = constraints.flatMap((constraint): readonly (readonly unknown[])[] => {
    const isList = constraint.kind === 'schema' && constraint.name === 'in' && constraint.on === 'always'
    const values: unknown = isList ? constraint.schema['enum'] : null
    return Array.isArray(values) ? [values] : []
  })
  if (first === undefined) return []
  return [...new Set(others.flat())]
    .filter((value) => !first.includes(value))
    .map((value) => ({
      problem: `in() or enum() has the value ${describeValue(value)}, which another in() or enum() of the attribute does not have`,
      remedy: 'list only values that both have, or remove one of the two',
    }))
}

function excluded(not: unknown): unknown {
  return typeof not === 'object' && not !== null && 'enum' in not ? not.enum : null
}

function sizeOf(values: unknown): number {
  return Array.isArray(values) ? values.length : 0
}
