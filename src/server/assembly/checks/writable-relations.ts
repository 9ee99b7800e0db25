import type { CompiledType } from '../../../declare/resource/compiled/compiled-type.js'
import type { RelationSpec } from '../../../declare/resource/relations/relation-spec.js'
import type { DeclaredRelation } from '../declared/relation-reader.js'
import { storageOf } from '../declared/relation-reader.js'
import { isMembershipKnown, relationWriter } from '../declared/relation-writer.js'
import type { BuildRule } from '../declared/build-rule.js'
import { eachType } from '../declared/build-rule.js'
import type { Finding } from './query-targets.js'
import { targetsOf } from './relation-paths.js'
import { quoteList } from '../declared/describe-value.js'

/** Checks that a relation that clients may write has a persister or a function that writes it. */
export const writableRelations: BuildRule = eachType((declared, context) =>
  declared.type.relations.flatMap((relation) => {
    const targets = targetsOf(context, declared, relation)
    // An undeclared target and a missing persister are reported by other rules.
    if (targets.length < relation.spec.targets.length || declared.persister === null) return []
    if (!isWritable(relation.spec, declared.type)) return []
    const finding = writeFinding({ relation, owner: declared, targets })
    return finding === null ? [] : [{ member: relation.name, ...finding }]
  }),
)

/**
 * Returns whether clients may write a relation in some request. A relation that a function reads is read-only, unless it has
 * `fill`.
 */
function isWritable(
  { hidden, extract, fill, readOnlyOnCreate, readOnlyOnUpdate }: RelationSpec,
  { operations }: CompiledType,
): boolean {
  if (hidden === true || (extract !== null && fill === null)) return false
  return (
    (operations.has('Create') && readOnlyOnCreate !== true) || (operations.has('Update') && readOnlyOnUpdate !== true)
  )
}

const unwrittenRemedy =
  "add readOnly(), give the persister of this type the function 'mutateRelationship', or keep both types in one store"

function writeFinding(ends: DeclaredRelation): Finding | null {
  const found = storageOf(ends)
  if (found.kind === 'missing' || relationWriter(ends) !== 'none') return null
  const { targets, owner } = ends
  if (!isMembershipKnown(ends, found.storage)) {
    // If there are providers, but none of them reads the relation, the rule relationStorage reports it.
    if ([owner, ...targets].every(({ provider }) => provider !== null)) return null
    return {
      problem: 'is read by no provider, so a write cannot determine what it changes',
      remedy: 'add readOnly(), or give the related type a provider',
    }
  }
  switch (found.storage.kind) {
    case 'provider':
      return {
        problem: 'is known only to the provider of this type, but the persister of this type does not write it',
        remedy: unwrittenRemedy,
      }
    case 'join':
      return { problem: 'is stored in join rows, which no persister writes', remedy: unwrittenRemedy }
    default: {
      const holders = quoteList(targets.map(({ type }) => type.type))
      return { problem: `is stored in rows of ${holders}, which no persister writes`, remedy: unwrittenRemedy }
    }
  }
}
