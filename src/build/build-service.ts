import type { DataSource } from '../data/data-source.js'
import { byPriority, findCapability, sourcesOfType } from '../data/data-source.js'
import { thrownMessage } from '../errors/describe-thrown.js'
import { logThrown } from '../errors/error-log.js'
import type { CompiledErrorSettings } from '../errors/error-settings.js'
import { compileErrorSettings } from '../errors/error-settings.js'
import { customAction } from '../handler/custom-action.js'
import { explainPolicy } from '../handler/explain-policy.js'
import type { RequestServices } from '../read/read-context.js'
import type { Handler } from '../handler/handler.js'
import { resourceHandler } from '../handler/handler.js'
import { codeGenerationProblem } from '../validation/code-generation.js'
import { schemaValidator } from '../validation/schema-validator.js'
import type { ServingEvent } from '../operation/serving-event.js'
import { queryReader } from '../operation/query-reader.js'
import { planCache } from '../read/plan-cache.js'
import type { QueryRules } from '../operation/read-query.js'
import type { Profile } from '../profiles/profile.js'
import { defaultProfiles } from '../profiles/profile.js'
import { createNegotiator } from '../negotiate/negotiator.js'
import { DEFAULT_BODY_LIMITS } from '../parse/body.js'
import { parseQueryString } from '../parse/query-string.js'
import { DEFAULT_TARGET_LENGTH } from '../parse/target-length.js'
import { isHydrator } from '../resource/capabilities/hydrator.js'
import { isSerializer } from '../resource/capabilities/serializer.js'
import { compileType } from './compile/compile-type.js'
import type { ServedType } from '../resource/capabilities/served-type.js'
import type { CompiledType } from '../resource/compiled-type.js'
import { ListenerList } from '../util/listener-list.js'
import type { RawDeclaration } from '../resource/raw-declaration.js'
import { isRawDeclaration } from '../resource/raw-declaration.js'
import { addForeignColumns } from '../resource/relations/add-foreign-columns.js'
import { documentFrame } from '../render/document-frame.js'
import type { AnyResource } from '../resource/resource-types.js'
import { serverHeaders, typeHeaders } from '../resource/type-headers.js'
import type { RouteServer } from '../route/route-table.js'
import { hostMatcher } from '../route/host-matcher.js'
import { routeTable } from '../route/route-table.js'
import { OperationContext } from '../resource/memoize-in-request.js'
import { isPlainObject } from '../util/deep-freeze.js'
import { rollBack } from '../write/dry-run.js'
import type { BuildFault } from './declared/build-fault.js'
import { BuildError } from './declared/build-fault.js'
import type { BuildContext, DeclaredType } from './declared/build-rule.js'
import { buildRules } from './checks/build-rules.js'
import { dataSourceList, isDataSource, persisterOf, providerOf } from './checks/data-sources.js'
import { serviceNamed } from './checks/named-services.js'
import { chooseCapability, persisterContract, providerContract } from './declared/choose-capability.js'
import { privateBecauseOf } from './declared/private-types.js'
import { defaultPaginator } from './declared/default-paginator.js'
import type { ServerExtension } from './declared/extension.js'
import { servedExtensions } from './declared/extension.js'
import { listenerAdder } from './add-listener.js'
import { inspectStores } from './inspect-stores.js'
import { inspectWrites } from './inspect-writes.js'
import { removeExpiredKeys, serveIdempotency, storesOfResponses } from './serve-idempotency.js'
import type { ServedTypes } from './serve-types.js'
import { serveTypes } from './serve-types.js'
import type { NamedServer, ServerSettings } from './declared/server-settings.js'
import type { Service } from './service.js'

type Settings = ServerSettings<readonly AnyResource[]>

/**
 * Compiles the declarations, runs every build rule, and computes the data that requests need. Throws one error with all
 * faults.
 */
export function buildService(given: Settings): Service {
  // If the settings are not an object, a build rule reports it.
  const settings: Settings = isPlainObject(given) ? given : ({} as Settings)
  const { declarations, notDeclarations } = declarationsIn(settings)
  const sources = byPriority(dataSourceList(settings).filter(isDataSource))
  const compiled = addForeignColumns(declarations.map(([declaration]) => compileType(declaration, settings.versions)))
  const types = declarations.flatMap(([{ members }, index], position) => {
    const type = compiled[position]
    return type === undefined ? [] : [{ index, ...declaredType({ type, members }, sources, settings) }]
  })
  const servers = routeServers(settings)
  const context: BuildContext = {
    settings,
    types,
    servers: servers.map(({ name }) => name),
    routeServers: servers,
    typesByServer: typesByServer(types),
  }
  const faults = [...notDeclarations, ...buildRules.flatMap((rule) => rule(context))]
  if (faults.length > 0) throw new BuildError(faults)
  return assemble(context, servers, sources)
}

function assemble(context: BuildContext, servers: readonly RouteServer[], sources: readonly DataSource[]): Service {
  const { settings } = context
  const { profiles = defaultProfiles } = settings
  const types = context.types.map(({ type }) => type)
  const errors = compileErrorSettings(settings)
  const served = serveTypes(context)
  const services = requestServices(context, served, errors)
  const builtIn = resourceHandler(services)
  const handler = chosenHandler(settings, builtIn)
  const extensions = enabledExtensions(settings)
  const uris = profiles.map(({ uri }) => uri)
  const headers = new Map(types.map((type) => [type, typeHeaders(type, isPrivate(type, context, services), settings)]))
  const baseUri = (settings.baseUri ?? '').replace(/\/+$/, '')
  const routes = routeTable(servers, types, { extensions, hasRoots: settings.rootDocument ?? true })
  const serving = servingListeners(settings)
  const responseStores = storesOfResponses(context)
  const host = { handler, isBuiltIn: handler === builtIn, services, routes, baseUri }
  return Object.freeze<Service>({
    ...requestRules(settings, profiles, services),
    routes,
    middleware: middlewareByServer(settings),
    negotiator: createNegotiator({ profiles: uris }),
    idempotency: serveIdempotency(context, services),
    extensions: servedExtensions(extensions, uris, host),
    profiles,
    serving,
    addListener: listenerAdder({ types: served, serving }),
    rollBack: settings.dryRun === true ? dryRuns(served, services) : null,
    handler,
    runAction: (call) => customAction(call, services),
    errors,
    routerErrors: { ...errors, mappers: [] },
    baseUri,
    isAllowedHost: settings.allowedHosts === undefined ? null : hostMatcher(settings.allowedHosts),
    frame: documentFrame({ version: settings.version ?? '1.1', jsonapiMeta: settings.jsonapiMeta ?? null }),
    headersOf: (type) => headers.get(type) ?? typeHeaders(type, true, settings),
    headersOfServer: serverHeaders(settings),
    types: Object.freeze([...new Set(types.map(({ type }) => type))]),
    explain: (question) => explainPolicy(question, services),
    removeExpiredKeys: () => removeExpiredKeys(responseStores),
    codeGenerationProblem: () => codeGenerationProblem(types),
    inspect: async () => ({
      ...(await inspectStores(sources, types, { paginator: defaultPaginator(settings), responseStores })),
      writes: inspectWrites(served),
    }),
  })
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

/** The function `serving` of the settings is the first listener. */
function servingListeners({ serving }: Settings): ListenerList<ServingEvent> {
  const listeners = new ListenerList<ServingEvent>()
  if (serving !== undefined && serving !== null) listeners.add(({ operation }) => serving(operation))
  return listeners
}

/** A type of a server that authenticates is private, unless it says that it is public, and that caches may store it. */
function isPrivate(type: CompiledType, { types }: BuildContext, services: RequestServices): boolean {
  if (privateBecauseOf(type, types) !== null) return true
  return type.cacheHeaders?.public !== true && type.servers.some((server) => services.authenticates(server))
}

function requestServices(
  { settings }: BuildContext,
  served: ReadonlyMap<string, ReadonlyMap<string, ServedType>>,
  errors: CompiledErrorSettings,
): RequestServices {
  const { limits = {}, profiles = defaultProfiles } = settings
  const middleware = middlewareByServer(settings)
  return {
    find: (server, type) => served.get(server)?.get(type) ?? null,
    typeNames: (server) => [...(served.get(server)?.keys() ?? [])],
    authenticates: (server) => (middleware.get(server)?.challenge ?? null) !== null,
    maxIncludeDepth: settings.maxIncludeDepth ?? 0,
    profiles: new Set(profiles.map(({ uri }) => uri)),
    unknownMembers: settings.unknownMembers ?? 'ignore',
    validateStored: settings.validateStored ?? false,
    respondsWithLinkage: settings.respondWithLinkage ?? false,
    strictFieldsets: settings.strictQueryParameters ?? true,
    maxErrors: limits.errors ?? 100,
    maxFilterValues: limits.filterValues ?? 1000,
    maxFilterLength: limits.filterValueLength ?? 1000,
    maxItems: limits.attributeItems ?? 5_000,
    maxIdentifiers: limits.identifiers ?? 10_000,
    maxIncluded: limits.includedResources ?? 10_000,
    maxLinkage: limits.linkage ?? 10_000,
    maxIncludePaths: limits.includePaths ?? 100,
    schemas: schemaValidator({ isSound: true }),
    plans: planCache(),
    report: (thrown, context) => logThrown(errors.logger, 'error', thrown, context),
  }
}

/** Returns the limits and rules for reading requests. */
function requestRules(
  { limits = {}, strictQueryParameters = true, queryFamilies }: Settings,
  profiles: readonly Profile[],
  { plans }: RequestServices,
): Pick<Service, 'readQuery' | 'bodyLimits' | 'uriLength' | 'documentBytes'> {
  const rules: QueryRules = {
    strict: strictQueryParameters,
    families: new Set(queryFamilies),
    profiles,
    maxIncludePaths: limits.includePaths ?? 100,
    maxSortKeys: limits.sortKeys ?? 100,
    maxFilterValues: limits.filterValues ?? 1000,
  }
  return {
    readQuery: queryReader(rules, parseQueryString, plans),
    bodyLimits: {
      bytes: limits.bodyBytes ?? DEFAULT_BODY_LIMITS.bytes,
      depth: limits.jsonDepth ?? DEFAULT_BODY_LIMITS.depth,
    },
    uriLength: limits.uriLength ?? DEFAULT_TARGET_LENGTH,
    documentBytes: limits.documentBytes ?? 16 * 1024 * 1024,
  }
}

interface Declarations {
  readonly declarations: readonly (readonly [declaration: RawDeclaration, index: number])[]
  readonly notDeclarations: readonly BuildFault[]
}

function declarationsIn({ resources }: Settings): Declarations {
  const given: readonly unknown[] = Array.isArray(resources) ? resources : []
  const declarations = given.flatMap((value, index) => (isRawDeclaration(value) ? [[value, index] as const] : []))
  const notDeclarations = given.flatMap((value, index) =>
    isRawDeclaration(value)
      ? []
      : [
          {
            type: null,
            member: `resources[${index}]`,
            problem: 'is not a declaration',
            remedy: 'give the return value of defineResource() or defineType()',
          },
        ],
  )
  return { declarations, notDeclarations }
}

interface ReadDeclaration {
  readonly type: CompiledType
  readonly members: RawDeclaration['members']
}

function declaredType(
  { type, members }: ReadDeclaration,
  sources: readonly DataSource[],
  { services }: Settings,
): Omit<DeclaredType, 'index'> {
  const ownSources = sourcesOfType(sources, type.type)
  const providing = findCapability(ownSources, (source) => providerOf(source, type))
  const persisting = findCapability(ownSources, (source) => persisterOf(source, type))
  const reads = chooseCapability(members['provider'], providing, providerContract)
  const writes = chooseCapability(members['persister'], persisting, persisterContract)
  const named = (given: unknown): unknown => (typeof given === 'string' ? serviceNamed(services, given) : given)
  const [serializer, hydrator] = [named(type.serializer), named(type.hydrator)]
  return {
    type,
    serializer: isSerializer(serializer) ? serializer : null,
    hydrator: isHydrator(hydrator) ? hydrator : null,
    provider: reads.capability,
    providerStore: reads.source,
    persister: writes.capability,
    persisterStore: writes.source,
    customWrites: writes.customFunctions,
    // A user-defined persister does not use the transactions of the store.
    transactions: writes.source?.transactions ?? null,
    readsInTransaction: writes.source !== null && reads.source === writes.source,
    isReadByStore:
      reads.source !== null && !reads.customFunctions.has('fetchOne') && !reads.customFunctions.has('fetchCollection'),
    handle: handleOf(writes.source ?? reads.source),
    capabilityFaults: { provider: reads.fault, persister: writes.fault },
    rawMembers: members,
  }
}

function handleOf(source: DataSource | null): DeclaredType['handle'] {
  return source?.handle === undefined ? null : (transaction, context) => source.handle?.(transaction, context)
}

/**
 * Returns the servers for routing. Invalid settings of a server are replaced by defaults here, and reported by a build
 * rule.
 */
function routeServers({ servers }: Settings): readonly RouteServer[] {
  const named: Readonly<Record<string, unknown>> = { default: {}, ...(isPlainObject(servers) ? servers : {}) }
  return Object.entries(named).map(([name, given]) => {
    const { prefix, host, routing }: { readonly [Member in keyof NamedServer]: unknown } = isPlainObject(given)
      ? given
      : {}
    return {
      name,
      prefix: typeof prefix === 'string' ? prefix.replace(/\/+$/, '') : '',
      host: typeof host === 'string' ? host.toLowerCase() : null,
      isPlaced: routing === 'manual',
    }
  })
}

function middlewareByServer({ middleware, servers = {} }: Settings): Service['middleware'] {
  const lists = Object.entries(servers).map(([name, server]) => [name, server.middleware ?? []] as const)
  const all = new Map([['default', middleware ?? []], ...lists])
  if (middleware !== undefined) all.set('default', middleware)
  const used = [...all].filter(([, list]) => list.length > 0)
  return new Map(
    used.map(([name, list]) => {
      const challenges = list.flatMap(({ challenge }) => challenge ?? [])
      const vary = Object.freeze([...new Set(list.flatMap(({ vary: header }) => header ?? []))])
      return [name, { list: Object.freeze([...list]), challenge: challenges.join(', ') || null, vary }]
    }),
  )
}

/** Returns the extensions that are not turned off by `enabled: false`. */
function enabledExtensions({ extensions = [] }: Settings): readonly ServerExtension[] {
  return extensions.filter(({ enabled }) => enabled !== false)
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

function typesByServer(types: readonly DeclaredType[]): BuildContext['typesByServer'] {
  const byServer = new Map<string, Map<string, DeclaredType>>()
  for (const declared of types) {
    for (const server of declared.type.servers) {
      const named = byServer.get(server) ?? new Map<string, DeclaredType>()
      byServer.set(server, named)
      if (!named.has(declared.type.type)) named.set(declared.type.type, declared)
    }
  }
  return byServer
}
