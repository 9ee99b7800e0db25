import type { ErrorObject, ValidateFunction } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { JsonSchema } from '../../resource/json-schema.js'
import { schemaMessage } from './schema-message.js'

/** What is wrong with a value, and where in it: `path` is the tokens from the value on. */
export interface Violation {
  readonly path: readonly string[]
  readonly message: string
}

/** Checks values against JSON Schema; each schema is compiled when it is first needed and kept. */
export interface SchemaValidator {
  violations(schema: JsonSchema, value: unknown): readonly Violation[]
}

/** One for a server: declarations are frozen, so a schema object stands for itself as long as it lives. */
export function schemaValidator(): SchemaValidator {
  const ajv = new Ajv2020({
    allErrors: true,
    strict: false,
    unicodeRegExp: false,
    validateFormats: true,
    // 19.99 is a multiple of 0.01, although the division of the two doubles leaves a remainder.
    multipleOfPrecision: 9,
  })
  // The package is CommonJS: its function is the default export of its default export.
  addFormats.default(ajv)
  const compiled = new WeakMap<JsonSchema, ValidateFunction>()
  return Object.freeze({
    violations(schema: JsonSchema, value: unknown): readonly Violation[] {
      let validate = compiled.get(schema)
      if (validate === undefined) {
        validate = ajv.compile(schema)
        compiled.set(schema, validate)
      }
      return validate(value) ? [] : onePerPlace((validate.errors ?? []).filter(isLeaf)).map(violationOf)
    },
  })
}

/** A branch that failed is told by its leaves, unless it is a choice: there the choice itself says more. */
function isLeaf({ keyword, schemaPath }: ErrorObject, _index: number, all: readonly ErrorObject[]): boolean {
  const choice = all.find((other) => other.keyword === 'anyOf' || other.keyword === 'oneOf')
  if (choice !== undefined) return keyword === choice.keyword && schemaPath === choice.schemaPath
  return keyword !== 'if'
}

/** One schema says one thing of a value: where it takes several keywords to say it, the format's name says it best. */
function onePerPlace(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  const places = new Map<string, ErrorObject>()
  for (const error of errors) {
    if (!places.has(error.instancePath) || error.keyword === 'format') places.set(error.instancePath, error)
  }
  return [...places.values()]
}

function violationOf(error: ErrorObject): Violation {
  const path = error.instancePath === '' ? [] : error.instancePath.slice(1).split('/')
  return { path: path.map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~')), message: schemaMessage(error) }
}
