import { isPlainObject } from '../../core/util/deep-freeze.js'
import type { JsonSchema } from '../../declare/resource/parts/json-schema.js'
import type { Contract } from '../contract/contract.js'
import { annotatedSchema, mergedSchema, nullableSchema } from '../contract/merged-schema.js'
import { enumerationOf } from '../contract/server-contract.js'
import type { Api } from './described-server.js'

/** Returns a schema of the contract as the OpenAPI document has it: named sets of values are components. */
export function documentSchemaOf({ contract, components, names }: Api, schema: JsonSchema): JsonSchema {
  if (contract.enumerations.length === 0) return schema
  return mapped(schema, (each) => {
    const enumeration = enumerationOf(each, contract)
    if (enumeration === null) return each
    const { name, schema: values } = enumeration
    return { ...each, ...components.schema(names.ofEnumeration(name, values), () => values) }
  }) as JsonSchema
}

/** Returns a schema of the contract that refers to nothing: it contains the named sets of values. */
export function inlined(contract: Contract, schema: JsonSchema): JsonSchema {
  if (contract.enumerations.length === 0) return schema
  return mapped(schema, (each, original) => {
    const enumeration = enumerationOf(each, contract)
    if (enumeration !== null) return withValues(enumeration.schema, each)
    const [first, ...others] = Array.isArray(original['anyOf']) ? (original['anyOf'] as readonly JsonSchema[]) : []
    const isOptional = first !== undefined && others.length === 1 && others[0]?.['type'] === 'null'
    if (!isOptional || enumerationOf(first, contract) === null) return each
    const [values] = each['anyOf'] as readonly [JsonSchema]
    return withValues(nullableSchema(values), { ...each, anyOf: undefined })
  }) as JsonSchema
}

/** Returns the schema of a set of values, with the keywords of the schema that refers to it. */
function withValues(values: JsonSchema, schema: JsonSchema): JsonSchema {
  const { $ref: _, anyOf: __, description, examples, ...others } = schema
  const rules = Object.entries(others).filter((member) => !isNote(member))
  const annotated = annotatedSchema(mergedSchema(values, Object.fromEntries(rules)), {
    description: typeof description === 'string' ? description : null,
    examples: (examples ?? []) as readonly unknown[],
  })
  return { ...annotated, ...Object.fromEntries(Object.entries(others).filter(isNote)) }
}

/** Whether a member of a schema is neither a rule nor a text. */
function isNote([name]: readonly [string, unknown]): boolean {
  return name === 'deprecated' || name.startsWith('x-')
}

/** Returns a copy of a value, with each object in it replaced, the innermost first. */
function mapped(value: unknown, replace: (schema: JsonSchema, original: JsonSchema) => JsonSchema): unknown {
  if (Array.isArray(value)) return value.map((each: unknown) => mapped(each, replace))
  if (!isPlainObject(value)) return value
  const members = Object.entries(value).map(([name, member]) => [name, mapped(member, replace)] as const)
  return replace(Object.fromEntries(members), value)
}
