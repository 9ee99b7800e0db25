import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import type { OpenApiDocument } from 'ashlar'
import type { TestRequestOptions, TestResource, TestResponse } from 'ashlar/testing'
import { queryProblems } from './query-checks.js'

type Json = Readonly<Record<string, unknown>>

/** A request under the prefix of its server, and the response to it. */
export interface DocumentExchange {
  readonly method: string
  readonly path: string
  readonly query: string
  readonly sent: TestRequestOptions
  readonly response: TestResponse
}

/** Returns what is wrong about an exchange, by an OpenAPI document. */
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
  const complete = lazily(() => validatorOf(strict(document, false), true))
  const sparse = lazily(() => validatorOf(strict(document, true), true))
  const requests = lazily(() => validatorOf(document, false))
  return (exchange) => {
    const { method, path, query, response, sent } = exchange
    if (method === 'OPTIONS') return []
    const plainPath = decodedPath(path)
    const route = routes.find(({ expression }) => expression.test(plainPath))
    const verb = method === 'HEAD' ? 'get' : method.toLowerCase()
    const operation = route?.item[verb] as Json | undefined
    if (route === undefined || operation === undefined) {
      // A relationship that cannot be replaced may be sent as it is.
      const isRepeated = method === 'PATCH' && route !== undefined && route.template.includes('/relationships/')
      return response.status < 400 && !isRepeated ? [`there is no operation ${method} ${path}`] : []
    }
    const responses = operation['responses'] as Readonly<Record<string, Json>>
    const { status } = response
    const key = [String(status), `${Math.floor(status / 100)}XX`].find((each) => each in responses) ?? 'default'
    const found = responses[key]
    if (found === undefined || (key === 'default' && status < 400)) {
      return [`the status ${response.status} is not described: ${Object.keys(responses).join(', ')}`]
    }
    const declared = resolved(document, found)
    const at = ['paths', route.template, verb, 'responses', key]
    const pointer = typeof found['$ref'] === 'string' ? found['$ref'].slice(1) : pointerOf(...at)
    const validate = /(?:^|&)fields(?:\[|%5B)/i.test(query) ? sparse() : complete()
    const isRequestChecked = response.status < 300 && method !== 'HEAD'
    return [
      ...headerProblems(declared, response, 'default' in responses),
      ...(method === 'HEAD' ? [] : bodyProblems({ declared, pointer, response, validate, isOpen: key === '2XX' })),
      ...(isRequestChecked
        ? queryProblems(document, operation, query, /profile=/.test(sent.headers?.['Accept'] ?? ''))
        : []),
      ...(isRequestChecked
        ? requestProblems(operation, exchange, (name) =>
            requests()(pointerOf('paths', route.template, verb, 'requestBody', 'content', name, 'schema')),
          )
        : []),
    ]
  }
}

function lazily<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | null = null
  return () => (made ??= { value: make() }).value
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

/** A path that is not percent-encoded text leads nowhere. */
function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

function pointerOf(...names: readonly string[]): string {
  return names.map((name) => `/${encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'))}`).join('')
}

function resolved(document: OpenApiDocument, given: Json): Json {
  const { $ref } = given
  if (typeof $ref !== 'string') return given
  return $ref
    .slice(2)
    .split('/')
    .reduce<unknown>((value, name) => (value as Json)[name], document) as Json
}

type Validators = (pointer: string) => ValidateFunction

function validatorOf(document: object, checksFormats: boolean): Validators {
  const ajv = new Ajv2020({ strict: false, allErrors: false, validateFormats: checksFormats, logger: false })
  // Other formats are annotations: stored texts may be older than the declaration.
  if (checksFormats) formats.default(ajv, ['date', 'date-time'])
  ajv.addSchema({ $id: 'https://document.test/openapi', ...document })
  const compiled = new Map<string, ValidateFunction>()
  return (pointer) => {
    const known = compiled.get(pointer) ?? ajv.compile({ $ref: `https://document.test/openapi#${pointer}` })
    compiled.set(pointer, known)
    return known
  }
}

/** Closes the objects whose members are all known, so that members that are not described are found. */
function strict(document: OpenApiDocument, isSparse: boolean): object {
  const copy = structuredClone(document) as unknown as { components: { schemas: Record<string, Record<string, any>> } } // oxlint-disable-line no-explicit-any -- The documents are plain JSON.
  for (const [name, schema] of Object.entries(copy.components.schemas)) {
    if (schema['properties'] === undefined) continue
    if (/(?:Resource|Document\d*|Collection|Relationship)$/.test(name) || isRead(name))
      schema['additionalProperties'] = false
    const relationships = schema['properties'].relationships as Record<string, unknown> | undefined
    if (name.endsWith('Resource') && relationships !== undefined) relationships['additionalProperties'] = false
    if (isRead(name)) schema['properties'] = withNull(schema['properties'])
    for (const meta of pivots(schema)) meta['properties'] = withNull(meta['properties'] as Json)
    if (!isSparse) continue
    // A fieldset may leave out all fields.
    if (isRead(name)) delete schema['required']
    if (!name.endsWith('Resource')) continue
    if (relationships !== undefined) delete relationships['required']
    schema['required'] = (schema['required'] as string[]).filter((each) => !/^(?:attributes|relationships)$/.test(each))
  }
  return copy
}

/**
 * A test may leave out attributes when it creates a resource, and its store has no defaults. Then columns are null that the declaration
 * does not say to be so.
 */
function withNull(properties: Json): Json {
  return Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [name, { anyOf: [{ type: 'null' }, membersWithNull(schema)] }]),
  )
}

function membersWithNull(schema: unknown): unknown {
  if (typeof schema !== 'object' || schema === null || !('properties' in schema)) return schema
  return { ...schema, properties: withNull(schema.properties as Json) }
}

/** Returns the schemas of the fields of join rows. */
function pivots(schema: unknown): readonly Record<string, unknown>[] {
  if (typeof schema !== 'object' || schema === null) return []
  return Object.entries(schema).flatMap(([name, value]: [string, unknown]) =>
    name === 'pivot' && typeof value === 'object' && value !== null && 'properties' in value
      ? [value as Record<string, unknown>]
      : pivots(value),
  )
}

function isRead(name: string): boolean {
  return name.endsWith('Attributes') && !/(?:Create|Update)Attributes$/.test(name)
}

/** Headers that belong to the connection or to the content, and not to the operation. */
const common: readonly string[] = ['content-type', 'content-encoding', 'content-length', 'date']

/** The headers that Ashlar itself sends. Others may be those of the application, if its code takes part. */
const ours =
  /^(?:etag|location|content-location|last-modified|cache-control|retry-after|www-authenticate|preference-applied|idempotency-replayed|deprecation|sunset|link|ratelimit.*|x-request-id|access-control-.*|vary)$/

function headerProblems(declared: Json, { headers, status }: TestResponse, hasOwnCode: boolean): readonly string[] {
  // An error of the application has the headers that it likes.
  if (hasOwnCode && status >= 400) return []
  const described = Object.keys((declared['headers'] as Json | undefined) ?? {}).map((name) => name.toLowerCase())
  const undeclared = [...headers]
    .map(([name]) => name.toLowerCase())
    .filter((name) => !common.includes(name) && !described.includes(name))
    .filter((name) => !hasOwnCode || ours.test(name))
  const missing = ['vary', 'location', 'www-authenticate'].filter(
    (name) => described.includes(name) && !headers.has(name),
  )
  return [
    ...undeclared.map((name) => `the header ${name} is not described`),
    ...missing.map((name) => `the header ${name} is missing`),
  ]
}

interface CheckedBody {
  readonly declared: Json
  readonly pointer: string
  readonly response: TestResponse
  readonly validate: Validators
  /** Whether the application may respond with anything, also with nothing. */
  readonly isOpen: boolean
}

function bodyProblems({ declared, pointer, response, validate, isOpen }: CheckedBody): readonly string[] {
  const content = declared['content'] as Json | undefined
  const sent = response.headers.get('content-type')
  if (response.text === '') return content === undefined || isOpen ? [] : ['the body is missing']
  if (content === undefined) return ['there is a body, and none is described']
  const type = mediaTypeIn(content, sent ?? '')
  if (type === undefined) return [`the media type ${sent} is not described: ${Object.keys(content).join(', ')}`]
  return validationProblems(validate(`${pointer}${pointerOf('content', type, 'schema')}`), response.document)
}

/** Profiles are not part of the keys. */
function mediaTypeIn(content: Json, sent: string): string | undefined {
  const plain = sent.replace(/; ?profile="[^"]*"/, '').replaceAll(/;\s*/g, '; ')
  return Object.keys(content).find((key) => key === plain)
}

function validationProblems(validate: ValidateFunction, value: unknown): readonly string[] {
  if (validate(value)) return []
  return (validate.errors ?? []).map(({ instancePath, message, params, schemaPath }) => {
    return `${instancePath === '' ? '(document)' : instancePath} ${message ?? ''} ${JSON.stringify(params)} at ${schemaPath}`
  })
}

interface SentDocument {
  data?: { id?: unknown; attributes?: Record<string, unknown> } | null
}

/** Takes out what is accepted although it is not described: null as the id of a new resource, and values that were read as they are. */
function tolerate(data: NonNullable<SentDocument['data']>, { document }: TestResponse): void {
  if (data.id === null) delete data.id
  const shown = (document?.data as TestResource | undefined)?.attributes ?? {}
  for (const [name, value] of Object.entries(data.attributes ?? {})) {
    if (JSON.stringify(value) === JSON.stringify(shown[name]) && !isPlain(value)) delete data.attributes?.[name]
  }
}

/** Whether a value has no members that could be older than the declaration. */
function isPlain(value: unknown): boolean {
  return typeof value !== 'object'
}

/** A request that succeeds has a body as it is described. A `null` as id of a new resource counts as none. */
function requestProblems(
  operation: Json,
  { sent: { body, raw, headers }, response }: DocumentExchange,
  validatorAt: (mediaType: string) => ValidateFunction,
): readonly string[] {
  const content = (operation['requestBody'] as Json | undefined)?.['content'] as Json | undefined
  if (raw !== undefined || body === undefined || content === undefined) return []
  const sent = headers?.['Content-Type'] ?? headers?.['content-type'] ?? 'application/vnd.api+json'
  const type = mediaTypeIn(content, sent)
  if (type === undefined)
    return Object.keys(content)[0] === 'application/octet-stream'
      ? []
      : [`the media type ${sent} of the request is not described`]
  const document = JSON.parse(JSON.stringify(body)) as SentDocument
  if (typeof document.data === 'object' && document.data !== null) tolerate(document.data, response)
  return validationProblems(validatorAt(type), document).map((problem) => `request: ${problem}`)
}
