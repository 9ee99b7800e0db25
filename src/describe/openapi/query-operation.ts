import { FORM, JSON_TYPE } from '../../core/document/media-type.js'
import { filterTreeProfile } from '../../declare/profiles/profile.js'
import type { JsonSchema } from '../../declare/resource/parts/json-schema.js'
import type { Api } from './described-server.js'
import { isRegistered } from './registered-profile.js'
import { bodyParameters } from './request-parameters.js'
import { errorResponse } from './responses.js'

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
  if (!api.describesQuery) return {}
  return { [api.version === '3.2' ? 'query' : 'x-query']: queryOperation(api, get, filterTree) }
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
  const parameters = queryParametersIn(api, get)
  return {
    [FORM]: formContent(parameters),
    ...(isRegistered(api, filterTreeProfile) ? jsonContent(parameters, filterTree) : {}),
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

/** Returns the query parameters of an operation as a body has them: a filter may have more values. */
function queryParametersIn(api: Api, get: JsonSchema): readonly JsonSchema[] {
  const { filterValues, queryFilterValues } = api.contract.limits
  return parametersIn(api, get).flatMap(([, parameter]) => {
    if (parameter['in'] !== 'query') return []
    const schema = parameter['schema'] as JsonSchema
    const isList = String(parameter['name']).startsWith('filter[') && schema['maxItems'] === filterValues
    return [isList ? { ...parameter, schema: { ...schema, maxItems: queryFilterValues } } : parameter]
  })
}

/** Returns the content of bodies with the syntax of query strings: https://spec.openapis.org/oas/v3.2.0#encoding-object */
function formContent(parameters: readonly JsonSchema[]): JsonSchema {
  const properties = parameters.map((each) => [each['name'], valueSchema(each)] as const)
  const styled = parameters.filter(({ style }) => style !== undefined)
  const encoding = styled.map(({ name, style, explode }) => [name, { style, explode }] as const)
  return {
    schema: { type: 'object', properties: Object.fromEntries(properties) },
    ...(encoding.length === 0 ? {} : { encoding: Object.fromEntries(encoding) }),
  }
}

/** Returns the schema of the value of a parameter, with everything that the parameter says about it. */
function valueSchema({ name: _, in: _in, style: _style, explode: _explode, schema, ...about }: JsonSchema): JsonSchema {
  return { ...(schema as JsonSchema), ...about }
}

/** Returns the content of bodies in JSON: the filters are a tree, and `fields[albums]` is the member `albums` of `fields`. */
function jsonContent(parameters: readonly JsonSchema[], filterTree: JsonSchema | null): Content {
  const properties: Record<string, JsonSchema> = filterTree === null ? {} : { filter: filterTree }
  for (const parameter of parameters) {
    const [family = '', key] = String(parameter['name']).split(/\[|\]/)
    if (family === 'filter') continue
    const value = family === 'relatedQuery' ? relatedQueries : valueSchema(parameter)
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
  const ofBody = api.isCompact ? {} : { 413: errorResponse(api, 413), 415: errorResponse(api, 415) }
  return { ...Object.fromEntries(located), ...ofBody }
}
