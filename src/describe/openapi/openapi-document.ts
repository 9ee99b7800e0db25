import { FORM, JSON_TYPE, MEDIA_TYPE } from '../../core/document/media-type.js'
import { filterTreeProfile } from '../../declare/profiles/profile.js'
import type { JsonSchema } from '../../declare/resource/parts/json-schema.js'
import { actionPaths } from './action-operations.js'
import { componentNames, sharedNames } from './component-names.js'
import { newComponents } from './components.js'
import { deprecatedByHeaders } from './deprecated-by-headers.js'
import type { Contract } from '../contract/contract.js'
import type { Api, DescribedExtension, DescribedServer } from './described-server.js'
import { errorNames } from './error-schemas.js'
import { commonParameters } from './request-parameters.js'
import { parametersMember, tagsOf } from './operation-parts.js'
import type { OpenApiDocument, OpenApiVersion } from './openapi-settings.js'
import { includableSchemas } from './included-types.js'
import { identifierSchema } from './linkage-schema.js'
import { pageMetaNames } from './page-schemas.js'
import { isRegistered } from './registered-profile.js'
import { relationPaths } from './relation-operations.js'
import { withRequestExamples } from './request-examples.js'
import { commonStatuses, errorResponses, successResponses } from './responses.js'
import { securityOf, securitySchemes } from './security.js'
import { documentLinks, jsonapiSchema, metaSchema, requiredMembers } from './shared-schemas.js'
import { typePaths } from './type-operations.js'
import type { Steps } from '../../core/util/in-slices.js'

/** The version of the structure of the documents, for generators. It is raised if generators must be adapted. */
const CONTRACT = 2

/**
 * The maximum number of types of a document whose operations each list all error statuses, the headers that all responses have, and each filter
 * of related resources. In documents of more types, that would be three quarters of the text.
 */
const MAX_DETAILED_TYPES = 100

/** Creates the OpenAPI document of a server, type by type. The same declarations result in the same document. */
export function* openapiDocument(
  server: DescribedServer,
  contract: Contract,
  version: OpenApiVersion,
): Steps<OpenApiDocument> {
  const types = new Map(contract.types.map((type) => [type.type, type]))
  const api: Api = {
    server,
    contract,
    version,
    components: newComponents(),
    names: componentNames([...sharedNames, ...errorNames, ...pageMetaNames, ...extensionNames(server)]),
    isCompact: types.size > MAX_DETAILED_TYPES,
    find: (type) => types.get(type) ?? null,
    findReferenced: (type) => types.get(type) ?? contract.referenced.find((other) => other.type === type) ?? null,
  }
  // All types get their names before the relations, so that no relation gets the name of a type.
  for (const type of types.keys()) api.names.ofType(type)
  const described = Object.fromEntries(yield* allPaths(api))
  // Generators look for the identifiers of each type, also of those that no other component refers to.
  for (const type of types.keys()) identifierSchema(api, type)
  yield
  const components = componentsOf(api)
  yield
  const paths = api.isCompact ? described : withRequestExamples(described, components['schemas'] ?? {})
  const document: OpenApiDocument = {
    openapi: `${version}.0`,
    info: infoOf(server),
    servers: serversOf(server),
    paths,
    components,
    tags: tagsIn(api, paths),
    'x-limits': contract.limits,
    // They are as the GET operations of paths with a type and without an action: see `queryMember()`.
    'x-query': { mediaTypes: isRegistered(api, filterTreeProfile) ? [FORM, JSON_TYPE] : [FORM] },
  }
  return server.settings.decorate === undefined ? document : server.settings.decorate(document)
}

type PathItem = readonly [path: string, item: JsonSchema]

function extensionNames({ extensions }: DescribedServer): readonly string[] {
  return extensions.flatMap(({ componentNames: names = [] }) => names)
}

function* allPaths(api: Api): Steps<readonly PathItem[]> {
  const { hasRoot, extensions } = api.server
  if (api.isCompact) yield* includableSchemas(api)
  const items: PathItem[] = []
  for (const type of api.contract.types) {
    items.push(...typePaths(api, type))
    yield
    items.push(...relationPaths(api, type), ...actionPaths(api, type))
    yield
  }
  for (const extension of extensions) {
    items.push([extension.path, { post: extensionOperation(api, extension) }])
    yield
  }
  return hasRoot ? [['/', { get: rootOperation(api) }], ...items] : items
}

function infoOf({ name, settings }: DescribedServer): JsonSchema {
  const { title, version = '1.0.0', description, info } = settings
  return {
    title: title ?? (name === 'default' ? 'JSON:API' : `JSON:API (${name})`),
    version,
    ...(description === undefined ? {} : { description }),
    ...info,
    'x-generator': { contract: CONTRACT },
  }
}

/** Returns the addresses of the API. Without a base URI, it is that of the document. */
function serversOf({ settings, baseUri, prefix, host }: DescribedServer): readonly JsonSchema[] {
  if (settings.servers !== undefined) return settings.servers
  const base = baseUri === '' && host !== null ? `//${host}` : baseUri
  return [{ url: `${base}${prefix}` === '' ? '/' : `${base}${prefix}` }]
}

function componentsOf({ components, server }: Api): OpenApiDocument['components'] {
  const schemes = securitySchemes(server)
  const all = components.all() as OpenApiDocument['components']
  return Object.keys(schemes).length === 0 ? all : { ...all, securitySchemes: schemes }
}

/** Returns the tags of the settings, then those of the types, in the order of the operations. */
function tagsIn(
  { server: { settings }, contract: { types } }: Api,
  paths: OpenApiDocument['paths'],
): readonly JsonSchema[] {
  const declared = settings.tags ?? []
  const used = Object.values(paths).flatMap((item) =>
    Object.values(item).flatMap((operation) => (operation as { readonly tags?: readonly string[] }).tags ?? []),
  )
  const names = new Set(used.filter((name) => declared.every((tag) => tag.name !== name)))
  const untagged = types.filter(({ tags }) => tags.length === 0).toReversed()
  const descriptions = new Map(untagged.flatMap((type) => tagsOf(type).map((name) => [name, type.description])))
  return [
    ...declared,
    ...[...names].map((name) => {
      const description = descriptions.get(name) ?? null
      return description === null ? { name } : { name, description }
    }),
  ]
}

/** Returns the operation at the root of a server, whose document has links to its collections. */
function rootOperation(api: Api): JsonSchema {
  const schema = api.components.schema('RootDocument', () => ({
    type: 'object',
    properties: { meta: metaSchema(api), links: documentLinks(api), jsonapi: jsonapiSchema(api) },
    required: ['links', ...requiredMembers(api)],
  }))
  return {
    operationId: 'root',
    summary: 'Links to all collections',
    tags: ['Root'],
    ...deprecatedByHeaders(api, null),
    ...parametersMember(commonParameters(api, false)),
    responses: {
      ...successResponses(api, null, [{ status: 200, description: 'The links.', schema }]),
      ...errorResponses(api, commonStatuses(api), api.server.traits.hasOtherMiddleware),
    },
    ...securityOf(api.server, 'none'),
  }
}

function extensionOperation(api: Api, extension: DescribedExtension): JsonSchema {
  if (extension.describe !== undefined) return extension.describe(api)
  const key = `${MEDIA_TYPE}; ext="${extension.uri}"`
  return {
    operationId: extension.name,
    summary: extension.name,
    requestBody: { required: true, content: { [key]: { schema: { type: 'object' } } } },
    responses: {
      default: { description: 'As the extension defines.', content: { [key]: { schema: { type: 'object' } } } },
    },
    ...securityOf(api.server, 'some'),
  }
}
