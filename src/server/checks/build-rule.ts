import type { ServedType } from '../../resource/capabilities/served-type.js'
import type { CompiledType } from '../../resource/compiled-type.js'
import type { AnyResource } from '../../resource/resource-types.js'
import type { BuildFault } from '../build-fault.js'
import type { ServerSettings } from '../server-settings.js'

/** A declaration with what serves it. Provider and persister are `null` where none was found. */
export interface DeclaredType extends ServedType {
  readonly type: CompiledType
  /** As given, before anybody looked whether they are what they should be. */
  readonly given: {
    readonly provider: unknown
    readonly persister: unknown
  }
}

/** Everything that a rule may look at. */
export interface BuildWorld {
  readonly settings: ServerSettings<readonly AnyResource[]>
  readonly types: readonly DeclaredType[]
  /** The names of the servers that the settings declare, `default` included. */
  readonly servers: readonly string[]
  /** The types of a server by name; with two declarations of one name, the first. */
  readonly typesOn: ReadonlyMap<string, ReadonlyMap<string, DeclaredType>>
}

/** One rule a file; `build-rules.ts` is the list of them. */
export type BuildRule = (world: BuildWorld) => readonly BuildFault[]

/** A rule that looks at each type by itself. */
export function eachType(
  judge: (declared: DeclaredType, world: BuildWorld) => readonly Omit<BuildFault, 'type'>[],
): BuildRule {
  return (world) =>
    world.types.flatMap((declared) => judge(declared, world).map((fault) => ({ type: declared.type.type, ...fault })))
}
