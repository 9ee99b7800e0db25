import type { CompiledRelation } from '../../../declare/resource/compiled/compiled-type.js'
import type { BuildContext, DeclaredType } from '../declared/build-rule.js'

/** Returns the types with a name: those on the servers of `from`, or, if there are none, those on any server. */
function typesNamed(context: BuildContext, from: DeclaredType, name: string): readonly DeclaredType[] {
  const onSameServers = from.type.servers.flatMap((server) => context.typesByServer.get(server)?.get(name) ?? [])
  return onSameServers.length > 0 ? [...new Set(onSameServers)] : context.types.filter(({ type }) => type.type === name)
}

/** Returns the types that a relation points to. */
export function targetsOf(
  context: BuildContext,
  from: DeclaredType,
  { spec }: CompiledRelation,
): readonly DeclaredType[] {
  return spec.targets.flatMap((target) => typesNamed(context, from, target))
}

interface WalkOptions {
  readonly context: BuildContext
  /** Returns why a path must not contain a relation, or `null` if it may. */
  readonly refuse: (relation: CompiledRelation, owner: DeclaredType) => string | null
}

export type PathEnd =
  /** The types at the end of the path; none if the last relation points to undeclared types. */
  | { readonly kind: 'types'; readonly types: readonly DeclaredType[] }
  | { readonly kind: 'broken'; readonly problem: string }

/**
 * Follows relation names from type to type. A polymorphic relation continues at those types that have the next name.
 */
export function walkPath(from: DeclaredType, names: readonly string[], { context, refuse }: WalkOptions): PathEnd {
  let types: readonly DeclaredType[] = [from]
  for (const name of names) {
    const hops = types.flatMap((owner) => {
      const relation = owner.type.relationNamed.get(name)
      return relation === undefined ? [] : [{ owner, relation }]
    })
    const [owner] = types
    if (owner === undefined) return { kind: 'types', types }
    if (hops.length === 0) return { kind: 'broken', problem: `'${owner.type.type}' has no relation '${name}'` }
    for (const hop of hops) {
      const problem = refuse(hop.relation, hop.owner)
      if (problem !== null) return { kind: 'broken', problem }
    }
    types = [...new Set(hops.flatMap((hop) => targetsOf(context, hop.owner, hop.relation)))]
  }
  return { kind: 'types', types }
}

/** Refuses relations to several types, because their rows have no common attributes and relations. */
export function refuseSeveralTypes({ name, spec }: CompiledRelation, { type }: DeclaredType): string | null {
  return spec.traits.polymorphic ? `'${type.type}.${name}' points to several types` : null
}

/** Refuses all relations that are not to-one relations to one type. */
export function refuseToMany(relation: CompiledRelation, owner: DeclaredType): string | null {
  if (relation.spec.traits.toMany) return `'${owner.type.type}.${relation.name}' is a to-many relation`
  return refuseSeveralTypes(relation, owner)
}
