import type { ServedRelation } from '../../declare/resource/capabilities/served-type.js'
import type { ChildSpecs } from '../../declare/resource/fields/attribute-declaration.js'
import type { DocumentPurpose } from '../../declare/resource/fields/attribute-values.js'
import type { JsonSchema } from '../../declare/resource/parts/json-schema.js'
import { describedRules } from './constraint-schema.js'
import { stringKind } from '../../declare/resource/fields/value-kind.js'
import type { Api } from './described-server.js'
import { enumerations } from './enumerations.js'
import { readId } from './id-schema.js'
import { mergedSchema } from './merged-schema.js'
import { membersSchema } from './value-schema.js'

/** Returns a reference to the resource identifiers of a type. The server need not have the type. */
export function identifierSchema(api: Api, type: string): JsonSchema {
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

/** Returns the names of the related types of a relation. */
export function targetNames({ spec, related }: ServedRelation): readonly string[] {
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
  const pivot = pivotSchema(api, relation, purpose)
  const members = pivot === null ? references : references.map((reference) => withPivot(reference, pivot))
  const [only] = members
  return members.length === 1 && only !== undefined ? only : { anyOf: members }
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
  { spec: { pivot } }: Pick<ServedRelation, 'spec'>,
  purpose: DocumentPurpose,
): JsonSchema | null {
  if (Object.keys(pivot).length === 0) return null
  const { properties, required } = membersSchema(pivot, purpose, enumerations(api))
  return {
    type: 'object',
    properties:
      purpose === 'read' ? markedReadOnly(properties as Readonly<Record<string, JsonSchema>>, pivot) : properties,
    // A member that stays in the relationship need not repeat its fields.
    ...(purpose !== 'update' && required !== undefined ? { required } : {}),
  }
}

/** Marks the fields that cannot be written. */
function markedReadOnly(properties: Readonly<Record<string, JsonSchema>>, fields: ChildSpecs): JsonSchema {
  const isReadOnly = (name: string): boolean =>
    fields[name]?.readOnlyOnCreate === true && fields[name].readOnlyOnUpdate === true
  return Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [
      name,
      isReadOnly(name) ? { ...schema, readOnly: true } : schema,
    ]),
  )
}
