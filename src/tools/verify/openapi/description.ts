import { MEDIA_TYPE, parseMediaTypes } from '../../../core/document/media-type.js'
import { isJsonObject, type JsonObject } from '../../format/inspection/document-inspection.js'
import type { Method } from '../exchange/exchange.js'
import type { Schema, SchemaProblem } from './schema-check.js'
import { schemaCheck } from './schema-check.js'

/** An operation of an OpenAPI document. */
export interface Operation {
  readonly method: Method
  /** The path as the document has it: `/albums/{id}`. */
  readonly template: string
  /** The path with the base of the server: `/api/albums/{id}`. */
  readonly path: string
  readonly queryParameters: readonly DescribedParameter[]
  /** The statuses of responses as they are written, such as `default`. */
  readonly statuses: readonly string[]
  /** Whether the path also serves QUERY requests, with the same query in the body. */
  readonly servesQuery: boolean
  /** Returns the description of the responses with a status: by itself, by its class, or by `default`. */
  readonly response: (status: number) => DescribedResponse | null
  /** The schema of the document that a request sends; `null` if it sends none. */
  readonly requestSchema: Schema | null
}

export interface DescribedParameter {
  readonly name: string
  /** Whether it may be any text. */
  readonly isText: boolean
  /** Whether it is a full-text search. */
  readonly isSearch: boolean
  readonly isRequired: boolean
}

export interface DescribedResponse {
  /** The schemas by media type; `null` if the response has no body. */
  readonly content: Readonly<Record<string, Schema | null>> | null
  readonly requiredHeaders: readonly string[]
}

/** An OpenAPI document of version 2.0, 3.0, 3.1 or 3.2. */
export interface Description {
  /** The address, or the path of the file. */
  readonly source: string
  readonly version: string
  /** Whether Ashlar has written it. */
  readonly isOfAshlar: boolean
  readonly operations: readonly Operation[]
  /** The names of all query parameters. */
  readonly queryParameters: readonly string[]
  /** Local references without a target. */
  readonly brokenReferences: readonly string[]
  /** Returns the operation at a URL; `null` if none is described. */
  find(method: Method, url: string): Operation | null
  /** Returns the schema of a reference within the document. */
  resolve(reference: string): Schema | undefined
  /** Returns the problem of a value by a schema of the document, or `null`. */
  problemOf(schema: Schema, value: unknown): SchemaProblem | null
}

const methods = ['get', 'head', 'query', 'post', 'put', 'patch', 'delete'] as const

export interface DescriptionSource {
  readonly source: string
  /** The URL of the server. Its path is the base of all paths if no server of the document fits. */
  readonly url: string
}

/** Reads an OpenAPI document. Returns `null` if a value is none. */
export function readDescription(document: unknown, { source, url }: DescriptionSource): Description | null {
  if (!isJsonObject(document)) return null
  const { paths } = document
  const version = document['openapi'] ?? document['swagger']
  if (typeof version !== 'string' || !isJsonObject(paths)) return null
  const base = basePath(document, url)
  const operations = Object.entries(paths).flatMap(([template, item]) =>
    isJsonObject(item) ? operationsOf({ document, template, item, path: `${base}${template}` }) : [],
  )
  const matchers = operations
    .map((operation) => ({ operation, expression: expressionOf(operation.path) }))
    .toSorted((a, b) => a.operation.path.split('{').length - b.operation.path.split('{').length)
  const resolve = (reference: string): Schema | undefined => valueAt(document, reference) as Schema | undefined
  return {
    source,
    version,
    isOfAshlar: isJsonObject(document['info']) && isJsonObject(document['info']['x-generator']),
    operations,
    queryParameters: [
      ...new Set(operations.filter(isOfJsonApi).flatMap(({ queryParameters: all }) => all.map(({ name }) => name))),
    ],
    brokenReferences: [...new Set(referencesIn(document).filter((each) => valueAt(document, each) === undefined))],
    find(method, address) {
      const path = decodedPath(new URL(address).pathname)
      const found = matchers.find(({ operation, expression }) => {
        return operation.method === method && expression.test(path)
      })
      return found?.operation ?? null
    },
    resolve,
    problemOf: schemaCheck(resolve),
  }
}

/** Whether an operation responds with JSON:API. Other operations of the same server may have any parameters. */
function isOfJsonApi({ response }: Operation): boolean {
  const statuses = [200, 201, 202, 204]
  const content = statuses.flatMap((status) => Object.keys(response(status)?.content ?? {}))
  return content.some((name) => parseMediaTypes(name)[0]?.name === MEDIA_TYPE)
}

/** Returns the path of the server, without a slash at its end. */
function basePath(document: JsonObject, url: string): string {
  const serverPath = new URL(url).pathname
  if (typeof document['basePath'] === 'string') return document['basePath'].replace(/\/$/, '')
  const servers = Array.isArray(document['servers']) ? document['servers'].filter(isJsonObject) : []
  const paths = servers.flatMap(({ url: server }) => {
    return typeof server === 'string' && URL.canParse(server, url) ? [new URL(server, url).pathname] : []
  })
  const fitting = paths.find((path) => serverPath.startsWith(path)) ?? paths[0]
  return (fitting ?? (paths.length === 0 && servers.length > 0 ? serverPath : '/')).replace(/\/$/, '')
}

interface PathItem {
  readonly document: JsonObject
  readonly template: string
  readonly item: JsonObject
  readonly path: string
}

function operationsOf({ document, template, item, path }: PathItem): readonly Operation[] {
  return methods.flatMap((name) => {
    // Before OpenAPI 3.2, there was no such member of the standard.
    const operation = item[name] ?? (name === 'query' ? item['x-query'] : undefined)
    if (!isJsonObject(operation)) return []
    const parameters = [...listOf(item['parameters']), ...listOf(operation['parameters'])]
      .map((parameter) => resolved(document, parameter))
      .filter(isJsonObject)
    return [
      {
        method: name.toUpperCase() as Method,
        template,
        path,
        queryParameters: parameters.filter((each) => each['in'] === 'query').flatMap(parametersOf),
        statuses: Object.keys(isJsonObject(operation['responses']) ? operation['responses'] : {}),
        servesQuery: name === 'get' && servesQuery(document, item),
        response: (status) => responseOf(document, operation, status),
        requestSchema: requestSchemaOf(document, operation, parameters),
      } satisfies Operation,
    ]
  })
}

/** Whether a path has a QUERY operation, or the document says that all paths have one which are not those of actions. */
function servesQuery(document: JsonObject, item: JsonObject): boolean {
  const subject = item['x-subject']
  const isRead = isJsonObject(subject) && !Object.hasOwn(subject, 'action')
  return 'query' in item || 'x-query' in item || (isRead && isJsonObject(document['x-query']))
}

/** Returns the query parameters of a parameter object. One in the style `deepObject` has a parameter for each member. */
function parametersOf(parameter: JsonObject): readonly DescribedParameter[] {
  const { name, required, style, schema } = parameter
  if (typeof name !== 'string') return []
  const members = style === 'deepObject' && isJsonObject(schema) ? schema['properties'] : null
  const names = isJsonObject(members) ? Object.keys(members).map((member) => `${name}[${member}]`) : [name]
  const isText = isJsonObject(schema) && schema['type'] === 'string' && !('enum' in schema) && !('format' in schema)
  const isSearch = parameter['x-search'] === true
  return names.map((each) => ({ name: each, isRequired: required === true, isText, isSearch }))
}

function responseOf(document: JsonObject, operation: JsonObject, status: number): DescribedResponse | null {
  const responses = operation['responses']
  if (!isJsonObject(responses)) return null
  const keys = [String(status), `${Math.floor(status / 100)}XX`, `${Math.floor(status / 100)}xx`, 'default']
  const key = keys.find((each) => Object.hasOwn(responses, each))
  const response = key === undefined ? null : resolved(document, responses[key])
  if (!isJsonObject(response)) return null
  const headers = isJsonObject(response['headers']) ? Object.entries(response['headers']) : []
  return {
    content: contentOf(document, operation, response),
    requiredHeaders: headers.flatMap(([name, header]) => {
      const described = resolved(document, header)
      return isJsonObject(described) && described['required'] === true ? [name.toLowerCase()] : []
    }),
  }
}

/** Returns the schemas by media type. Version 2.0 has one schema for all media types that the operation produces. */
function contentOf(document: JsonObject, operation: JsonObject, response: JsonObject): DescribedResponse['content'] {
  if (isJsonObject(response['content'])) {
    const entries = Object.entries(response['content']).map(([name, content]) => {
      const schema = isJsonObject(content) ? content['schema'] : undefined
      return [name, (schema as Schema | undefined) ?? null] as const
    })
    return Object.fromEntries(entries)
  }
  if (typeof document['swagger'] !== 'string' || response['schema'] === undefined) return null
  const produced = listOf(operation['produces'] ?? document['produces'])
  const names = produced.length === 0 ? ['*/*'] : produced.map(String)
  return Object.fromEntries(names.map((name) => [name, response['schema'] as Schema]))
}

function requestSchemaOf(
  document: JsonObject,
  operation: JsonObject,
  parameters: readonly JsonObject[],
): Schema | null {
  const body = parameters.find((each) => each['in'] === 'body')
  if (body !== undefined) return (body['schema'] as Schema | undefined) ?? null
  const request = resolved(document, operation['requestBody'])
  const content = isJsonObject(request) ? request['content'] : null
  if (!isJsonObject(content)) return null
  const name =
    Object.keys(content).find((each) => each.startsWith('application/vnd.api+json')) ?? Object.keys(content)[0]
  const media = name === undefined ? null : content[name]
  return isJsonObject(media) ? ((media['schema'] as Schema | undefined) ?? null) : null
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

function resolved(document: JsonObject, value: unknown): unknown {
  const reference = isJsonObject(value) ? value['$ref'] : undefined
  return typeof reference === 'string' ? valueAt(document, reference) : value
}

/** Returns the value at a reference such as `#/components/schemas/Album`. References to other documents are not resolved. */
function valueAt(document: JsonObject, reference: string): unknown {
  if (!reference.startsWith('#')) return undefined
  let value: unknown = document
  for (const token of reference.slice(1).split('/').slice(1)) {
    const name = decodedSegment(token).replaceAll('~1', '/').replaceAll('~0', '~')
    if (Array.isArray(value)) value = value[Number(name)] as unknown
    else value = isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined
  }
  return value
}

/** Returns the local references of a document. An example may have a member of that name. */
function referencesIn(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(referencesIn)
  if (!isJsonObject(value)) return []
  const reference = value['$ref']
  const inner = Object.entries(value).flatMap(([name, each]) => (/^examples?$/.test(name) ? [] : referencesIn(each)))
  return typeof reference === 'string' && reference.startsWith('#') ? [reference, ...inner] : inner
}

function expressionOf(path: string): RegExp {
  const source = path
    .split(/(\{[^}]+\})/)
    .map((part) => {
      return part.startsWith('{') ? '[^/]+' : decodedPath(part).replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
    })
    .join('')
  return new RegExp(`^${source.replace(/\/$/, '')}/?$`)
}

/** Decodes a path, since literal segments of templates are not encoded. A slash within a segment stays encoded. */
function decodedPath(path: string): string {
  return path
    .split('/')
    .map((segment) => decodedSegment(segment).replaceAll('/', '%2F'))
    .join('/')
}

function decodedSegment(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
