import type { DataSource } from '../../data/data-source.js'
import type { Persister } from '../../resource/capabilities/persister.js'
import type { Capabilities } from '../../resource/capabilities/served-type.js'
import type { CompiledType } from '../../resource/compiled-type.js'
import type { DeclarationFault } from '../../resource/declaration-fault.js'
import type { AnyResource } from '../../resource/resource-types.js'
import type { RouteServer } from '../../route/route-table.js'
import type { BuildFault } from './build-fault.js'
import type { ServerSettings } from './server-settings.js'

/** A declaration with what serves it. Provider and persister are `null` where none was found. */
export interface DeclaredType extends Capabilities {
  readonly type: CompiledType
  /** The store behind the provider; `null` where the type has a provider of its own, or none. */
  readonly source: DataSource | null
  /** The same of the persister. */
  readonly writer: DataSource | null
  /** The functions of the persister that are the author's, not the store's. */
  readonly ownWrites: ReadonlySet<keyof Persister>
  /** What is wrong with the provider and the persister that the declaration gives. */
  readonly capabilityFaults: Readonly<Record<'provider' | 'persister', DeclarationFault | null>>
  /** The position in `resources`. */
  readonly index: number
  /** The members of the declaration, before anybody looked whether they are what they should be. */
  readonly given: Readonly<Record<string, unknown>>
}

/** Everything that a rule may look at. */
export interface BuildWorld {
  readonly settings: ServerSettings<readonly AnyResource[]>
  readonly types: readonly DeclaredType[]
  /** The names of the servers that the settings declare, `default` included. */
  readonly servers: readonly string[]
  /** Where those servers lie. */
  readonly places: readonly RouteServer[]
  /** The types of a server by name; with two declarations of one name, the first. */
  readonly typesOn: ReadonlyMap<string, ReadonlyMap<string, DeclaredType>>
}

/** One rule a file; `build-rules.ts` is the list of them. */
export type BuildRule = (world: BuildWorld) => readonly BuildFault[]

/** A fault of a type, whose name the rule need not say. */
export type TypeFault = Omit<BuildFault, 'type'>

/** A rule that looks at each type by itself. */
export function eachType(judge: (declared: DeclaredType, world: BuildWorld) => readonly TypeFault[]): BuildRule {
  return (world) =>
    world.types.flatMap((declared) => judge(declared, world).map((fault) => ({ type: nameOf(declared), ...fault })))
}

/** The type's name, or where it stands in the settings when it has none. */
export function nameOf({ type, index }: DeclaredType): string {
  return type.type === '' ? `resources[${index}]` : type.type
}

/** A fault of the settings. */
export function settingFault(member: string, problem: string, remedy: string): BuildFault {
  return { type: null, member, problem, remedy }
}
