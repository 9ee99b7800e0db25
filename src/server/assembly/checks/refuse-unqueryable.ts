import type { CompiledRelation } from '../../../declare/resource/compiled/compiled-type.js'
import { relationReader } from '../declared/relation-reader.js'
import type { BuildContext, DeclaredType } from '../declared/build-rule.js'
import { targetsOf } from './relation-paths.js'

/**
 * Returns why filters and sorts cannot query through a relation, or `null` if they can. The members of the relation
 * must be in the store of its owner.
 */
export function refuseUnqueryable(
  relation: CompiledRelation,
  owner: DeclaredType,
  context: BuildContext,
): string | null {
  const targets = targetsOf(context, owner, relation)
  // Without a provider there are no queries, and an undeclared target is reported by the rule relationTargets.
  if (owner.provider === null || targets.length < relation.spec.targets.length) return null
  const name = `'${owner.type.type}.${relation.name}'`
  switch (relationReader({ relation, owner, targets })) {
    case 'function':
      return `${name} is read by a function, which no store can query`
    case 'targets':
      return owner.providerStore === null
        ? `${name} is not read by the provider of '${owner.type.type}', which has no 'fetchRelated'`
        : `${name} points to rows that are not in the store of '${owner.type.type}'`
    default:
      return null
  }
}
