import type { DocumentPurpose } from '../../declare/resource/fields/attribute-values.js'
import type { JsonSchema } from '../../declare/resource/parts/json-schema.js'
import type { RelationContract } from '../contract/contract.js'
import { anyOf, mergedSchema } from '../contract/merged-schema.js'
import type { Api } from './described-server.js'
import { documentSchemaOf } from './enumerations.js'

/** Returns a reference to the resource identifiers of a type. The server need not have the type. */
export function identifierSchema(api: Api, type: string): JsonSchema {
  const { components, names } = api
  const id = api.find(type)?.id.read ?? { type: 'string' }
  return components.schema(`${names.ofType(type)}ResourceIdentifier`, () => ({
    type: 'object',
    properties: {
      type: { type: 'string', const: type },
      id,
      meta: { type: 'object' },
    },
    required: ['type', 'id'],
  }))
}

/**
 * Returns the schema of the linkage of a relation, as clients read it or send it.
 * https://jsonapi.org/format/1.1/#document-resource-object-linkage
 */
export function linkageSchema(api: Api, relation: RelationContract, purpose: DocumentPurpose): JsonSchema {
  const identifier = memberSchema(api, relation, purpose)
  if (!relation.toMany) return { anyOf: [identifier, { type: 'null' }] }
  const bounds = purpose === 'read' ? [] : relation.bounds[purpose]
  return mergedSchema({ type: 'array', items: identifier }, ...bounds)
}

/** Returns the schema of one member of linkage, with the fields of its join row. */
function memberSchema(api: Api, relation: RelationContract, purpose: DocumentPurpose): JsonSchema {
  const references = relation.related.map((type) => identifierSchema(api, type))
  const pivot = pivotSchema(api, relation, purpose)
  return anyOf(pivot === null ? references : references.map((reference) => withPivot(reference, pivot)))
}

/**
 * Returns the schema of objects with the fields of a join row in their meta, which is required if a field is required. Generators look for
 * them in a part of `allOf`.
 */
export function withPivot(schema: JsonSchema, pivot: JsonSchema): JsonSchema {
  const requiring = (name: string): JsonSchema => (pivot['required'] === undefined ? {} : { required: [name] })
  const meta = { type: 'object', properties: { pivot }, ...requiring('pivot') }
  return { allOf: [schema, { type: 'object', properties: { meta }, ...requiring('meta') }] }
}

/** Returns the schema of the fields of join rows; `null` if the relation has none. */
export function pivotSchema(
  api: Api,
  { pivot }: Pick<RelationContract, 'pivot'>,
  purpose: DocumentPurpose,
): JsonSchema | null {
  return pivot === null ? null : documentSchemaOf(api, pivot[purpose].served)
}
