import type { AttributeSpec } from '../../resource/fields/attribute-declaration.js'
import type { Constraint } from '../../resource/fields/constraint.js'
import { attributePlaces } from './attribute-places.js'
import type { BuildRule, TypeFault } from '../declared/build-rule.js'
import { eachType } from '../declared/build-rule.js'
import { isConstraint } from './constraint-lists.js'
import { shown } from '../declared/shown.js'

const types: ReadonlyMap<unknown, (value: unknown) => boolean> = new Map([
  ['string', (value) => typeof value === 'string'],
  ['number', (value) => Number.isFinite(value)],
  ['integer', (value) => Number.isInteger(value)],
  ['boolean', (value) => typeof value === 'boolean'],
  ['array', (value) => Array.isArray(value)],
  ['object', (value) => typeof value === 'object' && value !== null && !Array.isArray(value)],
])

/** The values of `in()`, `notIn()` and `enum()` are some, and of the attribute's JSON type. */
export const valueSets: BuildRule = eachType(({ type }) =>
  attributePlaces(type).flatMap(({ member, spec }) =>
    spec.constraints
      .filter(isConstraint)
      .flatMap((constraint) => judge(constraint, spec))
      .map((found) => ({ member, ...found })),
  ),
)

function judge(constraint: Constraint, { kind, enumeration }: AttributeSpec): readonly Omit<TypeFault, 'member'>[] {
  if (constraint.kind !== 'schema' || (constraint.name !== 'in' && constraint.name !== 'notIn')) return []
  const values = constraint.name === 'in' ? constraint.schema['enum'] : excluded(constraint.schema['not'])
  const modifier =
    enumeration !== null && enumeration.values.length === sizeOf(values) ? 'enum()' : `${constraint.name}()`
  if (!Array.isArray(values) || values.length === 0) {
    return [{ problem: `${modifier} has no values`, remedy: `give some, or take ${modifier} away` }]
  }
  const fits = types.get(kind.schema['type']) ?? (() => true)
  return values
    .filter((value: unknown) => value !== null && !fits(value))
    .map((value: unknown) => ({
      problem: `${modifier} has the value ${shown(value)}, which is no ${kind.name}`,
      remedy: 'give values of that kind, or declare the attribute as another',
    }))
}

function excluded(not: unknown): unknown {
  return typeof not === 'object' && not !== null && 'enum' in not ? not.enum : null
}

function sizeOf(values: unknown): number {
  return Array.isArray(values) ? values.length : 0
}
