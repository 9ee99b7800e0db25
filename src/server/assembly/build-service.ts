import type { DataSource } from '../../stores/common/data-source.js'
import { byPriority, findCapability, sourcesOfType } from '../../stores/common/data-source.js'
import { explainPolicy } from '../explain/explain-policy.js'
import { codeGenerationProblem } from '../../serve/validation/code-generation.js'
import { eventTurns } from '../../core/http/event-turns.js'
import { forwardedRequest } from '../../core/http/forwarded.js'
import { requestCounter } from '../../core/http/request-counter.js'
import { baseUrls, encodedUri } from '../../core/http/encoded-uri.js'
import { readHost } from '../../core/http/host.js'
import type { ServingEvent } from '../../serve/operation/serving-event.js'
import { isHydrator } from '../../declare/resource/fields/hydrator.js'
import { isSerializer, servedSerializer } from '../../declare/resource/fields/serializer.js'
import { noPolicy } from './compile/compile-policy.js'
import { compileType } from './compile/compile-type.js'
import type { CompiledType } from '../../declare/resource/compiled/compiled-type.js'
import { ListenerList } from '../../core/util/listener-list.js'
import type { RawDeclaration } from '../../declare/resource/define/raw-declaration.js'
import { isRawDeclaration } from '../../declare/resource/define/raw-declaration.js'
import { aggregateTypes } from './aggregate-types.js'
import { addForeignColumns } from '../../declare/resource/compiled/add-foreign-columns.js'
import type { DescriptionRoute } from '../../serve/route/description-routes.js'
import { descriptionRoutes } from '../../serve/route/description-routes.js'
import type { RouteServer } from '../../serve/route/route-server.js'
import { hostMatcher } from '../../serve/route/host-matcher.js'
import { routeTable } from '../../serve/route/route-table.js'
import { documentBuffer } from '../../serve/render/document-text.js'
import { pageQueries } from '../../declare/pagination/page-url.js'
import { isPlainObject } from '../../core/util/deep-freeze.js'
import { viewerAssets } from '../../describe/viewer/viewer-assets.js'
import type { BuildFault } from './declared/build-fault.js'
import { BuildError } from './declared/build-fault.js'
import type { BuildContext, DeclaredType } from './declared/build-rule.js'
import { buildRules } from './checks/build-rules.js'
import { dataSourceList, isDataSource, persisterOf, providerOf } from './checks/data-sources.js'
import { serviceNamed } from './checks/named-services.js'
import { chooseCapability, persisterContract, providerContract } from './declared/choose-capability.js'
import { defaultPaginator } from './declared/default-paginator.js'
import { defaultPolicies, withDefaultPolicy } from './declared/default-policies.js'
import type { ServerExtension } from './declared/extension.js'
import { listenerAdder } from './add-listener.js'
import { statsCollector } from './collect-stats.js'
import { compiledCompression } from './declared/compression-settings.js'
import { describeServer } from './describe-server.js'
import { inspectStores } from './inspect-stores.js'
import { callerHeaders } from './caller-headers.js'
import { inspectWrites } from './inspect-writes.js'
import { openTypes } from './open-types.js'
import { openedOperations, warnOfOpenedOperations } from './opened-operations.js'
import { removeExpiredKeys, serveIdempotency, storesOfResponses } from './serve-idempotency.js'
import { serveBodyMemory } from './serve-body-memory.js'
import { serveOverload } from './serve-overload.js'
import { serveReadAfter } from './serve-read-after.js'
import { serveTypes } from './serve-types.js'
import { openapiOptions, servesDescriptions, servesViewer } from './declared/openapi-options.js'
import type { NamedServer, ServerSettings } from './declared/server-settings.js'
import { serveCors } from './serve-cors.js'
import { serveCursors } from './serve-cursors.js'
import type { ServerService, Service } from './service.js'
import { serverService } from './server-service.js'
import { settingsOfDefault, settingsOfServer } from './declared/settings-of-server.js'
import { invariant } from '../../core/util/invariant.js'
import { memoize } from '../../core/util/memoize.js'
import { withoutSlashesAtEnd } from '../../core/util/without-slashes-at-end.js'

type Settings = ServerSettings

/**
 * Compiles the declarations, runs every build rule, and computes the data that requests need. Throws one error with all
 * faults.
 */
export function buildService(given: Settings): Service {
  // If the settings are not an object, a build rule reports it.
  const settings: Settings = isPlainObject(given) ? given : ({} as Settings)
  const { declarations, notDeclarations } = declarationsIn(settings)
  const sources = byPriority(dataSourceList(settings).filter(isDataSource))
  const servers = routeServers(settings)
  const serverNames = servers.map(({ name }) => name)
  const policies = defaultPolicies(settings, serverNames)
  const declared = declarations.flatMap(([declaration, index]) =>
    withDefaultPolicy(declaration, policies).map((each) => ({ index, ...each })),
  )
  const compiled = addForeignColumns(
    declared.map(({ declaration, defaultPolicy }) => compileType(declaration, settings, defaultPolicy)),
  )
  const types = declared.flatMap(({ declaration: { members }, index }, position) => {
    const type = compiled[position]
    return type === undefined ? [] : [{ index, ...declaredType({ type, members }, sources, settings) }]
  })
  const context: BuildContext = {
    settings,
    types,
    servers: serverNames,
    routeServers: servers,
    defaultPolicies: policies,
    typesByServer: typesByServer(types),
  }
  const faults = [...notDeclarations, ...buildRules.flatMap((rule) => rule(context))]
  if (faults.length > 0) throw new BuildError(faults)
  const aggregated = types.map((each, index) => {
    return { declared: each, defaultPolicy: declared[index]?.defaultPolicy ?? noPolicy }
  })
  const all = [...types, ...aggregateTypes(aggregated, context, settings)]
  const complete = { ...context, types: all, typesByServer: typesByServer(all), settings: settingsOfDefault(settings) }
  return assemble(complete, servers, sources)
}

function assemble(context: BuildContext, servers: readonly RouteServer[], sources: readonly DataSource[]): Service {
  const { settings } = context
  const types = context.types.map(({ type }) => type)
  const served = serveTypes(context)
  const extensions = enabledExtensions(settings)
  const descriptions = servers.flatMap((server) => {
    const setting = settingsOfServer(settings, server.name).openapi
    return servesDescriptions(setting) ? descriptionRoutes(server, servesViewer(setting)) : []
  })
  const routes = routeTable(servers, types, { extensions, hasRoots: settings.rootDocument ?? true, descriptions })
  const middleware = middlewareByServer(settings)
  const serving = servingListeners(settings)
  const responseStores = storesOfResponses(context)
  const bodyMemory = serveBodyMemory(settings, servers)
  const shared = { context, served, routes, middleware, extensions, cursors: serveCursors(context), bodyMemory }
  // Servers without own settings share their parts.
  const withSettings = memoize((own: Settings) => serverService(own, shared))
  const parts = new Map(servers.map(({ name }) => [name, withSettings(settingsOfServer(settings, name))]))
  const ofDefault = parts.get('default')
  invariant(ofDefault !== undefined, "there is no server 'default'")
  const requests = requestCounter()
  const overload = serveOverload(settings.overload)
  const stats = statsCollector({ requests, overload, bodyMemory, servers: parts, sources })
  const common: Omit<Service, keyof ServerService> = {
    routes,
    servers: servers.map(({ name }) => name),
    clientRequest: settings.trustProxy === true ? forwardedRequest : null,
    baseUrl: baseUrls(),
    documentBuffer: documentBuffer(),
    pageQuery: pageQueries(),
    middleware,
    callerHeaders: callerHeaders(context, middleware),
    cors: serveCors(settings, middleware),
    idempotency: serveIdempotency(context, ofDefault.services),
    readAfter: serveReadAfter(sources),
    turns: eventTurns(),
    overload,
    requests,
    isObserved: isObserved(settings) || [...parts.values()].some(({ errors }) => errors.debug),
    requestLog: settings.requestLog ?? null,
    sendsRequestIds: settings.requestIds === true,
    telemetry: settings.telemetry ?? null,
    serving,
    addListener: listenerAdder({ types: served, serving }),
    isAllowedHost: settings.allowedHosts === undefined ? null : hostMatcher(settings.allowedHosts),
    // The compressed files are the same for all requests, so that compression costs almost nothing.
    fileCompression: compiledCompression(settings.compression ?? true),
    describe: (name) => described.get(name) ?? null,
    describedby: describedbyPaths(settings, descriptions),
    ...openTypes(context, ofDefault.errors.logger),
    types: Object.freeze([...new Set(types.map(({ type }) => type))]),
    explain: (question) => {
      const { services } = parts.get(question.server ?? 'default') ?? ofDefault
      return explainPolicy(question, services)
    },
    removeExpiredKeys: () => removeExpiredKeys(responseStores),
    codeGenerationProblem: () => codeGenerationProblem(types),
    pingStores: async (limit) => {
      await Promise.all(sources.map(async (source) => source.ping?.(limit)))
    },
    pingReplicas: replicaPing(sources),
    pools: () => sources.flatMap((source) => source.pools?.() ?? []),
    inspect: async () => {
      const stores = await inspectStores(sources, types, { paginator: defaultPaginator(settings), responseStores })
      const advice = [...stores.advice, ...openedOperations(types)]
      return { ...stores, advice, writes: inspectWrites(served), stats: stats() }
    },
    stats,
    forServer: (name) => others.get(name) ?? service,
  }
  const assets = viewerAssets()
  const described = new Map(
    servers.map((server) => {
      const own = { settings: settingsOfServer(settings, server.name), service: parts.get(server.name) ?? ofDefault }
      return [server.name, describeServer({ server, served, extensions, common, assets, ...own })]
    }),
  )
  const service = Object.freeze<Service>({ ...common, ...ofDefault })
  const others = new Map(
    [...parts]
      .filter(([, own]) => own !== ofDefault)
      .map(([name, own]) => [name, Object.freeze<Service>({ ...common, ...own })]),
  )
  settings.telemetry?.observe({ stats, stores: sources })
  warnOfOpenedOperations(types)
  return service
}

function isObserved({ requestLog = null, telemetry = null, requestIds }: Settings): boolean {
  return requestLog !== null || telemetry !== null || requestIds === true
}

function replicaPing(sources: readonly DataSource[]): Service['pingReplicas'] {
  const replicated = sources.filter((source) => source.pingReplicas !== undefined)
  if (replicated.length === 0) return null
  return async () => void (await Promise.all(replicated.map(async (source) => source.pingReplicas?.())))
}

/** Returns the paths of the OpenAPI documents that documents of a server link to, by the name of the server. */
function describedbyPaths(settings: Settings, routes: readonly DescriptionRoute[]): Service['describedby'] {
  const linked = routes.filter(({ server, description }) => {
    return (
      description === 'openapi' && openapiOptions(settingsOfServer(settings, server.name).openapi).describedby !== false
    )
  })
  return new Map(linked.map(({ server, path }) => [server.name, encodedUri(path)]))
}

/** The function `serving` of the settings is the first listener. */
function servingListeners({ serving }: Settings): ListenerList<ServingEvent> {
  const listeners = new ListenerList<ServingEvent>()
  if (serving !== undefined && serving !== null) listeners.add(({ operation }) => serving(operation))
  return listeners
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
    serializer: isSerializer(serializer) ? servedSerializer(serializer) : null,
    hydrator: isHydrator(hydrator) ? hydrator : null,
    provider: reads.capability,
    providerStore: reads.source,
    persister: writes.capability,
    persisterStore: writes.source,
    customReads: reads.customFunctions,
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
      prefix: typeof prefix === 'string' ? withoutSlashesAtEnd(prefix) : '',
      host: typeof host === 'string' ? readHost(host) : null,
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
      const vary = Object.freeze([...new Set(list.flatMap(({ vary: headers }) => headers ?? []))])
      const exposes = list.flatMap(({ exposes: headers }) => headers ?? [])
      return [name, { list: Object.freeze([...list]), challenge: challenges.join(', ') || null, vary, exposes }]
    }),
  )
}

/** Returns the extensions that are not turned off by `enabled: false`. */
function enabledExtensions({ extensions = [] }: Settings): readonly ServerExtension[] {
  return extensions.filter(({ enabled }) => enabled !== false)
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
