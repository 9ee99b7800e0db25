import type { DataSource } from '../../../stores/common/data-source.js'
import type { Persister } from '../../../declare/resource/capabilities/persister.js'
import type { Provider } from '../../../declare/resource/capabilities/provider.js'
import type { Capabilities } from '../../../declare/resource/capabilities/served-type.js'
import type { CompiledType } from '../../../declare/resource/compiled/compiled-type.js'
import type { DeclarationFault } from '../../../declare/resource/parts/declaration-fault.js'
import type { RouteServer } from '../../../serve/route/route-server.js'
import type { BuildFault } from './build-fault.js'
import type { DefaultPolicies } from './default-policies.js'
import type { ServerSettings } from './server-settings.js'

/** A declared type with its capabilities. Provider and persister are `null` if none was found. */
export interface DeclaredType extends Capabilities {
  readonly type: CompiledType
  /** The store behind the provider; `null` if the type has its own provider, or none. */
  readonly providerStore: DataSource | null
  /** The store behind the persister; `null` if the type has its own persister, or none. */
  readonly persisterStore: DataSource | null
  /** The functions of the provider that are user-defined, not those of the store. */
  readonly customReads: ReadonlySet<keyof Provider>
  /** The functions of the persister that are user-defined, not those of the store. */
  readonly customWrites: ReadonlySet<keyof Persister>
  /** The faults of the provider and the persister in the declaration. */
  readonly capabilityFaults: Readonly<Record<'provider' | 'persister', DeclarationFault | null>>
  /** The position in `resources`. */
  readonly index: number
  /** The members of the declaration, not validated. */
  readonly rawMembers: Readonly<Record<string, unknown>>
}

/** The settings and declarations that a build rule checks. */
export interface BuildContext {
  readonly settings: ServerSettings
  readonly types: readonly DeclaredType[]
  /** The names of the servers that the settings declare, `default` included. */
  readonly servers: readonly string[]
  /** The prefixes and hosts of these servers. */
  readonly routeServers: readonly RouteServer[]
  /** The policies of types that declare none. */
  readonly defaultPolicies: DefaultPolicies
  /** The types of each server by name. If two declarations have the same name, the first one. */
  readonly typesByServer: ReadonlyMap<string, ReadonlyMap<string, DeclaredType>>
}

/**
 * A check of the build that returns the faults it finds. Each rule has its own file; `build-rules.ts` lists them all.
 */
export type BuildRule = (context: BuildContext) => readonly BuildFault[]

/** A fault of a type, without the name of the type: `eachType` adds it. */
export type TypeFault = Omit<BuildFault, 'type'>

/** Creates a rule that checks each type separately. */
export function eachType(check: (declared: DeclaredType, context: BuildContext) => readonly TypeFault[]): BuildRule {
  return (context) =>
    context.types.flatMap((declared) =>
      check(declared, context).map((fault) => ({ type: typeLabel(declared), ...fault })),
    )
}

/** Returns the name of a type, or its position in the settings if it has none. */
export function typeLabel({ type, index }: DeclaredType): string {
  return type.type === '' ? `resources[${index}]` : type.type
}

/** Creates a fault of the settings. */
export function settingFault(member: string, problem: string, remedy: string): BuildFault {
  return { type: null, member, problem, remedy }
}
