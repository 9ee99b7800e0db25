import type { CompiledRelation, CompiledType } from '../../../declare/resource/compiled/compiled-type.js'
import type { BuildRule, BuildContext, DeclaredType, TypeFault } from '../declared/build-rule.js'
import { eachType } from '../declared/build-rule.js'
import { targetsOf } from './relation-paths.js'

/**
 * Checks that the type of a member of a polymorphic relation can be determined: from the type column, and from its row, where
 * each type has its own model, or an `objectType`. Objects that a function returns have no model.
 */
export const polymorphicCandidates: BuildRule = eachType((declared, context) =>
  declared.type.relations
    .filter(({ spec }) => spec.traits.polymorphic && spec.targets.length > 1)
    .flatMap((relation) => candidateFaults(relation, declared, context)),
)

function candidateFaults(
  relation: CompiledRelation,
  declared: DeclaredType,
  context: BuildContext,
): readonly TypeFault[] {
  const candidates = targetsOf(context, declared, relation).map(({ type }) => type)
  return [...sameStoredTypes(relation, candidates), ...indistinguishable(relation, candidates)]
}

/** Reports types that a type column cannot distinguish. */
function sameStoredTypes({ name, spec }: CompiledRelation, candidates: readonly CompiledType[]): readonly TypeFault[] {
  if (spec.extract !== null) return []
  return candidates.flatMap(({ type, storedType }, index) => {
    const other = candidates.slice(0, index).find((candidate) => candidate.storedType === storedType)
    if (other === undefined || other.type === type) return []
    return [
      {
        member: name,
        problem: `cannot distinguish '${type}' from '${other.type}': both have the storedType '${storedType}'`,
        remedy: 'give each type the text that the type column has for its rows, or leave one out',
      },
    ]
  })
}

function indistinguishable(relation: CompiledRelation, candidates: readonly CompiledType[]): readonly TypeFault[] {
  return candidates.flatMap((candidate) => {
    if (candidate.objectType !== null) return []
    const remedy = `give '${candidate.type}' an objectType that returns its type for its rows and null for others`
    if (relation.spec.extract !== null) {
      return [
        {
          member: relation.name,
          problem: `cannot determine which objects of its function are of the type '${candidate.type}'`,
          remedy,
        },
      ]
    }
    const sameModel = candidates.find(
      ({ type, model }) => type !== candidate.type && model !== null && model.name === candidate.model?.name,
    )
    if (candidate.model !== null && sameModel === undefined) return []
    return [
      {
        member: relation.name,
        problem:
          sameModel === undefined
            ? `cannot determine which rows are of the type '${candidate.type}', which has no model`
            : `cannot distinguish '${candidate.type}' from '${sameModel.type}': both use the model '${sameModel.model?.name}'`,
        remedy,
      },
    ]
  })
}
