import formats from 'ajv-formats/dist/formats.js'

/** A JSON Schema: an object with keywords, or a boolean. */
export type Schema = boolean | Readonly<Record<string, unknown>>

/** Resolves references, and sets what is checked. */
export interface SchemaContext {
  /** Returns the schema of a reference, or `undefined`. */
  resolve(reference: string): Schema | undefined
  readonly checksFormats: boolean
  /** Whether objects whose members are described have no others, except `meta`. Default: the schema decides. */
  readonly isClosed?: boolean
  /** Whether the value at a pointer is not checked. */
  readonly ignores?: (at: string, value: unknown) => boolean
  /** Called with unknown keywords. Default: they are ignored. */
  readonly onUnknown?: (keyword: string) => void
}

/**
 * Returns the first problem of a value by a JSON Schema (2020-12, or the one of OpenAPI 3.0), or `null`. It interprets the schema, because it
 * is stricter than a validator: a response has no members that are not described, and a schema no keywords that are not known here. It is
 * compared with Ajv.
 */
export function schemaProblem(schema: Schema, value: unknown, context: SchemaContext, at = ''): string | null {
  if (schema === true) return null
  if (schema === false) return `${shown(at)} must not be present`
  if (context.ignores?.(at, value) === true) return null
  // OpenAPI 3.0 has no type null.
  if (value === null && schema['nullable'] === true) return null
  for (const keyword of Object.keys(schema)) {
    const check = keywords[keyword]
    if (check === undefined) {
      if (annotations.has(keyword) || keyword.startsWith('x-')) continue
      context.onUnknown?.(keyword)
      continue
    }
    const problem = check({ operand: schema[keyword], schema, value, context, at })
    if (problem !== null) return problem
  }
  return context.isClosed === true ? undescribedMember(schema, value, at) : null
}

/** Returns the problem of a member that is not described. Members of `meta` may be undescribed: the application chooses them. */
function undescribedMember(schema: Readonly<Record<string, unknown>>, value: unknown, at: string): string | null {
  const { properties, additionalProperties, patternProperties, allOf } = schema
  const isOpen = additionalProperties !== undefined || patternProperties !== undefined || allOf !== undefined
  if (properties === undefined || isOpen || !isObject(value) || at.endsWith('/meta')) return null
  const extra = Object.keys(value).find((name) => !Object.hasOwn(properties as object, name))
  return extra === undefined ? null : `${shown(`${at}/${extra}`)} is not described`
}

interface Checked {
  /** The value of the keyword. */
  readonly operand: unknown
  readonly schema: Readonly<Record<string, unknown>>
  readonly value: unknown
  readonly context: SchemaContext
  readonly at: string
}

type Check = (checked: Checked) => string | null

/** Keywords that do not restrict values, and those that another keyword reads. */
const annotations: ReadonlySet<string> = new Set([
  'title',
  'description',
  'default',
  'example',
  'examples',
  'deprecated',
  'readOnly',
  'writeOnly',
  'discriminator',
  '$schema',
  '$id',
  '$comment',
  '$defs',
  'then',
  'else',
  'externalDocs',
  'contentEncoding',
  'contentMediaType',
  'nullable',
  'xml',
])

const keywords: Readonly<Record<string, Check>> = {
  $ref({ operand, value, context, at }) {
    const schema = context.resolve(String(operand))
    // An unresolved reference is a problem of the schema, and not of the value.
    return schema === undefined ? null : schemaProblem(schema, value, context, at)
  },
  type: ({ operand, value, at }) =>
    listed(operand).some((type) => isOfType(value, String(type)))
      ? null
      : `${shown(at)} must be ${listed(operand).join(' or ')}`,
  const: ({ operand, value, at }) =>
    isEqual(operand, value) ? null : `${shown(at)} must be equal to ${JSON.stringify(operand)}`,
  enum: ({ operand, value, at }) =>
    listed(operand).some((each) => isEqual(each, value))
      ? null
      : `${shown(at)} must be one of ${JSON.stringify(operand)}`,
  ...textKeywords(),
  ...numberKeywords(),
  ...listKeywords(),
  ...objectKeywords(),
  ...combinations(),
}

/** Returns the length of a text in code points, as JSON Schema counts. */
function length(value: string): number {
  return Array.from(value).length
}

function textKeywords(): Record<string, Check> {
  return {
    minLength: ofTexts((value, limit) => length(value) >= Number(limit), 'must have at least', 'characters'),
    maxLength: ofTexts((value, limit) => length(value) <= Number(limit), 'must have at most', 'characters'),
    pattern: ofTexts((value, pattern) => expressionOf(String(pattern)).test(value), 'must match'),
    format: ({ operand, value, context, at }) =>
      !context.checksFormats || typeof value !== 'string' || isFormatted(value, String(operand))
        ? null
        : `${shown(at)} must have the format ${String(operand)}`,
  }
}

function ofTexts(isFine: (value: string, operand: unknown) => boolean, ...phrase: readonly [string, string?]): Check {
  return ({ operand, value, at }) =>
    typeof value !== 'string' || isFine(value, operand) ? null : sentence(at, operand, phrase)
}

function ofNumbers(isFine: (value: number, operand: number) => boolean, phrase: string): Check {
  return ({ operand, value, at }) =>
    typeof value !== 'number' || isFine(value, Number(operand)) ? null : sentence(at, operand, [phrase])
}

/** Checks `exclusiveMinimum` or `exclusiveMaximum`. In OpenAPI 3.0 it is a boolean: whether the other keyword excludes its limit. */
function exclusive(other: string, isFine: (value: number, limit: number) => boolean, phrase: string): Check {
  const check = ofNumbers(isFine, phrase)
  return (checked) => {
    const { operand, schema } = checked
    if (operand === false) return null
    return check(operand === true ? { ...checked, operand: schema[other] } : checked)
  }
}

function sentence(at: string, operand: unknown, [before, after]: readonly [string, string?]): string {
  return `${shown(at)} ${before} ${String(operand)}${after === undefined ? '' : ` ${after}`}`
}

function numberKeywords(): Record<string, Check> {
  return {
    minimum: ofNumbers((value, limit) => value >= limit, 'must be at least'),
    maximum: ofNumbers((value, limit) => value <= limit, 'must be at most'),
    exclusiveMinimum: exclusive('minimum', (value, limit) => value > limit, 'must be more than'),
    exclusiveMaximum: exclusive('maximum', (value, limit) => value < limit, 'must be less than'),
    // With a tolerance for binary fractions: 0.07 is a multiple of 0.01, although their quotient is not whole.
    multipleOf: ofNumbers((value, step) => {
      const count = value / step
      return Math.abs(count - Math.round(count)) <= Math.abs(count) * 1e-12
    }, 'must be a multiple of'),
  }
}

function ofLists(isFine: (value: readonly unknown[], operand: unknown) => boolean, phrase: string): Check {
  return ({ operand, value, at }) =>
    !Array.isArray(value) || isFine(value, operand) ? null : sentence(at, operand, [phrase, 'items'])
}

function listKeywords(): Record<string, Check> {
  return {
    minItems: ofLists((value, limit) => value.length >= Number(limit), 'must have at least'),
    maxItems: ofLists((value, limit) => value.length <= Number(limit), 'must have at most'),
    uniqueItems: ofLists(
      (value, isUnique) => isUnique !== true || new Set(value.map((item) => text(item))).size === value.length,
      'must be unique:',
    ),
    prefixItems: ({ operand, value, context, at }) =>
      Array.isArray(value)
        ? first(listed(operand), (schema, index) =>
            index < value.length ? schemaProblem(schema as Schema, value[index], context, `${at}/${index}`) : null,
          )
        : null,
    items: ({ operand, schema, value, context, at }) => {
      if (!Array.isArray(value)) return null
      const start = listed(schema['prefixItems'] ?? []).length
      return first(value.slice(start), (item, index) =>
        schemaProblem(operand as Schema, item, context, `${at}/${index + start}`),
      )
    },
    contains: ({ operand, value, context, at }) =>
      !Array.isArray(value) || value.some((item) => schemaProblem(operand as Schema, item, context) === null)
        ? null
        : `${shown(at)} must contain an item that matches`,
  }
}

function ofObjects(check: (checked: Checked & { readonly value: object }) => string | null): Check {
  return (checked) => (isObject(checked.value) ? check({ ...checked, value: checked.value }) : null)
}

function objectKeywords(): Record<string, Check> {
  const count = (isFine: (size: number, operand: number) => boolean, phrase: string): Check =>
    ofObjects(({ operand, value, at }) =>
      isFine(Object.keys(value).length, Number(operand)) ? null : sentence(at, operand, [phrase, 'members']),
    )
  return {
    properties: ofObjects(({ operand, value, context, at }) =>
      first(Object.entries(operand as Record<string, Schema>), ([name, schema]) =>
        Object.hasOwn(value, name) ? schemaProblem(schema, memberOf(value, name), context, `${at}/${name}`) : null,
      ),
    ),
    required: ofObjects(({ operand, value, at }) => {
      const missing = (operand as readonly string[]).find((name) => !Object.hasOwn(value, name))
      return missing === undefined ? null : `${shown(at)} must have the member '${missing}'`
    }),
    additionalProperties: ofObjects(({ operand, schema, value, context, at }) => {
      const known = schema['properties'] ?? {}
      const patterns = Object.keys(schema['patternProperties'] ?? {})
      return first(Object.keys(value), (name) => {
        if (Object.hasOwn(known, name) || patterns.some((each) => expressionOf(each).test(name))) return null
        return schemaProblem(operand as Schema, memberOf(value, name), context, `${at}/${name}`)
      })
    }),
    patternProperties: ofObjects(({ operand, value, context, at }) =>
      first(Object.entries(operand as Record<string, Schema>), ([pattern, schema]) =>
        first(Object.keys(value), (name) =>
          expressionOf(pattern).test(name)
            ? schemaProblem(schema, memberOf(value, name), context, `${at}/${name}`)
            : null,
        ),
      ),
    ),
    propertyNames: ofObjects(({ operand, value, context, at }) =>
      first(Object.keys(value), (name) => schemaProblem(operand as Schema, name, context, `${at}/${name}`)),
    ),
    minProperties: count((size, limit) => size >= limit, 'must have at least'),
    maxProperties: count((size, limit) => size <= limit, 'must have at most'),
    dependentRequired: ofObjects(({ operand, value, at }) =>
      first(Object.entries(operand as Record<string, readonly string[]>), ([name, others]) => {
        const missing = Object.hasOwn(value, name) ? others.find((other) => !Object.hasOwn(value, other)) : undefined
        return missing === undefined ? null : `${shown(at)} must have the member '${missing}' with '${name}'`
      }),
    ),
  }
}

function branchProblems({ operand, value, context, at }: Checked): readonly (string | null)[] {
  return listed(operand).map((schema) => schemaProblem(schema as Schema, value, context, at))
}

function combinations(): Record<string, Check> {
  return {
    // Parts without a name describe only some members.
    allOf: ({ operand, value, context, at }) =>
      first(listed(operand), (schema) => {
        const isNamed = isObject(schema) && '$ref' in schema
        return schemaProblem(schema as Schema, value, isNamed ? context : { ...context, isClosed: false }, at)
      }),
    anyOf({ operand, value, context, at }) {
      const found: string[] = []
      for (const schema of listed(operand)) {
        const problem = schemaProblem(schema as Schema, value, context, at)
        if (problem === null) return null
        found.push(problem)
      }
      return `${shown(at)} must match one of: ${found.join('; ')}`
    },
    oneOf(checked) {
      const found = branchProblems(checked)
      const count = found.filter((problem) => problem === null).length
      if (count === 1) return null
      return `${shown(checked.at)} must match exactly one, and matches ${count}: ${found.filter((each) => each !== null).join('; ')}`
    },
    not: ({ operand, value, context, at }) =>
      schemaProblem(operand as Schema, value, context, at) === null ? `${shown(at)} must not match` : null,
    if({ operand, schema, value, context, at }) {
      const isMatch = schemaProblem(operand as Schema, value, context, at) === null
      const next = schema[isMatch ? 'then' : 'else'] as Schema | undefined
      return next === undefined ? null : schemaProblem(next, value, context, at)
    },
  }
}

function shown(at: string): string {
  return at === '' ? '(document)' : at
}

function listed(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [value]
}

function first<Item>(items: readonly Item[], problemOf: (item: Item, index: number) => string | null): string | null {
  for (const [index, item] of items.entries()) {
    const problem = problemOf(item, index)
    if (problem !== null) return problem
  }
  return null
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function memberOf(value: object, name: string): unknown {
  return (value as Readonly<Record<string, unknown>>)[name]
}

function isOfType(value: unknown, type: string): boolean {
  switch (type) {
    case 'null':
      return value === null
    case 'array':
      return Array.isArray(value)
    case 'object':
      return isObject(value)
    case 'integer':
      return Number.isInteger(value)
    default:
      return typeof value === type
  }
}

function isEqual(left: unknown, right: unknown): boolean {
  return left === right || (typeof left === 'object' && typeof right === 'object' && text(left) === text(right))
}

/** Returns the JSON of a value, with the members of objects in the order of their names. */
function text(value: unknown): string {
  return JSON.stringify(value, (_name, each: unknown) =>
    isObject(each) ? Object.fromEntries(Object.entries(each).toSorted(([a], [b]) => (a < b ? -1 : 1))) : each,
  )
}

/** Returns a pattern as an expression. Patterns that JavaScript does not support match everything. */
function expressionOf(pattern: string): RegExp {
  try {
    return new RegExp(pattern, 'u')
  } catch {
    return /^/
  }
}

/** The formats that are checked. Other formats are annotations: stored texts may be older than the declaration. */
const checkedFormats: readonly string[] = ['date', 'date-time']

function isFormatted(value: string, format: string): boolean {
  if (!checkedFormats.includes(format)) return true
  const definition = formats.fullFormats[format as 'date'] as { readonly validate: (value: string) => boolean }
  return definition.validate(value)
}
