import type { CompiledRelation } from '../../resource/compiled-type.js'
import { relationReader } from '../declared/relation-reader.js'
import type { BuildWorld, DeclaredType } from '../declared/build-rule.js'
import { targetsOf } from './relation-paths.js'

/** What keeps filters and sorts from looking through a relation, `null` for nothing: the owner's store must hold its members. */
export function refuseUnasked(relation: CompiledRelation, owner: DeclaredType, world: BuildWorld): string | null {
  const targets = targetsOf(world, owner, relation)
  // Without a provider there is nothing to ask, and a target that nobody declares is told by another rule.
  if (owner.provider === null || targets.length < relation.spec.targets.length) return null
  const name = `'${owner.type.type}.${relation.name}'`
  switch (relationReader({ relation, owner, targets })) {
    case 'function':
      return `${name} is answered by a function, which no store can ask`
    case 'targets':
      return owner.source === null
        ? `${name} is not read by the provider of '${owner.type.type}', which has no 'fetchRelated'`
        : `${name} leads to rows that the store of '${owner.type.type}' does not hold`
    default:
      return null
  }
}
