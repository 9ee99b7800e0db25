import { ATOMIC_EXTENSION } from '../../core/document/media-type.js'
import { entriesOf } from '../../core/errors/exception-mapping.js'
import { textOfHost } from '../../core/http/host.js'
import type { Middleware } from '../../declare/resource/request/middleware.js'
import { serverContract } from '../../describe/contract/server-contract.js'
import type { DescribedServer, ServerTraits } from '../../describe/openapi/described-server.js'
import { jsonSchemas } from '../../describe/openapi/json-schemas.js'
import { openapiDocument } from '../../describe/openapi/openapi-document.js'
import type { OpenApiVersion } from '../../describe/openapi/openapi-settings.js'
import { viewerPath } from '../../serve/route/description-routes.js'
import type { RouteServer } from '../../serve/route/route-server.js'
import { sliced } from '../../core/util/in-slices.js'
import { lazily } from '../../core/util/lazily.js'
import type { ViewerAssets } from '../../describe/viewer/viewer-assets.js'
import { viewerContent } from '../../describe/viewer/viewer-content.js'
import { frozenInSteps, jsonFileInSteps } from './described-files.js'
import type { ServerDescription } from './server-description.js'
import type { ServerExtension } from './declared/extension.js'
import { defaultPaginator } from './declared/default-paginator.js'
import { openapiOptions } from './declared/openapi-options.js'
import type { Limits, ServerSettings } from './declared/server-settings.js'
import type { ServedTypes } from './serve-types.js'
import type { ServerService, Service } from './service.js'

/** The parts of a server that its description depends on. */
export interface DescribedParts {
  readonly server: RouteServer
  /** The settings of the server. */
  readonly settings: ServerSettings
  readonly served: ServedTypes
  readonly service: ServerService
  readonly extensions: readonly ServerExtension[]
  /** The files of the viewer, which all servers share. */
  readonly assets: ViewerAssets
  readonly common: Pick<Service, 'middleware' | 'callerHeaders' | 'cors' | 'idempotency' | 'overload' | 'readAfter'>
}

export function describeServer(parts: DescribedParts): ServerDescription {
  const described = lazily(() => describedServer(parts))
  const contract = sliced(() => serverContract(described()))
  const inVersion = (version: OpenApiVersion) =>
    sliced(function* () {
      return yield* frozenInSteps(yield* openapiDocument(described(), yield* contract.steps(), version))
    })
  const versions = { '3.1': inVersion('3.1'), '3.2': inVersion('3.2') }
  const { openapiVersion = '3.1' } = openapiOptions(parts.settings.openapi)
  const openapi = versions[openapiVersion]
  const schemas = sliced(function* () {
    return yield* frozenInSteps(yield* jsonSchemas(yield* contract.steps(), described().settings))
  })
  const openapiFile = sliced(() => jsonFileInSteps(openapi.now()))
  const schemasFile = sliced(() => jsonFileInSteps(schemas.now()))
  const contents = {
    openapi: () => openapi.soon().then(openapiFile.soon),
    schemas: () => schemas.soon().then(schemasFile.soon),
  }
  const viewer = lazily(() =>
    viewerContent({
      server: described(),
      contract,
      path: viewerPath(parts.server),
      document: openapi.soon,
      assets: parts.assets,
    }),
  )
  return Object.freeze<ServerDescription>({
    openapi(version = openapiVersion) {
      if (!Object.hasOwn(versions, version)) throw new TypeError(`There is no version '${version}' of OpenAPI here.`)
      return versions[version].now()
    },
    schemas: schemas.now,
    contract: contract.now,
    content: async (description, file) => (description === 'viewer' ? viewer()(file) : contents[description]()),
  })
}

function describedServer({ server, settings, served, service, extensions, common }: DescribedParts): DescribedServer {
  const { name, prefix, host, isPlaced } = server
  // The extension is known by its URI, because it may be one of another copy of the package.
  const atomic = extensions.find(({ uri, enabled }) => uri === ATOMIC_EXTENSION && enabled !== false)
  return {
    name,
    paginator: defaultPaginator(settings),
    atomicPath: atomic?.path ?? null,
    types: [...(served.get(name)?.values() ?? [])],
    prefix,
    host: host === null ? null : textOfHost(host),
    baseUri: service.baseUri,
    hasRoot: (settings.rootDocument ?? true) && !isPlaced,
    version: settings.version ?? '1.1',
    profiles: service.profiles,
    queryFamilies: settings.queryFamilies ?? [],
    maxIncludeDepth: service.services.maxIncludeDepth,
    limits: limitsOf(settings, service),
    extensions,
    headersOf: (type) => service.headersOf(type),
    headersOfServer: service.headersOfServer,
    traits: traitsOf(name, settings, service, common),
    settings: openapiOptions(settings.openapi),
  }
}

/** Returns the limits that apply to clients. */
function limitsOf(
  { limits = {} }: DescribedParts['settings'],
  { bodies, uriLength, queryFilterValues, documentBytes, services }: ServerService,
): DescribedServer['limits'] {
  const known: Required<Omit<Limits, 'errors'>> = {
    bodyBytes: bodies.limits.bytes,
    jsonDepth: bodies.limits.depth,
    uriLength,
    includePaths: services.maxIncludePaths,
    sortKeys: limits.sortKeys ?? 100,
    filterValues: services.maxFilterValues,
    queryFilterValues,
    filterDepth: limits.filterDepth ?? 8,
    filterLeaves: limits.filterLeaves ?? 100,
    filterValueLength: services.maxFilterLength,
    attributeItems: services.maxItems,
    identifiers: services.maxIdentifiers,
    resources: services.maxResources,
    includedResources: services.maxIncluded,
    linkage: services.maxLinkage,
    documentBytes,
  }
  return known
}

function traitsOf(
  name: string,
  settings: DescribedParts['settings'],
  { errors, bodies }: ServerService,
  { middleware, callerHeaders, cors, idempotency, overload, readAfter }: DescribedParts['common'],
): ServerTraits {
  const list = middleware.get(name)?.list ?? []
  const { handler, serving, mappers = [], exceptionMap = [] } = settings
  return {
    authentication: list.flatMap(({ challenge, vary = 'Authorization' }) => {
      const [header = 'Authorization'] = [vary].flat()
      return challenge === undefined ? [] : [{ challenge, header }]
    }),
    knowsCallers: callerHeaders.has(name),
    requiresCredentials: list.some(({ requiresCredentials }) => requiresCredentials === true),
    hasOtherMiddleware: !list.every(isOfFramework),
    limitsRate: list.some(({ limitsRate }) => limitsRate === true),
    hasCustomCode: typeof handler === 'function' || typeof serving === 'function' || mappers.length > 0,
    mappedStatuses: [...new Set(entriesOf(exceptionMap).map(({ status }) => status))],
    hasIdempotency: idempotency.has(name),
    hasDryRuns: settings.dryRun === true,
    hasOverload: overload !== null,
    hasQueryCost: (settings.queryCost ?? false) !== false,
    hasReplicas: readAfter !== null,
    checksHosts: settings.allowedHosts !== undefined,
    rejectsUnknownMembers: settings.unknownMembers === 'reject',
    sendsRequestIds: settings.requestIds === true,
    isDebug: errors.debug,
    compresses: (settings.compression ?? false) !== false,
    requestEncodings: bodies.limits.encodings,
    hasCors: cors.has(name),
  }
}

/** Returns whether the responses of middleware are known. */
function isOfFramework({ requiresCredentials, limitsRate }: Middleware): boolean {
  return requiresCredentials !== undefined || limitsRate !== undefined
}
