import type { ServedRelation } from '../resource/capabilities/served-type.js'
import type { DocumentPurpose } from '../resource/fields/attribute-values.js'
import type { JsonSchema } from '../resource/json-schema.js'
import { describedRules } from './constraint-schema.js'
import { stringKind } from '../resource/fields/value-kind.js'
import type { Api } from './described-server.js'
import { enumerations } from './enumerations.js'
import { readId } from './id-schema.js'
import { mergedSchema } from './merged-schema.js'
import { membersSchema } from './value-schema.js'

/** Returns a reference to the resource identifiers of a type. The server need not have the type. */
function identifierSchema(api: Api, type: string): JsonSchema {
  const { components, names } = api
  const id = api.find(type)?.type.id.spec
  return components.schema(`${names.ofType(type)}ResourceIdentifier`, () => ({
    type: 'object',
    properties: {
      type: { type: 'string', const: type },
      id: id === undefined ? { type: 'string' } : readId(id),
      meta: { type: 'object' },
    },
    required: ['type', 'id'],
  }))
}

/** The names of the types that a relation leads to. */
function targetNames({ spec, related }: ServedRelation): readonly string[] {
  return related.size === 0 ? spec.targets : [...related.keys()]
}

/**
 * Returns the schema of the linkage of a relation, as clients read it or send it.
 * https://jsonapi.org/format/1.1/#document-resource-object-linkage
 */
export function linkageSchema(api: Api, relation: ServedRelation, purpose: DocumentPurpose): JsonSchema {
  const { spec } = relation
  const identifier = memberSchema(api, relation, purpose)
  if (!spec.traits.toMany) return { anyOf: [identifier, { type: 'null' }] }
  const bounds = purpose === 'read' ? [] : describedRules(spec.constraints, purpose, stringKind).schemas
  return mergedSchema({ type: 'array', items: identifier }, ...bounds)
}

/** Returns the schema of one member of linkage, with the fields of its join row. */
function memberSchema(api: Api, relation: ServedRelation, purpose: DocumentPurpose): JsonSchema {
  const references = targetNames(relation).map((type) => identifierSchema(api, type))
  const [only] = references
  const identifier = references.length === 1 && only !== undefined ? only : { anyOf: references }
  const pivot = pivotSchema(api, relation, purpose)
  if (pivot === null) return identifier
  const meta = { type: 'object', properties: { pivot } }
  return { allOf: [identifier], properties: { meta } }
}

/** Returns the schema of the fields of join rows; `null` if the relation has none. */
export function pivotSchema(
  api: Api,
  { spec: { pivot } }: Pick<ServedRelation, 'spec'>,
  purpose: DocumentPurpose,
): JsonSchema | null {
  if (Object.keys(pivot).length === 0) return null
  // A member that stays in the relationship need not repeat its fields, whatever the write is.
  const { properties, required } = membersSchema(pivot, purpose, enumerations(api))
  return { type: 'object', properties, ...(purpose === 'create' && required !== undefined ? { required } : {}) }
}
