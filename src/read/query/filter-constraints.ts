import type { AttributeSpec } from '../../resource/fields/attribute-declaration.js'
import { attributeOf } from '../../resource/fields/attribute-declaration.js'
import type { Constraint } from '../../resource/fields/constraint.js'
import { stringKind } from '../../resource/fields/value-kind.js'
import type { RequestContext } from '../../resource/request-context.js'
import type { Awaitable } from '../../util/types.js'
import { violationsOf } from '../../validation/constraint-violations.js'
import { schemaMessage } from '../../validation/schema-message.js'
import type { SchemaValidator } from '../../validation/schema-validator.js'
import type { Violation } from '../../validation/violation.js'
import { valueOfType } from './filter-text.js'

/** A value of a filter: as sent, and as the wire value of the field that the filter aims at. */
export interface ConstrainedValue {
  readonly text: string
  readonly wire: unknown
  /** The attribute whose form moments have; `null` for a text. */
  readonly attribute: AttributeSpec | null
}

interface Judging {
  readonly context: RequestContext
  readonly schemas: SchemaValidator
  readonly limit: number
}

const text: AttributeSpec = attributeOf(stringKind).spec

/** What the constraints of a filter find wrong with a value, in sentences. */
export async function constraintMessages(
  constraints: readonly Constraint[],
  value: ConstrainedValue,
  judging: Judging,
): Promise<readonly string[]> {
  if (constraints.length === 0) return []
  const validation = {
    ...judging,
    mode: null,
    sibling: () => undefined,
    spec: value.attribute ?? text,
  }
  const judge = (some: readonly Constraint[]): Awaitable<readonly Violation[]> => {
    const fitted = some.map((constraint) => fittedTo(constraint, value, judging.schemas))
    return violationsOf(fitted, value.wire, validation)
  }
  // The length first, and nothing else where it is exceeded: it shields an author's patterns, as it does in bodies.
  const oversize = await judge(constraints.filter(limitsLength))
  const violations = oversize.length > 0 ? oversize : await judge(constraints.filter((each) => !limitsLength(each)))
  return violations.slice(0, judging.limit).map(({ message }) => message)
}

function limitsLength(constraint: Constraint): boolean {
  return constraint.kind === 'schema' && constraint.name === 'maxLength'
}

/**
 * The constraint with each of its parts put on the form of the value that it is about: forms of text on what was sent,
 * bounds on the number that it spells, everything else on the wire value. Conditions and tests are not told the request.
 */
function fittedTo(constraint: Constraint, value: ConstrainedValue, schemas: SchemaValidator): Constraint {
  const all = (some: readonly Constraint[]): readonly Constraint[] => some.map((each) => fittedTo(each, value, schemas))
  switch (constraint.kind) {
    case 'schema':
      return fittedSchema(constraint, value, schemas)
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

function fittedSchema(
  constraint: Extract<Constraint, { kind: 'schema' }>,
  { text: sent, wire }: ConstrainedValue,
  schemas: SchemaValidator,
): Constraint {
  const { family, schema, name, on } = constraint
  const judged = (form: unknown): string | null => schemas.violations(schema, form, 1)[0]?.message ?? null
  const about = (test: () => string | null): Constraint => ({ kind: 'custom', name, on, schema: null, test })
  if (family === 'text') return about(() => judged(sent))
  if (family !== 'number' || typeof wire === 'number') return constraint
  return about(() => {
    const number = valueOfType('number', sent)
    return number === undefined ? noNumber : judged(number)
  })
}

const noNumber = schemaMessage({ keyword: 'type', params: { type: 'number' }, instancePath: '', schemaPath: '' })
