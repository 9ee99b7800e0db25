import type { ErrorObject, ValidateFunction } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { isJsonObject, type JsonObject } from '../../format/inspection/document-inspection.js'

/** A JSON Schema: an object with keywords, or a boolean. */
export type Schema = boolean | Readonly<Record<string, unknown>>

/** Why a value does not match a schema. */
export interface SchemaProblem {
  /** The pointer to the part of the value that does not match. */
  readonly pointer: string
  readonly text: string
}

/**
 * Returns a function that returns the problem of a value by a schema of an OpenAPI document of any version, or `null`. A schema with a fault,
 * such as a reference that leads nowhere, allows more values than it may have been meant to.
 *
 * @param targetOf returns the target of a reference within the document
 */
export function schemaCheck(
  targetOf: (reference: string) => Schema | undefined,
): (schema: Schema, value: unknown) => SchemaProblem | null {
  const keys = new Map<string, string>()
  const compiled = new Map<Schema, ValidateFunction | null>()
  let ajv: Ajv2020 | null = null

  /** Returns the schema of a reference: the target is a schema of its own, under a name that needs no encoding. */
  function referenceTo(reference: string): Schema {
    const known = keys.get(reference)
    if (known !== undefined) return { $ref: known }
    const target = targetOf(reference)
    if (target === undefined) return true
    const key = `described:${keys.size}`
    keys.set(reference, key)
    ajv?.addSchema({ allOf: [plainSchema(target, referenceTo)] }, key)
    return { $ref: key }
  }

  function compile(schema: Schema): ValidateFunction | null {
    ajv ??= newCompiler()
    try {
      return ajv.compile({ allOf: [plainSchema(schema, referenceTo)] })
    } catch {
      return null
    }
  }

  return (schema, value) => {
    const validate = compiled.get(schema) ?? compile(schema)
    compiled.set(schema, validate)
    return validate === null || validate(value) ? null : problemOf(validate.errors ?? [])
  }
}

/**
 * The schemas are not validated, so the meta-schemas are not needed: to add them takes longer than most schemas. Most functions check a few
 * documents, so that shorter code is not worth the time that it takes: together this halves the time to compile a description.
 */
function newCompiler(): Ajv2020 {
  const ajv = new Ajv2020({
    strict: false,
    meta: false,
    validateSchema: false,
    logger: false,
    multipleOfPrecision: 9,
    inlineRefs: false,
    code: { optimize: false },
  })
  // Other formats are annotations: stored texts may be older than the declaration.
  addFormats.default(ajv, ['date', 'date-time'])
  return ajv
}

/** Returns the deepest of the errors: that of a choice says less than those of its branches. */
function problemOf(errors: readonly ErrorObject[]): SchemaProblem {
  const [error] = errors.toSorted((one, other) => other.instancePath.length - one.instancePath.length)
  const { params, message = 'is not valid', instancePath: pointer = '' } = error ?? {}
  const { allowedValues, allowedValue, additionalProperty } = (params ?? {}) as JsonObject
  const detail = allowedValues ?? allowedValue ?? additionalProperty
  return { pointer, text: detail === undefined ? message : `${message}: ${JSON.stringify(detail)}` }
}

type ReferenceTo = (reference: string) => Schema

/** Returns a schema as one of JSON Schema 2020-12 without faults that would keep it from being compiled. */
function plainSchema(schema: unknown, referenceTo: ReferenceTo): Schema {
  if (typeof schema === 'boolean') return schema
  if (!isJsonObject(schema)) return true
  const { nullable, minimum, maximum, exclusiveMinimum, exclusiveMaximum, ...others } = schema
  const limits = { ...limit('inimum', minimum, exclusiveMinimum), ...limit('aximum', maximum, exclusiveMaximum) }
  const entries = Object.entries(others).flatMap(([name, operand]) => {
    const plain = keywordOf(name, operand, referenceTo)
    return plain === undefined ? [] : [[name, plain] as const]
  })
  const { $ref, ...besides } = Object.fromEntries([...entries, ...Object.entries(limits)])
  const plain = isJsonObject($ref) || $ref === true ? { allOf: [$ref, besides] } : besides
  // OpenAPI 3.0 has no type null.
  return nullable === true ? { anyOf: [{ type: 'null' }, plain] } : plain
}

/** Returns a limit of numbers. In OpenAPI 3.0, `exclusiveMinimum` says whether `minimum` excludes its limit. */
function limit(name: 'inimum' | 'aximum', inclusive: unknown, exclusive: unknown): JsonObject {
  const [plain, strict] = [`m${name}`, `exclusiveM${name}`]
  if (exclusive === true) return typeof inclusive === 'number' ? { [strict]: inclusive } : {}
  return {
    ...(typeof inclusive === 'number' && { [plain]: inclusive }),
    ...(typeof exclusive === 'number' && { [strict]: exclusive }),
  }
}

/** Returns the value of a keyword; `undefined` for one that is left out. */
function keywordOf(name: string, operand: unknown, referenceTo: ReferenceTo): unknown {
  const each = (schema: unknown): Schema => plainSchema(schema, referenceTo)
  if (name === '$ref') return typeof operand === 'string' ? referenceTo(operand) : undefined
  if (name === 'pattern') return isPattern(String(operand)) ? operand : undefined
  if (ofSchema.has(name)) return each(operand)
  if (ofSchemas.has(name)) return Array.isArray(operand) ? operand.map(each) : undefined
  if (ofNamed.has(name) && isJsonObject(operand)) {
    const named = Object.entries(operand).filter(([key]) => name !== 'patternProperties' || isPattern(key))
    return Object.fromEntries(named.map(([key, schema]) => [key, each(schema)]))
  }
  return ofValues.has(name) ? operand : undefined
}

const ofSchema: ReadonlySet<string> = new Set([
  'items',
  'contains',
  'additionalProperties',
  'unevaluatedProperties',
  'unevaluatedItems',
  'propertyNames',
  'not',
  'if',
  'then',
  'else',
])

const ofSchemas: ReadonlySet<string> = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems'])

const ofNamed: ReadonlySet<string> = new Set(['properties', 'patternProperties', 'dependentSchemas'])

const ofValues: ReadonlySet<string> = new Set([
  'type',
  'const',
  'enum',
  'format',
  'multipleOf',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'minContains',
  'maxContains',
  'uniqueItems',
  'minProperties',
  'maxProperties',
  'required',
  'dependentRequired',
])

/** Whether a text is a pattern in JavaScript. */
function isPattern(text: string): boolean {
  try {
    return new RegExp(text, 'u') instanceof RegExp
  } catch {
    return false
  }
}
