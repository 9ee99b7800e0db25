import type { ErrorObject, ValidateFunction } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { uuidPattern } from '../../declare/resource/fields/patterns.js'
import type { JsonSchema } from '../../declare/resource/parts/json-schema.js'
import { canonicalJson } from './canonical-json.js'
import { schemaMessage } from './schema-message.js'
import { reportedErrors } from './reported-errors.js'
import type { Violation } from './violation.js'
import { noViolations } from './violation.js'

/** Checks values against JSON Schema. Each schema is compiled on first use and cached. */
export interface SchemaValidator {
  /** Returns at most `limit` violations, the most informative first. */
  violations(schema: JsonSchema, value: unknown, limit?: number): readonly Violation[]
  /** Returns the function that returns whether a value has no violations. */
  check(schema: JsonSchema): (value: unknown) => boolean
}

/**
 * Creates the validator of a server. Compiled schemas are cached by schema object, because declarations are frozen.
 *
 * @param isSound whether the schemas are known to be valid JSON Schema. To verify one, the meta-schema has to be
 *   compiled first, which takes longer than everything else: the build does it, so that no request has to.
 */
export function schemaValidator({ isSound }: { readonly isSound: boolean }): SchemaValidator {
  let compiler: Ajv2020 | null = null
  const compiled = new WeakMap<JsonSchema, ValidateFunction>()
  const check = (schema: JsonSchema): ValidateFunction => {
    const cached = compiled.get(schema)
    if (cached !== undefined) return cached
    compiler ??= newCompiler(isSound)
    const validate = compiler.compile(schema)
    compiled.set(schema, validate)
    return validate
  }
  return Object.freeze({
    check,
    violations(schema: JsonSchema, value: unknown, limit = Number.POSITIVE_INFINITY): readonly Violation[] {
      const validate = check(schema)
      return validate(value) ? noViolations : distinct(reportedErrors(validate.errors ?? []).map(violationOf), limit)
    },
  })
}

function newCompiler(isSound: boolean): Ajv2020 {
  const ajv = new Ajv2020({
    allErrors: true,
    strict: false,
    unicodeRegExp: false,
    validateFormats: true,
    validateSchema: !isSound,
    // 19.99 is a multiple of 0.01, although the division of the two doubles leaves a remainder.
    multipleOfPrecision: 9,
  })
  // The package is CommonJS: its function is the default export of its default export.
  addFormats.default(ajv)
  for (const [name, form] of Object.entries(customFormats)) ajv.addFormat(name, form)
  // The library compares every item with every other, which takes minutes for a long list from a client.
  ajv.removeKeyword('uniqueItems')
  ajv.addKeyword({ keyword: 'uniqueItems', type: 'array', schemaType: 'boolean', validate: hasUniqueItems })
  return ajv
}

/** Formats that replace those of the library. */
const customFormats: Readonly<Record<string, RegExp>> = Object.freeze({
  // Like the check of HTML forms, but the domain must have a dot.
  // https://html.spec.whatwg.org/multipage/input.html#valid-e-mail-address
  email:
    /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)+$/i,
  // Without the prefix `urn:uuid:`, which UUID columns do not accept.
  uuid: new RegExp(uuidPattern),
})

function hasUniqueItems(wanted: boolean, items: readonly unknown[]): boolean {
  if (!wanted) return true
  const texts = new Set<string>()
  const others = new Set<string>()
  for (const item of items) {
    if (typeof item === 'string') texts.add(item)
    else others.add(canonicalJson(item))
  }
  return texts.size + others.size === items.length
}

/** Removes duplicates, which different parts of a schema may report, and returns at most `limit` violations. */
function distinct(violations: readonly Violation[], limit: number): readonly Violation[] {
  const unique = new Map<string, Violation>()
  for (const violation of violations) {
    if (unique.size >= limit) break
    const { path, message } = violation
    unique.set(JSON.stringify([path, message]), violation)
  }
  return [...unique.values()]
}

function violationOf(error: ErrorObject): Violation {
  const path = error.instancePath === '' ? [] : error.instancePath.slice(1).split('/')
  return { path: path.map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~')), message: schemaMessage(error) }
}
