import type { ErrorObject, ValidateFunction } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { uuidPattern } from '../resource/fields/patterns.js'
import type { JsonSchema } from '../resource/json-schema.js'
import { canonicalJson } from './canonical-json.js'
import { schemaMessage } from './schema-message.js'
import { toldErrors } from './told-errors.js'
import type { Violation } from './violation.js'
import { nothing } from './violation.js'

/** Checks values against JSON Schema; each schema is compiled when it is first needed and kept. */
export interface SchemaValidator {
  /** At most `limit` of them, the most telling first. */
  violations(schema: JsonSchema, value: unknown, limit?: number): readonly Violation[]
}

/**
 * One for a server: declarations are frozen, so a schema object stands for itself as long as it lives.
 *
 * @param isSound whether schemas are known to be JSON Schema. To hold one against the schema of schemas is to compile that
 *   first, which takes longer than all the rest: the build does it, and no request has to.
 */
export function schemaValidator({ isSound }: { readonly isSound: boolean }): SchemaValidator {
  let compiler: Ajv2020 | null = null
  const compiled = new WeakMap<JsonSchema, ValidateFunction>()
  return Object.freeze({
    violations(schema: JsonSchema, value: unknown, limit = Number.POSITIVE_INFINITY): readonly Violation[] {
      let validate = compiled.get(schema)
      if (validate === undefined) {
        compiler ??= newCompiler(isSound)
        validate = compiler.compile(schema)
        compiled.set(schema, validate)
      }
      return validate(value) ? nothing : distinct(toldErrors(validate.errors ?? []).map(violationOf), limit)
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
  for (const [name, form] of Object.entries(ownFormats)) ajv.addFormat(name, form)
  // The library compares every item with every other, which a client's long list turns into minutes.
  ajv.removeKeyword('uniqueItems')
  ajv.addKeyword({ keyword: 'uniqueItems', type: 'array', schemaType: 'boolean', validate: hasUniqueItems })
  return ajv
}

/** Formats that the library knows in another form. */
const ownFormats: Readonly<Record<string, RegExp>> = Object.freeze({
  // As forms check it (https://html.spec.whatwg.org/multipage/input.html#valid-e-mail-address), of a domain with a dot.
  email:
    /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]+@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)+$/i,
  // Without the prefix of a URN, which no column for UUIDs takes.
  uuid: new RegExp(uuidPattern),
})

function hasUniqueItems(wanted: boolean, items: readonly unknown[]): boolean {
  return !wanted || new Set(items.map(canonicalJson)).size === items.length
}

/** Different ways to the same end are one violation. */
function distinct(violations: readonly Violation[], limit: number): readonly Violation[] {
  const told = new Map<string, Violation>()
  for (const violation of violations) {
    if (told.size >= limit) break
    const { path, message } = violation
    told.set(JSON.stringify([path, message]), violation)
  }
  return [...told.values()]
}

function violationOf(error: ErrorObject): Violation {
  const path = error.instancePath === '' ? [] : error.instancePath.slice(1).split('/')
  return { path: path.map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~')), message: schemaMessage(error) }
}
