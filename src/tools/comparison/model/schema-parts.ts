import type { ContractDocument } from './contract-document.js'
import type { JsonObject } from './json.js'
import { canonicalJson, listIn, objectIn, textsIn } from './json.js'
import type { Bound } from './value-rules.js'

/** The keywords of one schema, or of several that all apply, sorted by their meaning. */
export interface SchemaParts {
  types: ReadonlySet<string> | null
  values: readonly unknown[] | null
  readonly rules: Map<string, unknown>
  /** The schemas of each member, which all apply. */
  readonly members: Map<string, unknown[]>
  readonly required: Set<string>
  /** The schemas of items, which all apply. */
  readonly items: unknown[]
  /** The alternative schemas, without null; empty if there are none. */
  variants: readonly unknown[]
  readonly texts: Record<string, unknown>
  readonly annotations: Record<string, unknown>
  /** The followed references. */
  readonly references: Set<string>
}

/** Returns the parts of schemas that all apply. References are followed until one repeats. */
export function schemaParts(schemas: readonly unknown[], document: ContractDocument): SchemaParts {
  const parts: SchemaParts = {
    types: null,
    values: null,
    rules: new Map(),
    members: new Map(),
    required: new Set(),
    items: [],
    variants: [],
    texts: {},
    annotations: {},
    references: new Set(),
  }
  for (const schema of schemas) add(schema, parts, { document, followed: new Set() })
  return parts
}

interface Reader {
  readonly document: ContractDocument
  /** The references that were followed to reach a schema. */
  readonly followed: ReadonlySet<unknown>
}

function add(schema: unknown, parts: SchemaParts, reader: Reader): void {
  if (schema === false) parts.types = new Set()
  const keywords = objectIn(schema)
  for (const [keyword, value] of Object.entries(keywords)) {
    // The pattern of a format follows from its name.
    if (keyword === 'pattern' && 'x-format' in keywords) continue
    const read = readers[keyword] ?? (keyword.startsWith('x-') ? readAnnotation : readOther)
    read(value, parts, { keyword, reader })
  }
}

interface Keyword {
  readonly keyword: string
  readonly reader: Reader
}

type ReadKeyword = (value: unknown, parts: SchemaParts, keyword: Keyword) => void

const readReference: ReadKeyword = (reference, parts, { reader: { document, followed } }) => {
  if (followed.has(reference)) return
  parts.references.add(String(reference))
  add(document.resolve({ $ref: reference }).value, parts, { document, followed: new Set([...followed, reference]) })
}

const readAll: ReadKeyword = (schemas, parts, { reader }) => {
  for (const schema of listIn(schemas)) add(schema, parts, reader)
}

/**
 * One schema besides null is the same as this schema; `allowsNull` checks null. A single variant with a constant that identifies it
 * remains a variant.
 */
const readVariants: ReadKeyword = (schemas, parts, { keyword, reader }) => {
  const variants = listIn(schemas).filter((schema) => !isNull(schema))
  const [first, ...others] = variants
  const isTagged = Object.keys(constantsOf(first, reader.document)).length > 0
  if (others.length === 0 && !(keyword === 'oneOf' && isTagged)) add(first, parts, reader)
  else if (parts.variants.length === 0) parts.variants = variants
  else addRule(parts, keyword, canonicalJson(variants))
}

function isNull(schema: unknown): boolean {
  return objectIn(schema)['type'] === 'null'
}

const readType: ReadKeyword = (value, parts) => {
  const types = (typeof value === 'string' ? [value] : textsIn(value)).filter((type) => type !== 'null')
  const known = parts.types
  parts.types = new Set(known === null ? types : types.filter((type) => isAmong(type, known)))
}

/** An integer is a number. */
function isAmong(type: string, types: ReadonlySet<string>): boolean {
  return types.has(type) || (type === 'integer' && types.has('number'))
}

const readValues: ReadKeyword = (value, parts, { keyword }) => {
  const values = (keyword === 'const' ? [value] : listIn(value)).filter((each) => each !== null)
  const known = parts.values?.map(canonicalJson)
  parts.values = known === undefined ? values : values.filter((each) => known.includes(canonicalJson(each)))
}

const readMembers: ReadKeyword = (value, parts) => {
  for (const [name, schema] of Object.entries(objectIn(value))) {
    parts.members.set(name, [...(parts.members.get(name) ?? []), schema])
  }
}

const readRequired: ReadKeyword = (value, parts) => {
  for (const name of textsIn(value)) parts.required.add(name)
}

const readItems: ReadKeyword = (value, parts) => {
  parts.items.push(value)
}

/** Reads a bound. Of two bounds, the tighter one is used. */
const readBound: ReadKeyword = (value, parts, { keyword }) => {
  const isExclusive = keyword.startsWith('exclusive')
  const name = isExclusive ? keyword.charAt(9).toLowerCase() + keyword.slice(10) : keyword
  const bound: Bound = { value: Number(value), isExclusive }
  const known = parts.rules.get(name) as Bound | undefined
  const sign = name === 'minimum' ? 1 : -1
  const isTighter =
    known === undefined || sign * (bound.value - known.value) > 0 || (bound.value === known.value && isExclusive)
  if (isTighter) parts.rules.set(name, bound)
}

const readSize: ReadKeyword = (value, parts, { keyword }) => {
  const known = parts.rules.get(keyword) as number | undefined
  const tighter = keyword.startsWith('min') ? Math.max : Math.min
  parts.rules.set(keyword, known === undefined ? Number(value) : tighter(known, Number(value)))
}

const readEach: ReadKeyword = (value, parts, { keyword }) => {
  for (const item of Array.isArray(value) ? (value as readonly unknown[]) : [value]) addRule(parts, keyword, item)
}

function addRule(parts: SchemaParts, keyword: string, item: unknown): void {
  const known = (parts.rules.get(keyword) as readonly unknown[] | undefined) ?? []
  if (!known.includes(item)) parts.rules.set(keyword, [...known, item])
}

const readFlag: ReadKeyword = (value, parts, { keyword }) => {
  if (value === true) parts.rules.set(keyword, true)
}

/** Without the keyword, an object may have any further members. */
const readFurther: ReadKeyword = (value, parts, { keyword }) => {
  if (value === false) parts.rules.set('closed', true)
  else if (value !== true) addRule(parts, keyword, canonicalJson(value))
}

const readDefault: ReadKeyword = (value, parts) => {
  parts.rules.set('default', value)
}

const readAnnotation: ReadKeyword = (value, parts, { keyword }) => {
  parts.annotations[keyword] = value
}

const readText: ReadKeyword = (value, parts, { keyword }) => {
  parts.texts[keyword] = value
}

const readForm: ReadKeyword = (value, parts, { keyword }) => {
  parts.rules.set(keyword, value)
}

/** A keyword that is compared as it is. */
const readOther: ReadKeyword = (value, parts, { keyword }) => addRule(parts, keyword, canonicalJson(value))

const ignored: ReadKeyword = () => undefined

const readers: Readonly<Record<string, ReadKeyword>> = Object.freeze({
  $ref: readReference,
  allOf: readAll,
  anyOf: readVariants,
  oneOf: readVariants,
  type: readType,
  enum: readValues,
  const: readValues,
  properties: readMembers,
  required: readRequired,
  'x-always-shown': readRequired,
  items: readItems,
  minimum: readBound,
  maximum: readBound,
  exclusiveMinimum: readBound,
  exclusiveMaximum: readBound,
  minLength: readSize,
  maxLength: readSize,
  minItems: readSize,
  maxItems: readSize,
  minProperties: readSize,
  maxProperties: readSize,
  pattern: readEach,
  format: readEach,
  multipleOf: readEach,
  'x-rules': readEach,
  uniqueItems: readFlag,
  additionalProperties: readFurther,
  default: readDefault,
  'x-default': readDefault,
  'x-format': readForm,
  deprecated: readAnnotation,
  title: readText,
  description: readText,
  examples: readText,
  example: readText,
  'x-enum-descriptions': readText,
  // The variants contain the same information.
  discriminator: ignored,
})

/** Returns whether null is a value of a schema. */
export function allowsNull(
  schema: unknown,
  document: ContractDocument,
  followed: ReadonlySet<unknown> = new Set(),
): boolean {
  if (typeof schema === 'boolean') return schema
  const keywords = objectIn(schema)
  const { $ref, type, enum: values, anyOf, oneOf, allOf } = keywords
  const allows = (each: unknown): boolean => allowsNull(each, document, new Set([...followed, $ref]))
  const isAllowedByReference = (): boolean => !followed.has($ref) && allows(document.resolve({ $ref }).value)
  return (
    ($ref === undefined || isAllowedByReference()) &&
    (type === undefined || type === 'null' || textsIn(type).includes('null')) &&
    (values === undefined || listIn(values).includes(null)) &&
    (!Object.hasOwn(keywords, 'const') || keywords['const'] === null) &&
    [anyOf, oneOf].every((choices) => choices === undefined || listIn(choices).some(allows)) &&
    listIn(allOf).every(allows)
  )
}

/** Returns the members of a schema with a constant value, which identify variants. */
export function constantsOf(schema: unknown, document: ContractDocument): JsonObject {
  const { members } = schemaParts([schema], document)
  const constants = [...members].flatMap(([name, schemas]): readonly (readonly [string, unknown])[] => {
    const { values } = schemaParts(schemas, document)
    return values?.length === 1 ? [[name, values[0]]] : []
  })
  return Object.fromEntries(constants)
}
