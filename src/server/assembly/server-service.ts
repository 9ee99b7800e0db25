import { thrownMessage } from '../../core/errors/describe-thrown.js'
import { logThrown } from '../../core/errors/error-log.js'
import type { CompiledErrorSettings } from '../../core/errors/error-settings.js'
import { compileErrorSettings } from '../../core/errors/error-settings.js'
import { statedErrors } from '../../core/errors/stated-error.js'
import { customAction } from '../../serve/handler/custom-action.js'
import type { Handler } from '../../serve/handler/handler.js'
import { resourceHandler } from '../../serve/handler/handler.js'
import { createNegotiator } from '../../serve/negotiate/negotiator.js'
import type { ReaderRules } from '../../serve/operation/query-reader.js'
import { queryReader } from '../../serve/operation/query-reader.js'
import type { BodyMemory } from '../../core/http/body-memory.js'
import type { BodyLimits } from '../../serve/parse/body.js'
import { DEFAULT_BODY_LIMITS } from '../../serve/parse/body.js'
import { parseQueryString } from '../../serve/parse/query-string.js'
import type { Profile } from '../../declare/profiles/profile.js'
import { FORM, JSON_TYPE } from '../../core/document/media-type.js'
import { defaultProfiles, filterTreeProfile } from '../../declare/profiles/profile.js'
import { planCache } from '../../serve/read/plan-cache.js'
import type { RequestServices } from '../../serve/read/read-context.js'
import { documentFrame } from '../../serve/render/document-frame.js'
import type { CursorTokens } from '../../declare/pagination/cursor-token.js'
import type { ServedType } from '../../declare/resource/capabilities/served-type.js'
import type { CompiledType } from '../../declare/resource/compiled/compiled-type.js'
import { OperationContext } from '../../declare/resource/request/memoize-in-request.js'
import { hasHeaders, serverHeaders, typeHeaders } from '../../declare/resource/compiled/type-headers.js'
import type { RouteTable } from '../../serve/route/route-table.js'
import { schemaValidator } from '../../serve/validation/schema-validator.js'
import { rollBack } from '../../serve/write/dry-run.js'
import { BuildError } from './declared/build-fault.js'
import type { BuildContext } from './declared/build-rule.js'
import type { ServerExtension } from './declared/extension.js'
import { servedExtensions } from './declared/extension.js'
import { isPrivateType } from './declared/private-types.js'
import type { ServerSettings } from './declared/server-settings.js'
import { serveQueryCost } from './serve-query-cost.js'
import type { ServedTypes } from './serve-types.js'
import type { ServerService, Service } from './service.js'
import { withoutSlashesAtEnd } from '../../core/util/without-slashes-at-end.js'

type Settings = ServerSettings

/** The parts that all servers share. */
interface SharedParts {
  readonly context: BuildContext
  readonly served: ServedTypes
  readonly routes: RouteTable
  readonly middleware: Service['middleware']
  readonly cursors: CursorTokens
  /** The enabled extensions. */
  readonly extensions: readonly ServerExtension[]
  readonly bodyMemory: BodyMemory
}

/** Returns the parts of a service that depend on settings which a named server may override. */
export function serverService(
  settings: Settings,
  { context, served, routes, middleware, extensions, cursors, bodyMemory }: SharedParts,
): ServerService {
  const { profiles = defaultProfiles } = settings
  const types = context.types.map(({ type }) => type)
  const errors = compileErrorSettings(settings)
  const services = requestServices(settings, errors, { served, middleware, cursors })
  const builtIn = resourceHandler(services)
  const handler = chosenHandler(settings, builtIn)
  const uris = profiles.map(({ uri }) => uri)
  const headers = new Map(types.map((type) => [type, typeHeaders(type, isPrivate(type, context, services), settings)]))
  const baseUri = withoutSlashesAtEnd(settings.baseUri ?? '')
  const host = { handler, isBuiltIn: handler === builtIn, services, routes, baseUri }
  return {
    ...requestRules(settings, profiles, services),
    bodies: { limits: bodyLimits(settings), memory: bodyMemory },
    services,
    negotiator: createNegotiator({ profiles: uris }),
    extensions: servedExtensions(extensions, uris, host),
    profiles,
    rollBack: settings.dryRun === true ? dryRuns(served, services) : null,
    handler,
    runAction: (call) => customAction(call, services),
    errors,
    errorsInFront: { ...errors, mappers: [...errors.mappers, statedErrors] },
    baseUri,
    frame: documentFrame({ version: settings.version ?? '1.1', jsonapiMeta: settings.jsonapiMeta ?? null }),
    headersOf: (type) => headers.get(type) ?? typeHeaders(type, true, settings),
    addsTypeHeaders: [...headers.values()].some(hasHeaders) || serverHeaders(settings).length > 0,
    headersOfServer: serverHeaders(settings),
  }
}

/** A batch may write rows of all types of its server. */
function dryRuns(served: ServedTypes, services: RequestServices): Service['rollBack'] {
  return ({ context, ...call }, work) => {
    const types = served.get(context.server) ?? new Map<string, ServedType>()
    const primary = 'type' in call ? (types.get(call.type) ?? null) : null
    const ofRequest = 'type' in context ? context : new OperationContext('', 'CreateResource', context)
    return rollBack({ types: [...types.values()], primary, services, context: ofRequest }, work)
  }
}

/** A type of a server that authenticates is private, unless it declares that it is public and that caches may store it. */
function isPrivate(type: CompiledType, { types }: BuildContext, services: RequestServices): boolean {
  if (isPrivateType(type, types)) return true
  return type.cacheHeaders?.public !== true && type.servers.some((server) => services.authenticates(server))
}

function requestServices(
  settings: Settings,
  errors: CompiledErrorSettings,
  { served, middleware, cursors }: Pick<SharedParts, 'served' | 'middleware' | 'cursors'>,
): RequestServices {
  const { limits = {}, profiles = defaultProfiles } = settings
  return {
    types: served,
    find: (server, type) => served.get(server)?.get(type) ?? null,
    findAnywhere: (type) => [...served.values()].find((types) => types.has(type))?.get(type) ?? null,
    typeNames: (server) => [...(served.get(server)?.keys() ?? [])],
    authenticates: (server) => (middleware.get(server)?.challenge ?? null) !== null,
    maxIncludeDepth: settings.maxIncludeDepth ?? 0,
    profiles: new Set(profiles.map(({ uri }) => uri)),
    cursors,
    unknownMembers: settings.unknownMembers ?? 'ignore',
    validateStored: settings.validateStored ?? false,
    respondsWithLinkage: settings.respondWithLinkage ?? false,
    strictFieldsets: settings.strictQueryParameters ?? true,
    strictPages: settings.strictPages ?? false,
    maxErrors: limits.errors ?? 100,
    maxFilterValues: limits.filterValues ?? 1000,
    maxUriLength: limits.uriLength ?? DEFAULT_URI_LENGTH,
    maxFilterLength: limits.filterValueLength ?? 1000,
    maxItems: limits.attributeItems ?? 5_000,
    maxIdentifiers: limits.identifiers ?? 10_000,
    maxResources: limits.resources ?? 50_000,
    maxIncluded: limits.includedResources ?? 10_000,
    maxLinkage: limits.linkage ?? 10_000,
    maxIncludePaths: limits.includePaths ?? 100,
    queryCost: serveQueryCost(settings.queryCost, errors),
    schemas: schemaValidator({ isSound: true }),
    plans: planCache(),
    report: (thrown, context) => logThrown(errors.logger, 'error', thrown, context),
  }
}

const DEFAULT_URI_LENGTH = 16 * 1024

/** Returns the limits and rules for reading requests. */
function requestRules(
  { limits = {}, strictQueryParameters = true, strictPages = false, queryFamilies }: Settings,
  profiles: readonly Profile[],
  { plans }: RequestServices,
): Pick<Service, 'readQuery' | 'uriLength' | 'queryMediaTypes' | 'queryFilterValues' | 'documentBytes'> {
  const filterValues = limits.filterValues ?? 1000
  const queryFilterValues = limits.queryFilterValues ?? Math.max(10_000, filterValues)
  const rules: ReaderRules = {
    strict: strictQueryParameters,
    strictPages,
    families: new Set(queryFamilies),
    profiles,
    maxIncludePaths: limits.includePaths ?? 100,
    maxSortKeys: limits.sortKeys ?? 100,
    maxFilterValues: filterValues,
    maxFilterValuesInBody: queryFilterValues,
    maxFilterDepth: limits.filterDepth ?? 8,
    maxFilterLeaves: limits.filterLeaves ?? 100,
  }
  return {
    readQuery: queryReader(rules, parseQueryString, plans),
    uriLength: limits.uriLength ?? DEFAULT_URI_LENGTH,
    queryMediaTypes: profiles.some(({ uri }) => uri === filterTreeProfile.uri) ? [FORM, JSON_TYPE] : [FORM],
    queryFilterValues,
    documentBytes: limits.documentBytes ?? 16 * 1024 * 1024,
  }
}

function bodyLimits({ limits = {}, requestEncodings }: Settings): BodyLimits {
  return {
    bytes: limits.bodyBytes ?? DEFAULT_BODY_LIMITS.bytes,
    depth: limits.jsonDepth ?? DEFAULT_BODY_LIMITS.depth,
    encodings: requestEncodings ?? DEFAULT_BODY_LIMITS.encodings,
  }
}

/**
 * Returns the user-defined handler, which may wrap or replace the built-in one; `null` for a server that handles
 * nothing.
 */
function chosenHandler({ handler }: Settings, builtIn: Handler): Handler | null {
  if (handler === null || handler === undefined) return handler === null ? null : builtIn
  let problem = 'does not return a handler'
  try {
    const chosen: unknown = handler(builtIn)
    if (typeof chosen === 'function') return chosen as Handler
  } catch (thrown) {
    problem = `the function threw: ${thrownMessage(thrown)}`
  }
  const remedy = 'return a function that takes an operation, such as the built-in handler that is passed in'
  throw new BuildError([{ type: null, member: 'handler', problem, remedy }])
}
