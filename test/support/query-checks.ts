import type { OpenApiDocument } from 'ashlar'
import type { TestResource, TestResponse } from 'ashlar/testing'
import { parseQueryString } from '../../src/serve/parse/query-string.js'
import { componentAt, type Json, type Parameter, parametersOf } from './described-parameters.js'
import { type Schema, type SchemaContext, schemaProblem } from './schema-problem.js'

/** The query of a request that has succeeded, and its response. */
export interface SentQuery {
  readonly operation: Json
  readonly query: string
  readonly response: TestResponse
}

/** A parameter of a request. `filter[rating][min]=3` has the path `['filter', 'rating', 'min']`. */
interface Pair {
  readonly name: string
  readonly path: readonly string[]
  readonly value: string
}

/** The families of JSON:API and of Ashlar. Others belong to the application, or a server that is not strict ignores them. */
const families: ReadonlyMap<string, string> = new Map([
  ...['fields', 'include', 'sort', 'filter', 'page', 'withLinkage'].map((family) => [family, ''] as const),
  ['withCount', '/profiles/countable/'],
  ['relatedQuery', '/profiles/relationship-queries/'],
])

/** Returns the errors in the query of a request that has succeeded: each parameter must be described, and so must its value. */
export function queryProblems(document: OpenApiDocument, sent: SentQuery): readonly string[] {
  const declared = parametersOf(document, sent.operation)
  const found = new Map<Parameter, Pair[]>()
  const problems: string[] = []
  for (const pair of pairsOf(sent.query).filter((each) => isMeant(each, sent))) {
    const parameter = declared.find(({ name }) => isStart(pathOf(name), pair.path))
    if (parameter !== undefined) found.set(parameter, [...(found.get(parameter) ?? []), pair])
    else if (hasEffect(pair, sent)) problems.push(`the parameter ${pair.name} is not described`)
  }
  const resolve = (reference: string): Schema | undefined => componentAt(document, reference) as Schema | undefined
  for (const [parameter, pairs] of found) {
    const problem = parameterProblem(parameter, effectiveValue(parameter, pairs, sent), {
      resolve,
      checksFormats: false,
    })
    if (problem !== null) problems.push(`${pairs.map(({ name, value }) => `${name}=${value}`).join('&')}: ${problem}`)
  }
  return problems
}

function pairsOf(query: string): readonly Pair[] {
  return parseQueryString(query).map(({ name, path, value }) => {
    const [family, ...keys] = path
    return { name, path: [family === 'rQ' ? 'relatedQuery' : family, ...keys], value }
  })
}

/** Whether a parameter has an effect on the operation. `include` is ignored if a document has identifiers only. */
function isMeant({ path }: Pair, { operation, response }: SentQuery): boolean {
  const [family = ''] = path
  const profile = families.get(family)
  const mediaType = response.headers.get('content-type') ?? ''
  if (profile === undefined || !mediaType.includes(profile)) return false
  return family !== 'include' || !/^\w+Relationship\./.test(String(operation['operationId']))
}

/** Whether a parameter that is not described has changed the response: empty lists, and fields of types that it does not show, have not. */
function hasEffect({ path: [family, type = ''], value }: Pair, { response }: SentQuery): boolean {
  if (family === 'include' || family === 'sort') return value !== ''
  return family !== 'fields' || shownFields(response, type).size > 0
}

/** Returns the names of the fields that the resources of a type have in a response. */
function shownFields({ document }: TestResponse, type: string): ReadonlySet<string> {
  const resources = [...listed(document?.data ?? undefined), ...listed(document?.included)] as readonly TestResource[]
  const ofType = resources.filter((resource) => resource.type === type)
  return new Set(ofType.flatMap(({ attributes, relationships }) => Object.keys({ ...attributes, ...relationships })))
}

function pathOf(name: string): readonly string[] {
  return parseQueryString(encodeURIComponent(name))[0]?.path ?? []
}

function isStart(start: readonly string[], path: readonly string[]): boolean {
  return start.every((part, index) => path[index] === part)
}

/**
 * Returns the part of a value that has an effect. A fieldset may name members that are never shown, and a page may have values that are no
 * numbers, or too small or too large ones, which are corrected.
 */
function effectiveValue(parameter: Parameter, pairs: readonly Pair[], { response }: SentQuery): unknown {
  const value = valueOf(parameter, pairs)
  const [family, type = ''] = pathOf(parameter.name)
  if (family === 'fields' && Array.isArray(value)) {
    const shown = shownFields(response, type)
    return value.filter((name) => shown.has(String(name)))
  }
  if (family !== 'page') return value
  return typeof value === 'object' ? Object.fromEntries(Object.entries(value as Json).map(correctedPage)) : '1'
}

function correctedPage([key, value]: readonly [string, unknown]): readonly [string, unknown] {
  return ['kind', 'after', 'before', 'count'].includes(key) ? [key, value] : [key, '1']
}

function parameterProblem(parameter: Parameter, value: unknown, context: SchemaContext): string | null {
  const { schema } = parameter
  const typed = coerced(value, schema, context)
  if (parameter['x-longer-paths'] !== true) return schemaProblem(schema, typed, context)
  return schemaProblem({ ...schema, items: { type: 'string' } }, typed, context)
}

const delimiters: Readonly<Record<string, string>> = { form: ',', spaceDelimited: ' ', pipeDelimited: '|' }

/** Returns the value of a parameter, by its style. The last value of a repeated name counts. */
function valueOf({ name, style = 'form', schema }: Parameter, pairs: readonly Pair[]): unknown {
  const start = pathOf(name).length
  if (style === 'deepObject') {
    const members: Record<string, unknown> = {}
    for (const { path, value } of pairs) addMember(members, path.slice(start), value)
    return members
  }
  const listItems = pairs.filter(({ path }) => path[start] === '').map(({ value }) => value)
  const last = pairs.at(-1)?.value ?? ''
  if (schema['type'] !== 'array') return listItems.length === 0 ? last : listItems
  // Entries that are empty are skipped.
  return listItems.length > 0 ? listItems : last.split(delimiters[style] ?? ',').filter((item) => item !== '')
}

function addMember(members: Record<string, unknown>, path: readonly string[], value: string): void {
  const [key = '', ...deeper] = path
  if (deeper.length === 0) {
    // A bound of a range that is blank is none.
    if (value.trim() !== '') members[key] = value
    return
  }
  const inner = (members[key] ?? {}) as Record<string, unknown>
  members[key] = inner
  addMember(inner, deeper, value)
}

const texts: Readonly<Record<string, readonly [form: RegExp, read: (text: string) => unknown]>> = {
  integer: [/^\s*-?\d+\s*$/, Number],
  number: [/^\s*-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?\s*$/, Number],
  boolean: [/^\s*(?:true|false|1|0|on|off|yes|no|)\s*$/i, (text) => /^\s*(?:true|1|on|yes)\s*$/i.test(text)],
}

/** Returns a value with the types of its schema: texts of numbers and booleans are converted. */
function coerced(value: unknown, schema: Json, context: SchemaContext): unknown {
  if (typeof value === 'string') {
    const [form, read] = typesOf(schema, context).flatMap((type) => [texts[type]])[0] ?? []
    return form?.test(value) === true && read !== undefined ? read(value) : value
  }
  if (Array.isArray(value)) return value.map((item) => coerced(item, (schema['items'] ?? {}) as Json, context))
  const members = Object.entries(value as Json)
  return Object.fromEntries(
    members.map(([name, each]) => [name, coerced(each, memberSchema(schema, name, context), context)]),
  )
}

function typesOf(schema: Json, context: SchemaContext): readonly string[] {
  return branchesOf(schema, context).flatMap(({ type }) => listed(type).map(String))
}

function memberSchema(schema: Json, name: string, context: SchemaContext): Json {
  const found = branchesOf(schema, context).map((each) => (each['properties'] as Json | undefined)?.[name])
  return (found.find((each) => each !== undefined) ?? {}) as Json
}

/** Returns the schema and those that it consists of. */
function branchesOf(schema: Json, context: SchemaContext): readonly Json[] {
  const { $ref, oneOf, anyOf } = schema
  if (typeof $ref === 'string') return branchesOf(context.resolve($ref) as Json, context)
  return [schema, ...[...listed(oneOf), ...listed(anyOf)].flatMap((each) => branchesOf(each as Json, context))]
}

function listed(value: unknown): readonly unknown[] {
  return value === undefined ? [] : Array.isArray(value) ? value : [value]
}
