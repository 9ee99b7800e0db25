import { thrownMessage } from '../../../core/errors/describe-thrown.js'
import type { SchemaValidator } from '../../../serve/validation/schema-validator.js'
import { schemaValidator } from '../../../serve/validation/schema-validator.js'
import type { JsonSchema } from '../../../declare/resource/parts/json-schema.js'
import type { BuildFault } from '../declared/build-fault.js'
import type { BuildRule } from '../declared/build-rule.js'
import { typeLabel } from '../declared/build-rule.js'
import { constraintLists } from './constraint-lists.js'

interface Shape {
  readonly type: string
  readonly member: string
  readonly schema: JsonSchema
}

/** Checks that the raw JSON Schema of `shape()` can be compiled, so that it cannot fail in a request. */
export const valueSchemas: BuildRule = ({ types }) => {
  const shapes = types.flatMap((declared) =>
    constraintLists(declared.type).flatMap(({ member, constraints }) =>
      constraints.flatMap((constraint): readonly Shape[] =>
        constraint.kind === 'schema' && constraint.name === 'shape'
          ? [{ type: typeLabel(declared), member, schema: constraint.schema }]
          : [],
      ),
    ),
  )
  if (shapes.length === 0) return []
  const validator = schemaValidator({ isSound: false })
  return shapes.flatMap((shape) => schemaFaults(shape, validator))
}

function schemaFaults({ type, member, schema }: Shape, validator: SchemaValidator): readonly BuildFault[] {
  try {
    validator.violations(schema, null)
    return []
  } catch (thrown) {
    const problem = `the schema of shape() cannot be compiled: ${thrownMessage(thrown).replaceAll('\n', ' ')}`
    return [{ type, member, problem, remedy: 'write it as JSON Schema 2020-12, without references to other documents' }]
  }
}
