import type { IdSpec } from '../resource/fields/id-declaration.js'
import { stringKind } from '../resource/fields/value-kind.js'
import type { JsonSchema } from '../resource/json-schema.js'
import { describedRules } from './constraint-schema.js'
import { annotatedSchema, mergedSchema } from './merged-schema.js'

/** Returns the schema of ids that clients read. Stored ids may be older than the declared format. */
export function readId({ format, description }: IdSpec): JsonSchema {
  return annotatedSchema(format === 'uuid' ? { type: 'string', format: 'uuid' } : { type: 'string' }, { description })
}

/** Returns the schema of ids that clients send in documents. They must have the declared format. */
export function sentId({ constraints, description }: IdSpec): JsonSchema {
  const { schemas } = describedRules(constraints, null, stringKind)
  return annotatedSchema(mergedSchema({ type: 'string', minLength: 1 }, ...schemas), { description })
}

/** Returns the schema of the id in the path. A path with another id has no route. */
export function pathId({ routePattern, description }: IdSpec): JsonSchema {
  const pattern = routePattern === null ? {} : { pattern: routePattern }
  return annotatedSchema({ type: 'string', minLength: 1, ...pattern }, { description })
}

/** Returns the schema of the id of a new resource: `false` if the server or the store creates it. */
export function createId(spec: IdSpec): { readonly schema: JsonSchema | false; readonly isRequired: boolean } {
  if (spec.clientIds === 'forbidden') return { schema: false, isRequired: false }
  return { schema: sentId(spec), isRequired: spec.clientIds === 'required' }
}
