import type { Sentence } from '../../../core/errors/sentence.js'
import { sentence } from '../../../core/errors/sentence.js'
import type { AttributeSpec } from '../../../declare/resource/fields/attribute-declaration.js'
import { attributeOf } from '../../../declare/resource/fields/attribute-declaration.js'
import type { Constraint } from '../../../declare/resource/fields/constraint.js'
import { stringKind } from '../../../declare/resource/fields/value-kind.js'
import type { RequestContext } from '../../../declare/resource/request/request-context.js'
import type { Awaitable } from '../../../core/util/types.js'
import { violationsOf } from '../../validation/constraint-violations.js'
import type { SchemaValidator } from '../../validation/schema-validator.js'
import type { Violation } from '../../validation/violation.js'
import { valueOfType } from './filter-text.js'

/** A value of a filter: the text that was sent, and the wire value of the field that is filtered. */
export interface ConstrainedValue {
  readonly text: string
  readonly wire: unknown
  /** The attribute that defines the format of moments; `null` if the value is a text. */
  readonly attribute: AttributeSpec | null
}

interface ConstraintOptions {
  readonly context: RequestContext
  readonly schemas: SchemaValidator
  readonly limit: number
}

const textAttribute: AttributeSpec = attributeOf(stringKind).spec

/** Checks a value with the constraints of a filter. Returns a message for each violation. */
export async function constraintMessages(
  constraints: readonly Constraint[],
  value: ConstrainedValue,
  options: ConstraintOptions,
): Promise<readonly (Sentence | string)[]> {
  if (constraints.length === 0) return []
  const validation = {
    ...options,
    mode: null,
    sibling: () => undefined,
    spec: value.attribute ?? textAttribute,
  }
  const check = (some: readonly Constraint[]): Awaitable<readonly Violation[]> => {
    const adapted = some.map((constraint) => adaptedTo(constraint, value, options.schemas))
    return violationsOf(adapted, value.wire, validation)
  }
  // The length is checked first, and the other constraints are skipped if it is exceeded: as in bodies, a user-defined
  // pattern must not run on a text that is too long for it.
  const oversize = await check(constraints.filter(limitsLength))
  const violations = oversize.length > 0 ? oversize : await check(constraints.filter((each) => !limitsLength(each)))
  return violations.slice(0, options.limit).map(({ message }) => message)
}

function limitsLength(constraint: Constraint): boolean {
  return constraint.kind === 'schema' && constraint.name === 'maxLength'
}

/**
 * Returns the constraint with each of its parts applied to the right form of the value: text constraints to the sent
 * text, number constraints to the number that this text spells, all others to the wire value. User-defined conditions
 * and tests get `null` instead of the request context.
 */
function adaptedTo(constraint: Constraint, value: ConstrainedValue, schemas: SchemaValidator): Constraint {
  const all = (some: readonly Constraint[]): readonly Constraint[] =>
    some.map((each) => adaptedTo(each, value, schemas))
  switch (constraint.kind) {
    case 'schema':
      return adaptedSchema(constraint, value, schemas)
    case 'sequentially':
      return { ...constraint, constraints: all(constraint.constraints) }
    case 'atLeastOneOf':
      return { ...constraint, alternatives: all(constraint.alternatives) }
    case 'when': {
      const { condition } = constraint
      return { ...constraint, condition: (wire) => condition(wire, null), constraints: all(constraint.constraints) }
    }
    case 'custom': {
      const { test } = constraint
      return { ...constraint, test: (wire) => test(wire, null) }
    }
    default:
      return constraint
  }
}

function adaptedSchema(
  constraint: Extract<Constraint, { kind: 'schema' }>,
  { text: sent, wire }: ConstrainedValue,
  schemas: SchemaValidator,
): Constraint {
  const { family, schema, name, on } = constraint
  const messageFor = (form: unknown): Sentence | string | null =>
    schemas.violations(schema, form, 1)[0]?.message ?? null
  const customConstraint = (test: () => Sentence | string | null): Constraint => ({
    kind: 'custom',
    name,
    on,
    schema: null,
    test,
  })
  if (family === 'text') return customConstraint(() => messageFor(sent))
  if (family !== 'number' || typeof wire === 'number') return constraint
  return customConstraint(() => {
    const number = valueOfType('number', sent)
    return number === undefined ? sentence('number') : messageFor(number)
  })
}
