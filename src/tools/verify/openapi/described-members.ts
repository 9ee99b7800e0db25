import { isJsonObject, type JsonObject } from '../../format/inspection/document-inspection.js'
import type { Description } from './description.js'
import type { Schema } from './schema-check.js'

/** The members of an object, as a schema describes them. */
export interface DescribedObject {
  readonly properties: Readonly<Record<string, Schema>>
  readonly required: readonly string[]
}

/** The members of a new resource, as the OpenAPI document describes them. */
export interface DescribedCreation {
  readonly attributes: DescribedObject
  readonly relationships: DescribedObject
  /** Whether a new resource has an id of the client. */
  readonly id: 'never' | 'optional' | 'required'
  /** The schema of the id. */
  readonly idSchema: Schema | null
}

/** Returns how requests to create at an address are described; `null` if they are not. */
export function describedCreation(url: string, description: Description | null): DescribedCreation | null {
  const schema = description?.find('POST', url)?.requestSchema ?? null
  if (description === null || schema === null) return null
  const data = memberOf(membersOf(schema, description), 'data', description)
  if (data === null || !Object.hasOwn(data.properties, 'attributes')) return null
  const none = { properties: {}, required: [] }
  const idSchema = data.properties['id'] ?? null
  const isRequired = data.required.includes('id')
  return {
    attributes: memberOf(data, 'attributes', description) ?? none,
    relationships: memberOf(data, 'relationships', description) ?? none,
    id: isRequired ? 'required' : idSchema === null || idSchema === false ? 'never' : 'optional',
    idSchema,
  }
}

function memberOf(object: DescribedObject, name: string, description: Description): DescribedObject | null {
  const schema = object.properties[name]
  return schema === undefined ? null : membersOf(schema, description)
}

/** Returns the members of an object, with those that the parts of its schema add. */
export function membersOf(schema: Schema, description: Description): DescribedObject {
  const parts = partsOf(schema, description, 0)
  return {
    properties: Object.assign({}, ...parts.map((part) => part['properties'] ?? {})) as Readonly<Record<string, Schema>>,
    required: parts.flatMap((part) => (Array.isArray(part['required']) ? part['required'].map(String) : [])),
  }
}

/** The maximum depth of schemas, which may refer to themselves. */
const deepest = 20

/** Returns the objects that a schema consists of. Of alternatives, uses the first one that is an object. */
export function partsOf(schema: Schema, description: Description, depth: number): readonly JsonObject[] {
  if (typeof schema === 'boolean' || depth > deepest) return []
  const reference = schema['$ref']
  const target = typeof reference === 'string' ? description.resolve(reference) : undefined
  const chosen = [schema['anyOf'], schema['oneOf']].flatMap((choices) => {
    return schemasIn(choices)
      .filter((choice) => typeof choice !== 'boolean' && choice['type'] !== 'null')
      .slice(0, 1)
  })
  const inner = [...(target === undefined ? [] : [target]), ...schemasIn(schema['allOf']), ...chosen]
  return [schema, ...inner.flatMap((part) => partsOf(part, description, depth + 1))]
}

function schemasIn(value: unknown): readonly Schema[] {
  return Array.isArray(value) ? value.filter(isSchema) : []
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'boolean' || isJsonObject(value)
}
