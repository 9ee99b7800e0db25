import type { ErrorObject, ValidateFunction } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { JsonSchema } from '../../resource/json-schema.js'
import { isPlainObject } from '../../util/frozen.js'
import { schemaMessage } from './schema-message.js'

/** What is wrong with a value, and where in it: `path` is the tokens from the value on. */
export interface Violation {
  readonly path: readonly string[]
  readonly message: string
}

/** Checks values against JSON Schema; each schema is compiled when it is first needed and kept. */
export interface SchemaValidator {
  /** At most `limit` of them. */
  violations(schema: JsonSchema, value: unknown, limit?: number): readonly Violation[]
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
  // The library compares every item with every other, which a client's long list turns into minutes.
  ajv.removeKeyword('uniqueItems')
  ajv.addKeyword({ keyword: 'uniqueItems', type: 'array', schemaType: 'boolean', validate: hasUniqueItems })
  const compiled = new WeakMap<JsonSchema, ValidateFunction>()
  return Object.freeze({
    violations(schema: JsonSchema, value: unknown, limit = Number.POSITIVE_INFINITY): readonly Violation[] {
      let validate = compiled.get(schema)
      if (validate === undefined) {
        validate = ajv.compile(schema)
        compiled.set(schema, validate)
      }
      return validate(value) ? [] : onePerPlace(leaves(validate.errors ?? []), limit).map(violationOf)
    },
  })
}

function hasUniqueItems(wanted: boolean, items: readonly unknown[]): boolean {
  return !wanted || new Set(items.map(canonical)).size === items.length
}

/** JSON text in which equal values are equal texts: members in the order of their names. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_name, member: unknown) =>
    isPlainObject(member)
      ? Object.fromEntries(Object.entries(member).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  )
}

/** A branch that failed is told by its leaves, unless it is a choice: there the choice itself says more. */
function leaves(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  const choice = errors.find(({ keyword }) => keyword === 'anyOf' || keyword === 'oneOf')
  if (choice === undefined) return errors.filter(({ keyword }) => keyword !== 'if')
  return errors.filter(({ keyword, schemaPath }) => keyword === choice.keyword && schemaPath === choice.schemaPath)
}

/** One schema says one thing of a value: where it takes several keywords to say it, the format's name says it best. */
function onePerPlace(errors: readonly ErrorObject[], limit: number): readonly ErrorObject[] {
  const places = new Map<string, ErrorObject>()
  for (const error of errors) {
    const known = places.has(error.instancePath)
    if (!known && places.size >= limit) break
    if (!known || error.keyword === 'format') places.set(error.instancePath, error)
  }
  return [...places.values()]
}

function violationOf(error: ErrorObject): Violation {
  const path = error.instancePath === '' ? [] : error.instancePath.slice(1).split('/')
  return { path: path.map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~')), message: schemaMessage(error) }
}
