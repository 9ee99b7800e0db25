import type { CompiledType } from '../../resource/compiled-type.js'
import type { RelationSpec } from '../../resource/relations/relation-spec.js'
import type { DeclaredEnds } from '../declared/relation-reader.js'
import { storageOf } from '../declared/relation-reader.js'
import { isMembershipKnown, relationWriter } from '../declared/relation-writer.js'
import type { BuildRule } from '../declared/build-rule.js'
import { eachType } from '../declared/build-rule.js'
import type { Finding } from './query-targets.js'
import { targetsOf } from './relation-paths.js'
import { listed } from '../declared/shown.js'

/** Relations that clients may write have somebody who writes them. */
export const writableRelations: BuildRule = eachType((declared, world) =>
  declared.type.relations.flatMap((relation) => {
    const targets = targetsOf(world, declared, relation)
    // A target that nobody declares, and a persister that is not there, are told by other rules.
    if (targets.length < relation.spec.targets.length || declared.persister === null) return []
    if (!isOffered(relation.spec, declared.type)) return []
    const finding = judge({ relation, owner: declared, targets })
    return finding === null ? [] : [{ member: relation.name, ...finding }]
  }),
)

/** Whether a client may write it in some request. What a function reads is read-only unless a function fills it. */
function isOffered(
  { hidden, extract, fill, readOnlyOnCreate, readOnlyOnUpdate }: RelationSpec,
  { operations }: CompiledType,
): boolean {
  if (hidden === true || (extract !== null && fill === null)) return false
  return (
    (operations.has('Create') && readOnlyOnCreate !== true) || (operations.has('Update') && readOnlyOnUpdate !== true)
  )
}

const unwritten =
  "say readOnly(), give the persister of this type the function 'mutateRelationship', or keep both types in one store"

function judge(ends: DeclaredEnds): Finding | null {
  const found = storageOf(ends)
  if (found.kind === 'missing' || relationWriter(ends) !== 'nobody') return null
  const { targets, owner } = ends
  if (!isMembershipKnown(ends, found.storage)) {
    // Where there are providers, and none of them reads it, the rule for storage says so.
    if ([owner, ...targets].every(({ provider }) => provider !== null)) return null
    return {
      problem: 'is read by nobody, so that no write could tell what it changes',
      remedy: 'say readOnly(), or give the related type a provider',
    }
  }
  switch (found.storage.kind) {
    case 'provider':
      return {
        problem: 'is known to the provider of this type only, and its persister does not write it',
        remedy: unwritten,
      }
    case 'join':
      return { problem: 'is held by join rows, which nobody writes', remedy: unwritten }
    default: {
      const holders = listed(targets.map(({ type }) => type.type))
      return { problem: `is held by rows of ${holders}, which nobody writes`, remedy: unwritten }
    }
  }
}
