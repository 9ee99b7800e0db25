import type { OpenApiDocument } from 'ashlar'
import type { TestRequestOptions, TestResource, TestResponse } from 'ashlar/testing'
import { catalogue } from '../../src/core/errors/catalogue.js'
import { componentAt, type Json } from './described-parameters.js'
import { queryProblems } from './query-checks.js'
import { type Schema, type SchemaContext, schemaProblem } from './schema-problem.js'
import { sentHeaderProblems } from './sent-header-checks.js'

/** A request under the prefix of its server, and the response to it. */
export interface DocumentExchange {
  readonly method: string
  readonly path: string
  readonly query: string
  readonly sent: TestRequestOptions
  readonly response: TestResponse
  /** Whether the query of the request is checked. */
  readonly isQueryChecked: boolean
  /** Whether the body of the request is checked. */
  readonly isBodyChecked: boolean
}

/** Returns the violations of an exchange, by an OpenAPI document. */
export type DocumentChecks = (exchange: DocumentExchange) => readonly string[]

interface Route {
  readonly expression: RegExp
  readonly template: string
  readonly item: Json
}

/** Creates the checks of a document. */
export function documentChecks(document: OpenApiDocument): DocumentChecks {
  const routes = Object.entries(document.paths)
    .map(([template, item]): Route => ({ template, item, expression: expressionOf(template) }))
    .toSorted((a, b) => parameters(a.template) - parameters(b.template))
  return (exchange) => {
    const { method, path, query, response } = exchange
    if (method === 'OPTIONS') return []
    const plainPath = decodedPath(path)
    const route = routes.find(({ expression }) => expression.test(plainPath))
    const operation = route?.item[method === 'HEAD' ? 'get' : method.toLowerCase()] as Json | undefined
    if (route === undefined || operation === undefined) {
      // A relationship that cannot be replaced may be sent as it is.
      const isRepeated = method === 'PATCH' && route !== undefined && route.template.includes('/relationships/')
      return response.status < 400 && !isRepeated ? [`there is no operation ${method} ${path}`] : []
    }
    const responses = operation['responses'] as Readonly<Record<string, Json>>
    const key = keyOf(responses, response.status)
    if (key === null) {
      return [`the status ${response.status} is not described: ${Object.keys(responses).join(', ')}`]
    }
    const declared = resolved(document, responses[key] ?? {})
    const isRequestChecked = response.status < 300 && method !== 'HEAD'
    const content = { declared, response, context: responseContext(document, query), isOpen: key === '2XX' }
    return [
      ...headerProblems(document, declared, response, 'default' in responses),
      ...(method === 'HEAD' ? [] : bodyProblems(content)),
      ...(key === 'default' ? [] : codeProblems(document, response)),
      ...(isRequestChecked ? sentProblems(document, operation, exchange) : []),
      ...sentHeaderProblems(document, operation, exchange),
    ]
  }
}

/** Returns the member of `responses` that describes a status. */
function keyOf(responses: Json, status: number): string | null {
  const keys = [String(status), `${Math.floor(status / 100)}XX`, ...(status < 400 ? [] : ['default'])]
  return keys.find((key) => key in responses) ?? null
}

/** A request that succeeds is as it is described. */
function sentProblems(document: OpenApiDocument, operation: Json, exchange: DocumentExchange): readonly string[] {
  const { query, response, isQueryChecked, isBodyChecked } = exchange
  return [
    ...(isQueryChecked ? queryProblems(document, { operation, query, response }) : []),
    ...(isBodyChecked ? requestProblems(document, operation, exchange) : []),
  ]
}

function parameters(template: string): number {
  return template.split('{').length
}

function expressionOf(template: string): RegExp {
  const source = template
    .split(/(\{\w+\})/)
    .map((part) =>
      part.startsWith('{') ? '[^/]+' : decodeURIComponent(part).replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'),
    )
    .join('')
  return new RegExp(template === '/' ? '^/?$' : `^${source}$`)
}

/** The literal segments of templates are not encoded, and a client may encode more than it has to. */
function decodedPath(path: string): string {
  return path
    .split('/')
    .map((segment) => decoded(segment).replaceAll('/', '%2F'))
    .join('/')
}

/** A path that is not percent-encoded text matches no route. */
function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

function resolved(document: OpenApiDocument, given: Json): Json {
  return typeof given['$ref'] === 'string' ? (componentAt(document, given['$ref']) as Json) : given
}

function schemaAt(document: OpenApiDocument, reference: string): Schema {
  const found = componentAt(document, reference)
  if (found === undefined) throw new Error(`The reference ${reference} leads nowhere.`)
  return found as Schema
}

function onUnknown(keyword: string): never {
  throw new Error(`test/support/schema-problem.ts does not know the keyword '${keyword}': add it there.`)
}

/** Returns how bodies of responses are read: with the members that are described, and no others. */
function responseContext(document: OpenApiDocument, query: string): SchemaContext {
  const sparse = [...new URLSearchParams(query).keys()].flatMap((name) => /^fields\[(.+)\]$/.exec(name)?.[1] ?? [])
  const bases = sparse.flatMap((type) => baseNames(document, type))
  return {
    resolve(reference) {
      const schema = schemaAt(document, reference)
      return isSparse(reference, bases) ? schema : completeSchema(schema)
    },
    onUnknown,
    checksFormats: true,
    isClosed: true,
    // A test may leave out attributes when it creates a resource, and its store has no defaults. Then columns are null that the
    // declaration does not say to be so.
    ignores: (at, value) => value === null && /\/(?:attributes|pivot)\//.test(at),
  }
}

/** Returns the names that the components of a type begin with. */
function baseNames(document: OpenApiDocument, type: string): readonly string[] {
  return Object.entries(document.components['schemas'] ?? {}).flatMap(([name, schema]) => {
    const properties = (schema as { readonly properties?: { readonly type?: { readonly const?: unknown } } }).properties
    return name.endsWith('Resource') && properties?.type?.const === type ? [name.slice(0, -'Resource'.length)] : []
  })
}

/** Whether a component belongs to a type whose fields the request selects. */
function isSparse(reference: string, bases: readonly string[]): boolean {
  const name = reference.slice(reference.lastIndexOf('/') + 1)
  return bases.some((base) => name === `${base}Attributes` || name === `${base}Resource`)
}

/** Returns the schema of a resource, or of its attributes, that also requires the fields which only a fieldset leaves out. */
function completeSchema(schema: Schema): Schema {
  if (typeof schema === 'boolean') return schema
  const { properties, required, 'x-always-shown': shown } = schema
  if (Array.isArray(shown)) return { ...schema, required: shown as readonly string[] }
  const parts = Object.entries((properties ?? {}) as Readonly<Record<string, Schema>>)
  const complete = parts.map(([name, part]) => [name, completePart(part)] as const)
  const changed = complete.filter(([, part], index) => part !== parts[index]?.[1]).map(([name]) => name)
  if (changed.length === 0) return schema
  return {
    ...schema,
    properties: Object.fromEntries(complete),
    required: [...((required ?? []) as readonly string[]), ...changed],
  }
}

function completePart(part: Schema): Schema {
  return typeof part === 'boolean' || !Array.isArray(part['x-always-shown']) ? part : completeSchema(part)
}

/** Headers that belong to the connection or to the content, and not to the operation. */
const common: readonly string[] = ['content-type', 'content-length', 'date']

/** The headers that Ashlar itself sends. Others may be those of the application, if its code takes part. */
const ours =
  /^(?:etag|location|content-location|last-modified|cache-control|retry-after|www-authenticate|preference-applied|idempotency-replayed|deprecation|sunset|link|ratelimit.*|x-request-id|access-control-.*|vary|read-after|content-encoding|accept-encoding|server-timing|query-cost|x-content-type-options|content-disposition|content-security-policy|accept-ranges)$/

function headerProblems(
  document: OpenApiDocument,
  declared: Json,
  { headers, status }: TestResponse,
  hasOwnCode: boolean,
): readonly string[] {
  // An error of the application may have any headers.
  if (hasOwnCode && status >= 400) return []
  const described = new Map(
    Object.entries((declared['headers'] ?? {}) as Readonly<Record<string, Json>>).map(([name, header]) => [
      name.toLowerCase(),
      resolved(document, header),
    ]),
  )
  const undeclared = [...headers]
    .map(([name]) => name.toLowerCase())
    .filter((name) => !common.includes(name) && !described.has(name))
    .filter((name) => !hasOwnCode || ours.test(name))
  const missing = [...described].filter(([name, header]) => header['required'] === true && !headers.has(name))
  return [
    ...undeclared.map((name) => `the header ${name} is not described`),
    ...missing.map(([name]) => `the header ${name} is missing`),
  ]
}

interface CheckedBody {
  readonly declared: Json
  readonly response: TestResponse
  readonly context: SchemaContext
  /** Whether the application may respond with anything, also with nothing. */
  readonly isOpen: boolean
}

function bodyProblems({ declared, response, context, isOpen }: CheckedBody): readonly string[] {
  const content = declared['content'] as Readonly<Record<string, Json>> | undefined
  const sent = response.headers.get('content-type')
  // An export without rows has no lines.
  const isExport = sent?.startsWith('application/x-ndjson') === true
  if (response.text === '') return content === undefined || isOpen || isExport ? [] : ['the body is missing']
  if (content === undefined) return ['there is a body, and none is described']
  const type = mediaTypeIn(content, sent ?? '')
  if (type === undefined) return [`the media type ${sent} is not described: ${Object.keys(content).join(', ')}`]
  if (response.document === undefined && type !== 'application/vnd.api+json') return []
  const schema = content[type]?.['schema'] as Schema
  return problemsOf(schemaProblem(schema, response.document, isOpen ? { ...context, isClosed: false } : context))
}

function problemsOf(problem: string | null): readonly string[] {
  return problem === null ? [] : [problem]
}

/** Each error of the framework is one that the document lists, and has the form of its code. */
function codeProblems(document: OpenApiDocument, { errors }: TestResponse): readonly string[] {
  return errors.flatMap((error) => {
    if (error.code === undefined || !Object.hasOwn(catalogue, error.code)) return []
    const name = `${error.code.toLowerCase().replaceAll(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())}Error`
    const schema = document.components['schemas']?.[name] as Schema | undefined
    if (schema === undefined) return [`the error code ${error.code} is not described`]
    const resolve = (reference: string): Schema => schemaAt(document, reference)
    return problemsOf(schemaProblem(schema, error, { resolve, onUnknown, checksFormats: true, isClosed: true }))
  })
}

/** Profiles are not part of the keys. */
function mediaTypeIn(content: Json, sent: string): string | undefined {
  const plain = sent
    .replace(/; ?profile="[^"]*"/, '')
    .replaceAll(/;\s*/g, '; ')
    .replace(/ext=([^";]+)/, 'ext="$1"')
  return Object.keys(content).find((key) => key === plain || plain.startsWith(`${key}; charset=`) || key === '*/*')
}

interface SentDocument {
  data?: { id?: unknown; attributes?: Record<string, unknown> } | null
}

/** Returns the pointers of values that may be sent as they were read, although they are older than the declaration. */
function repeatedValues({ data }: SentDocument, { document }: TestResponse): ReadonlySet<string> {
  const shown = (document?.data as TestResource | undefined)?.attributes ?? {}
  const repeated = Object.entries(data?.attributes ?? {}).filter(
    ([name, value]) => typeof value === 'object' && JSON.stringify(value) === JSON.stringify(shown[name]),
  )
  return new Set(repeated.map(([name]) => `/data/attributes/${name}`))
}

/** The body is as it is described. A `null` as id of a new resource counts as none. */
function requestProblems(
  document: OpenApiDocument,
  operation: Json,
  { sent: { body, raw, headers }, response }: DocumentExchange,
): readonly string[] {
  const content = (operation['requestBody'] as Json | undefined)?.['content'] as
    | Readonly<Record<string, Json>>
    | undefined
  if (raw !== undefined || body === undefined || content === undefined) return []
  const sent = headers?.['Content-Type'] ?? headers?.['content-type'] ?? 'application/vnd.api+json'
  const type = mediaTypeIn(content, sent)
  if (type === '*/*') return []
  if (type === undefined) return [`the media type ${sent} of the request is not described`]
  const value = JSON.parse(JSON.stringify(body)) as SentDocument
  if (value.data?.id === null) delete value.data.id
  const repeated = repeatedValues(value, response)
  const problem = schemaProblem(content[type]?.['schema'] as Schema, value, {
    resolve: (reference) => schemaAt(document, reference),
    onUnknown,
    checksFormats: false,
    ignores: (at) => repeated.has(at),
  })
  return problemsOf(problem === null ? null : `request: ${problem}`)
}
