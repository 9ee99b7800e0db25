import type { CompiledRelation } from '../../resource/compiled-type.js'
import type { BuildWorld, DeclaredType } from '../declared/build-rule.js'

/** The types of a name, as a type sees them: those on its own servers, else those on any. */
function typesNamed(world: BuildWorld, from: DeclaredType, name: string): readonly DeclaredType[] {
  const near = from.type.servers.flatMap((server) => world.typesOn.get(server)?.get(name) ?? [])
  return near.length > 0 ? [...new Set(near)] : world.types.filter(({ type }) => type.type === name)
}

/** The types that a relation leads to. */
export function targetsOf(world: BuildWorld, from: DeclaredType, { spec }: CompiledRelation): readonly DeclaredType[] {
  return spec.targets.flatMap((target) => typesNamed(world, from, target))
}

/** What a path that is walked may lead over. */
interface Walk {
  readonly world: BuildWorld
  /** Says what keeps a relation from being walked, `null` for nothing. */
  readonly refuse: (relation: CompiledRelation, owner: DeclaredType) => string | null
}

export type PathEnd =
  /** The types at the end; none where the last relation leads to types that nobody declares. */
  | { readonly kind: 'types'; readonly types: readonly DeclaredType[] }
  | { readonly kind: 'broken'; readonly problem: string }

/** Follows relation names from type to type. A relation to several types goes on from those that know the next name. */
export function walkPath(from: DeclaredType, names: readonly string[], walk: Walk): PathEnd {
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
      const problem = walk.refuse(hop.relation, hop.owner)
      if (problem !== null) return { kind: 'broken', problem }
    }
    types = [...new Set(hops.flatMap((hop) => targetsOf(walk.world, hop.owner, hop.relation)))]
  }
  return { kind: 'types', types }
}

/** Refuses relations to several types, whose rows have nothing in common to go on with. */
export function refuseSeveralTypes({ name, spec }: CompiledRelation, { type }: DeclaredType): string | null {
  return spec.traits.polymorphic ? `'${type.type}.${name}' leads to several types` : null
}

/** Refuses what is not to exactly one. */
export function refuseToMany(relation: CompiledRelation, owner: DeclaredType): string | null {
  if (relation.spec.traits.toMany) return `'${owner.type.type}.${relation.name}' is a to-many relation`
  return refuseSeveralTypes(relation, owner)
}
