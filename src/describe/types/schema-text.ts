import type { JsonSchema } from '../../declare/resource/parts/json-schema.js'
import { isPlainObject } from '../../core/util/deep-freeze.js'
import { listType, literalType, objectType, unionType } from './type-text.js'

/** The declaration that the type of an object with arbitrary keys refers to. */
export const jsonValue =
  'type JsonValue = string | number | boolean | null | readonly JsonValue[] | { readonly [name: string]: JsonValue }\n'

/** The type of an object with arbitrary keys. */
const anyObject = '{ readonly [key: string]: JsonValue }'

/** Returns the type of the values that a JSON Schema describes. The rules are those of `SchemaValue`, so that both sources of a contract agree. */
export function schemaType(schema: unknown): string {
  if (!isPlainObject(schema)) return 'unknown'
  if ('const' in schema) return literalType(schema['const'])
  if (Array.isArray(schema['enum'])) return unionType(schema['enum'].map(literalType))
  const alternatives = schema['anyOf'] ?? schema['oneOf']
  if (Array.isArray(alternatives)) return unionOf(alternatives.map(schemaType))
  return unionOf([schema['type']].flat().map((type) => typedText(type, schema)))
}

function typedText(type: unknown, schema: JsonSchema): string {
  switch (type) {
    case 'string':
    case 'boolean':
    case 'null':
      return type
    case 'integer':
    case 'number':
      return 'number'
    case 'array':
      return listType('items' in schema ? schemaType(schema['items']) : 'unknown')
    case 'object':
      return isPlainObject(schema['properties']) ? membersText(schema['properties'], schema['required']) : anyObject
    default:
      return 'unknown'
  }
}

function membersText(members: JsonSchema, required: unknown): string {
  return objectType(
    Object.entries(members).map(([name, schema]) => {
      const isOptional = !Array.isArray(required) || !required.includes(name)
      const description: unknown = isPlainObject(schema) ? schema['description'] : undefined
      return { name, type: schemaType(schema), isOptional, comment: typeof description === 'string' ? description : '' }
    }),
  )
}

/** Every value is `unknown` if one of the types is. */
function unionOf(types: readonly string[]): string {
  return types.includes('unknown') ? 'unknown' : unionType(types)
}
