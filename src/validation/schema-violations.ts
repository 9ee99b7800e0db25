import type { Constraint } from '../resource/fields/constraint.js'
import type { MomentFormat } from '../resource/fields/moment-format.js'
import type { RuleContext } from './rule-context.js'
import type { Violation } from './violation.js'
import { noViolations, valueViolation } from './violation.js'

type SchemaConstraint = Extract<Constraint, { kind: 'schema' }>

/** Checks a constraint that is written as JSON Schema. Every rule except `shape()` reports at most one violation. */
export function schemaViolations(
  constraint: SchemaConstraint,
  value: unknown,
  { spec, schemas, limit }: Pick<RuleContext, 'spec' | 'schemas' | 'limit'>,
): readonly Violation[] {
  const { name, schema } = constraint
  const { moment } = spec.kind
  if (moment !== null && typeof value === 'string') {
    if (name === 'notIn') return isListed(schema['not'], value, moment) ? valueViolation(notAllowed) : noViolations
    if (name === 'in' && isListed(schema, value, moment)) return noViolations
  }
  return schemas.violations(schema, value, name === 'shape' ? limit : 1)
}

const notAllowed = 'This is one of the values that are not allowed.'

/** Whether a list has the moment of a value. Compares instants, because one moment can be written in several ways. */
function isListed(set: unknown, value: string, moment: MomentFormat): boolean {
  const { enum: listed } = set as { readonly enum?: readonly unknown[] }
  const instant = moment.read(value)?.getTime()
  return (listed ?? []).some((each) => typeof each === 'string' && moment.read(each)?.getTime() === instant)
}
