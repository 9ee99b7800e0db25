import type { DataSource } from '../data/data-source.js'
import { byPriority, firstServing } from '../data/data-source.js'
import { compileErrorSettings } from '../errors/error-settings.js'
import type { HandlerServices } from '../handler/handler-services.js'
import { resourceHandler } from '../handler/handler.js'
import { schemaValidator } from '../handler/validation/schema-validator.js'
import { createNegotiator } from '../negotiate/negotiator.js'
import { DEFAULT_BODY_LIMITS } from '../parse/body.js'
import { DEFAULT_TARGET_LENGTH } from '../parse/target-length.js'
import { isHydrator } from '../resource/capabilities/hydrator.js'
import { isPersister } from '../resource/capabilities/persister.js'
import { isProvider } from '../resource/capabilities/provider.js'
import { isSerializer } from '../resource/capabilities/serializer.js'
import { compileType } from '../resource/compile/compile-type.js'
import type { RawDeclaration } from '../resource/raw-declaration.js'
import { isRawDeclaration } from '../resource/raw-declaration.js'
import type { AnyResource } from '../resource/resource-types.js'
import { typeHeaders } from '../resource/response-headers.js'
import type { RouteServer } from '../route/route-table.js'
import { routeTable } from '../route/route-table.js'
import type { BuildFault } from './build-fault.js'
import { BuildError } from './build-fault.js'
import type { BuildWorld, DeclaredType } from './checks/build-rule.js'
import { buildRules } from './checks/build-rules.js'
import type { NamedServer, ServerSettings } from './server-settings.js'
import type { Service } from './service.js'

type Settings = ServerSettings<readonly AnyResource[]>

/** Reads the declarations, asks every build rule, and works out what the journey needs; all faults are thrown at once. */
export function buildService(settings: Settings): Service {
  const { declarations, strangers } = declarationsIn(settings)
  const sources = byPriority(listOf(settings.data))
  const types = declarations.map((declaration) => declaredType(declaration, sources, settings))
  const servers = routeServers(settings)
  const world: BuildWorld = {
    settings,
    types,
    servers: servers.map(({ name }) => name),
    typesOn: typesByServer(types),
  }
  const faults = [...strangers, ...buildRules.flatMap((rule) => rule(world))]
  if (faults.length > 0) throw new BuildError(faults)
  return assemble(world, servers)
}

function assemble({ settings, types, typesOn }: BuildWorld, servers: readonly RouteServer[]): Service {
  const { limits = {} } = settings
  const strict = settings.strictQueryParameters ?? true
  const services: HandlerServices = {
    find: (server, type) => typesOn.get(server)?.get(type) ?? null,
    unknownMembers: settings.unknownMembers ?? 'ignore',
    strictFieldsets: strict,
    schemas: schemaValidator(),
  }
  const builtIn = resourceHandler(services)
  const headers = new Map(types.map(({ type }) => [type, typeHeaders(type)]))
  return Object.freeze<Service>({
    routes: routeTable(
      servers,
      types.map(({ type }) => type),
    ),
    negotiator: createNegotiator({ profiles: [] }),
    queryRules: {
      strict,
      families: new Set(settings.queryFamilies),
      maxIncludePaths: limits.includePaths ?? 100,
      maxSortKeys: limits.sortKeys ?? 100,
      maxFilterValues: limits.filterValues ?? 1000,
    },
    bodyLimits: {
      bytes: limits.bodyBytes ?? DEFAULT_BODY_LIMITS.bytes,
      depth: limits.jsonDepth ?? DEFAULT_BODY_LIMITS.depth,
    },
    uriLength: limits.uriLength ?? DEFAULT_TARGET_LENGTH,
    serving: settings.serving ?? null,
    handler: settings.handler === null ? null : (settings.handler?.(builtIn) ?? builtIn),
    errors: compileErrorSettings(settings),
    baseUri: (settings.baseUri ?? '').replace(/\/+$/, ''),
    version: settings.version ?? '1.1',
    jsonapiMeta: settings.jsonapiMeta ?? null,
    headersOf: (type) => headers.get(type) ?? typeHeaders(type),
  })
}

interface Declarations {
  readonly declarations: readonly RawDeclaration[]
  readonly strangers: readonly BuildFault[]
}

function declarationsIn({ resources }: Settings): Declarations {
  const given: readonly unknown[] = Array.isArray(resources) ? resources : []
  const declarations = given.filter(isRawDeclaration)
  const strangers = given.flatMap((value, index) =>
    isRawDeclaration(value)
      ? []
      : [
          {
            type: null,
            member: `resources[${index}]`,
            problem: 'is no declaration',
            remedy: 'give what defineResource() or defineType() returned',
          },
        ],
  )
  return { declarations, strangers }
}

function declaredType(declaration: RawDeclaration, sources: readonly DataSource[], settings: Settings): DeclaredType {
  const type = compileType(declaration)
  const { provider, persister } = declaration.members
  const reads = firstServing(sources, (source) => source.provider(type))
  const writes = firstServing(sources, (source) => source.persister(type))
  const named = (given: unknown): unknown => (typeof given === 'string' ? settings.services?.[given] : given)
  const [serializer, hydrator] = [named(type.serializer), named(type.hydrator)]
  return {
    type,
    serializer: isSerializer(serializer) ? serializer : null,
    hydrator: isHydrator(hydrator) ? hydrator : null,
    provider: isProvider(provider) ? provider : (reads?.capability ?? null),
    persister: isPersister(persister) ? persister : (writes?.capability ?? null),
    // A persister of the type's own brings its own transactions, or none.
    transactions: isPersister(persister) ? null : (writes?.source.transactions ?? null),
    given: { provider, persister },
  }
}

function routeServers({ servers = {} }: Settings): readonly RouteServer[] {
  const named: Readonly<Record<string, NamedServer>> = { default: {}, ...servers }
  return Object.entries(named).map(([name, { prefix = '', host }]) => ({
    name,
    prefix: prefix.replace(/\/+$/, ''),
    host: host?.toLowerCase() ?? null,
  }))
}

function typesByServer(types: readonly DeclaredType[]): BuildWorld['typesOn'] {
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

function listOf<T>(given: T | readonly T[] | undefined): readonly T[] {
  if (given === undefined) return []
  return Array.isArray(given) ? given : [given as T]
}
