import { thrownMessage } from '../../errors/describe-thrown.js'
import { schemaValidator } from '../../handler/validation/schema-validator.js'
import type { BuildRule } from './build-rule.js'
import { eachType } from './build-rule.js'
import { constraintLists } from './constraint-lists.js'

/** The raw JSON Schema of `shape()` can be compiled, so that no request finds out that it cannot. */
export const valueSchemas: BuildRule = eachType(({ type }) => {
  const shapes = constraintLists(type).flatMap(({ member, constraints }) =>
    constraints.flatMap((constraint) =>
      constraint.kind === 'schema' && constraint.name === 'shape' ? [{ member, schema: constraint.schema }] : [],
    ),
  )
  return shapes.flatMap(({ member, schema }) => {
    try {
      schemaValidator().violations(schema, null)
      return []
    } catch (thrown) {
      const problem = `the schema of shape() cannot be read: ${thrownMessage(thrown).replaceAll('\n', ' ')}`
      return [{ member, problem, remedy: 'write it as JSON Schema 2020-12, without references to other documents' }]
    }
  })
})
