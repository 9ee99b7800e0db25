import { FORM, JSON_TYPE } from '../../core/document/media-type.js'
import { filterTreeProfile } from '../../declare/profiles/profile.js'
import type { JsonSchema } from '../../declare/resource/parts/json-schema.js'
import type { Api } from './described-server.js'
import { headersMember } from './headers.js'
import { isRegistered } from './registered-profile.js'
import { bodyParameters } from './request-parameters.js'
import { errorResponse } from './responses.js'
import { componentName, sharedComponent } from './shared-component.js'

/** A GET operation of resources or relationships, and the filter tree of its list; `null` if it has none. */
export interface ReadOperation {
  readonly get: JsonSchema
  readonly filterTree: JsonSchema | null
}

/**
 * Returns the QUERY request of a path, which is its GET request with the query parameters in the body: the operation `query` of OpenAPI 3.2. Documents
 * of OpenAPI 3.1 have it as `x-query`, and only if it may have queries that a URL cannot have.
 */
export function queryMember(api: Api, { get, filterTree }: ReadOperation): JsonSchema {
  if (api.version === '3.2') return { query: queryOperation(api, get, filterTree) }
  if (api.isCompact || !isRegistered(api, filterTreeProfile)) return {}
  return { 'x-query': queryOperation(api, get, filterTree) }
}

/** The beginning of the ids of operations that read. */
const fetching = /^fetch/

function queryOperation(api: Api, get: JsonSchema, filterTree: JsonSchema | null): JsonSchema {
  const { operationId, summary, parameters: _, responses, ...common } = get
  const sent = parametersIn(api, get)
  const headers = [...sent.filter(([, each]) => each['in'] !== 'query').map(([given]) => given), ...bodyParameters(api)]
  return {
    operationId: String(operationId).replace(fetching, 'query'),
    ...(typeof summary === 'string' ? { summary: `${summary}, by a query in the body` } : {}),
    ...common,
    ...(headers.length === 0 ? {} : { parameters: headers }),
    requestBody: api.isCompact ? anyQuery(api) : { content: queryContent(api, get, filterTree) },
    responses: queryResponses(api, responses as Responses),
  }
}

type Content = Readonly<Record<string, JsonSchema>>

function queryContent(api: Api, get: JsonSchema, filterTree: JsonSchema | null): Content {
  const fields = fieldsIn(api, get)
  return {
    [FORM]: formContent(fields),
    ...(isRegistered(api, filterTreeProfile) ? jsonContent(fields, filterTree) : {}),
  }
}

/** Returns the body of the QUERY requests in documents of many types. */
function anyQuery(api: Api): JsonSchema {
  const schema = { type: 'object', description: 'The query parameters of the GET operation.' }
  const types = isRegistered(api, filterTreeProfile) ? [FORM, JSON_TYPE] : [FORM]
  return api.components.ref('requestBodies', 'Query', () => ({
    content: Object.fromEntries(types.map((type) => [type, { schema }])),
  }))
}

/** Returns the parameters of an operation: as they are given, and resolved. */
function parametersIn(
  { components }: Api,
  { parameters = [] }: JsonSchema,
): readonly (readonly [JsonSchema, JsonSchema])[] {
  return (parameters as readonly JsonSchema[]).map((given) => [given, components.resolve(given)])
}

/** A member of the body of a QUERY request, which is a query parameter of the GET request. */
interface QueryField {
  readonly name: string
  readonly schema: JsonSchema
  /** How a form encodes it. */
  readonly encoding: JsonSchema | null
}

/** Returns the members of a body with the query of an operation. Parameters that several operations have share a component there, too. */
function fieldsIn(api: Api, get: JsonSchema): readonly QueryField[] {
  return parametersIn(api, get).flatMap(([given, parameter]) => {
    if (parameter['in'] !== 'query') return []
    const { style, explode } = parameter
    const schema = valueSchema(api, parameter)
    const isShared = given !== parameter
    return {
      name: String(parameter['name']),
      schema: isShared ? sharedComponent(api, 'schemas', `${componentName(given)}Parameter`, schema) : schema,
      encoding: style === undefined ? null : { style, explode },
    }
  })
}

/** Returns the schema of the value of a parameter, with everything that the parameter says about it. A filter may have more values in a body. */
function valueSchema({ contract }: Api, parameter: JsonSchema): JsonSchema {
  const { filterValues, queryFilterValues } = contract.limits
  const { name, in: _in, style: _style, explode: _explode, schema: given, ...about } = parameter
  const schema = { ...(given as JsonSchema), ...about }
  const isList = String(name).startsWith('filter[') && schema['maxItems'] === filterValues
  return isList ? { ...schema, maxItems: queryFilterValues } : schema
}

/** Returns the content of bodies with the syntax of query strings: https://spec.openapis.org/oas/v3.2.0#encoding-object */
function formContent(fields: readonly QueryField[]): JsonSchema {
  const encoding = fields.flatMap((field) => (field.encoding === null ? [] : [[field.name, field.encoding] as const]))
  return {
    schema: { type: 'object', properties: Object.fromEntries(fields.map(({ name, schema }) => [name, schema])) },
    ...(encoding.length === 0 ? {} : { encoding: Object.fromEntries(encoding) }),
  }
}

/** Returns the content of bodies in JSON: the filters are a tree, and `fields[albums]` is the member `albums` of `fields`. */
function jsonContent(fields: readonly QueryField[], filterTree: JsonSchema | null): Content {
  const properties: Record<string, JsonSchema> = filterTree === null ? {} : { filter: filterTree }
  for (const { name, schema } of fields) {
    const [family = '', key] = name.split(/\[|\]/)
    if (family === 'filter') continue
    const value = family === 'relatedQuery' ? relatedQueries : schema
    if (key === undefined) properties[family] = value
    else properties[family] = { type: 'object', properties: { ...propertiesOf(properties[family]), [key]: value } }
  }
  return { [JSON_TYPE]: { schema: { type: 'object', properties } } }
}

function propertiesOf(schema: JsonSchema | undefined): JsonSchema {
  return (schema?.['properties'] ?? {}) as JsonSchema
}

const relatedQueries: JsonSchema = Object.freeze({
  type: 'object',
  description:
    'Filters and sorts the members of relationships of the primary resources, by the name of the relationship.',
  additionalProperties: {
    type: 'object',
    properties: { filter: { type: 'object' }, sort: { type: 'array', items: { type: 'string' } } },
    additionalProperties: false,
  },
})

type Responses = Readonly<Record<string, JsonSchema>>

/** Returns the responses of a QUERY request: those of the GET request, whose URL they name, and those about its body. */
function queryResponses(api: Api, responses: Responses): Responses {
  const url = api.components.ref('headers', 'EquivalentUrl', () => ({
    description: 'The URL of the GET request with the same query, if there is one that is not too long.',
    schema: { type: 'string' },
  }))
  const located = Object.entries(responses).map(([status, given]): readonly [string, JsonSchema] => {
    if (status !== '200' && status !== '304') return [status, given]
    const response = api.components.resolve(given)
    const headers = { ...(response['headers'] as JsonSchema | undefined), Location: url, 'Content-Location': url }
    return [status, { ...response, headers }]
  })
  const ofBody = api.isCompact ? {} : { 413: errorResponse(api, 413), 415: unsupportedQuery(api) }
  return { ...Object.fromEntries(located), ...ofBody }
}

/** Returns the response to a body of another media type, which names those of queries. */
function unsupportedQuery(api: Api): JsonSchema {
  const { headers, ...response } = api.components.resolve(errorResponse(api, 415))
  return api.components.ref('responses', 'UnsupportedQuery', () => ({
    ...response,
    headers: { ...(headers as JsonSchema | undefined), ...headersMember(api, ['Accept-Query']).headers },
  }))
}
