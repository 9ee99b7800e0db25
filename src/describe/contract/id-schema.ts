import type { IdSpec } from '../../declare/resource/fields/id-declaration.js'
import { stringKind } from '../../declare/resource/fields/value-kind.js'
import type { JsonSchema } from '../../declare/resource/parts/json-schema.js'
import { describedRules } from './constraint-schema.js'
import { annotatedSchema, mergedSchema } from './merged-schema.js'

/** Returns the schema of ids that clients read. They match the pattern of the path: a resource with another id has no URL. */
export function readId(spec: IdSpec): JsonSchema {
  const format = spec.format === 'uuid' ? { format: 'uuid' } : {}
  return annotatedSchema({ type: 'string', ...format, ...patternOf(spec) }, { description: spec.description })
}

function patternOf({ routePattern }: IdSpec): JsonSchema {
  return routePattern === null ? {} : { pattern: routePattern }
}

/** Returns the schema of ids that clients send in documents. They must have the declared format. */
export function sentId(spec: IdSpec): JsonSchema {
  const { schemas } = describedRules(spec.constraints, null, stringKind)
  return annotatedSchema(mergedSchema({ type: 'string', minLength: 1, ...patternOf(spec) }, ...schemas), {
    description: spec.description,
  })
}

/** Returns the schema of the id in the path. A path with another id has no route. */
export function pathId(spec: IdSpec): JsonSchema {
  return annotatedSchema({ type: 'string', minLength: 1, ...patternOf(spec) }, { description: spec.description })
}
