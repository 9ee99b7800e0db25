import type { Deprecation } from '../../declare/resource/parts/deprecation.js'
import type { JsonSchema } from '../../declare/resource/parts/json-schema.js'
import { deprecatedMembers, deprecationNotes } from './deprecated-members.js'

/** Functions that merge two values of a keyword into the stricter one. */
const tighter: Readonly<Record<string, (one: number, other: number) => number>> = Object.freeze({
  minimum: Math.max,
  exclusiveMinimum: Math.max,
  minLength: Math.max,
  minItems: Math.max,
  minProperties: Math.max,
  maximum: Math.min,
  exclusiveMaximum: Math.min,
  maxLength: Math.min,
  maxItems: Math.min,
  maxProperties: Math.min,
})

/** Returns one schema with the rules of all schemas. Keywords that cannot be merged go into `allOf`. */
export function mergedSchema(...schemas: readonly JsonSchema[]): JsonSchema {
  const merged: Record<string, unknown> = {}
  const others: JsonSchema[] = []
  for (const schema of schemas) {
    if (Object.entries(schema).every(([keyword, value]) => isMergeable(merged, keyword, value))) {
      for (const [keyword, value] of Object.entries(schema)) merged[keyword] = mergedValue(merged, keyword, value)
    } else others.push(schema)
  }
  return others.length === 0 ? merged : { ...merged, allOf: others }
}

/** Whether a keyword can be merged. `allOf` cannot: it has the schemas that are not merged. */
function isMergeable(merged: JsonSchema, keyword: string, value: unknown): boolean {
  if (keyword === 'allOf') return false
  return !Object.hasOwn(merged, keyword) || isSame(merged[keyword], value) || areBounds(merged[keyword], keyword, value)
}

function mergedValue(merged: JsonSchema, keyword: string, value: unknown): unknown {
  const current = merged[keyword]
  return areBounds(current, keyword, value) ? tighter[keyword]?.(current as number, value as number) : value
}

function areBounds(current: unknown, keyword: string, value: unknown): boolean {
  return Object.hasOwn(tighter, keyword) && typeof current === 'number' && typeof value === 'number'
}

export function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

/** The schema that no value matches. Some generators fail if it is `false`. */
export const nothing: JsonSchema = Object.freeze({ not: Object.freeze({}) })

/** Returns the schema of values that match one of several schemas. */
export function anyOf(schemas: readonly JsonSchema[]): JsonSchema {
  const [only = nothing, ...others] = schemas
  return others.length === 0 ? only : { anyOf: schemas }
}

/** The keywords of a schema to whose `type` null cannot simply be added. Lists such as `x-enum-varnames` must have an item for each value. */
const combining = ['$ref', 'const', 'not', 'allOf', 'anyOf', 'oneOf', 'if', 'x-enum-varnames', 'x-enum-descriptions']

/** Returns the schema of the same values and null. */
export function nullableSchema(schema: JsonSchema): JsonSchema {
  const { type, enum: values, ...rest } = schema
  if (typeof type !== 'string' || combining.some((keyword) => Object.hasOwn(schema, keyword))) {
    return isAnything(schema) ? schema : { anyOf: [schema, { type: 'null' }] }
  }
  return { type: [type, 'null'], ...(Array.isArray(values) ? { enum: [...values, null] } : {}), ...rest }
}

/** Whether a schema has no keyword that a value could violate. */
function isAnything(schema: JsonSchema): boolean {
  return Object.keys(schema).every((keyword) => ['description', 'examples', 'title', 'deprecated'].includes(keyword))
}

/** The description and the examples of a schema. */
export interface Annotations {
  readonly description: string | null
  readonly examples?: readonly unknown[]
  readonly deprecation?: Deprecation | null
}

/** Returns the schema with its description, followed by sentences, with examples, and with its deprecation. */
export function annotatedSchema(
  schema: JsonSchema,
  { description, examples = [], deprecation = null }: Annotations,
  notes: readonly string[] = [],
): JsonSchema {
  const sentences = [...(description === null ? [] : [description]), ...deprecationNotes(deprecation), ...notes]
  const text = sentences.join('\n\n')
  const full = typeof schema['description'] === 'string' && text !== '' ? `${text}\n\n${schema['description']}` : text
  return {
    ...schema,
    ...(full === '' ? {} : { description: full }),
    ...(examples.length === 0 ? {} : { examples: [...examples] }),
    ...deprecatedMembers(deprecation),
  }
}
