import type { CompiledRelation } from '../../resource/compiled-type.js'
import type { BuildRule, BuildWorld, DeclaredType, TypeFault } from '../declared/build-rule.js'
import { eachType } from '../declared/build-rule.js'
import { targetsOf } from './relation-paths.js'

/**
 * The types that a relation may lead to can be told from a row: by a model of their own, or by `objectType`. Objects that
 * a function answers have no model.
 */
export const polymorphicCandidates: BuildRule = eachType((declared, world) =>
  declared.type.relations
    .filter(({ spec }) => spec.traits.polymorphic && spec.targets.length > 1)
    .flatMap((relation) => judge(relation, declared, world)),
)

function judge(relation: CompiledRelation, declared: DeclaredType, world: BuildWorld): readonly TypeFault[] {
  const candidates = targetsOf(world, declared, relation).map(({ type }) => type)
  return candidates.flatMap((candidate) => {
    if (candidate.objectType !== null) return []
    const remedy = `give '${candidate.type}' an objectType that answers its type for its rows and null for others`
    if (relation.spec.extract !== null) {
      return [
        {
          member: relation.name,
          problem: `cannot tell which objects of its function are of the type '${candidate.type}'`,
          remedy,
        },
      ]
    }
    const twin = candidates.find(
      ({ type, model }) => type !== candidate.type && model !== null && model.name === candidate.model?.name,
    )
    if (candidate.model !== null && twin === undefined) return []
    return [
      {
        member: relation.name,
        problem:
          twin === undefined
            ? `cannot tell which rows are of the type '${candidate.type}', which has no model`
            : `cannot tell '${candidate.type}' from '${twin.type}': both stand on the model '${twin.model?.name}'`,
        remedy,
      },
    ]
  })
}
