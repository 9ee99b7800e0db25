import type { BuildRule, TypeFault } from '../declared/build-rule.js'
import { eachType } from '../declared/build-rule.js'
import { targetsOf } from './relation-paths.js'
import { oneOf, describeValue } from '../declared/describe-value.js'

/** Checks that the default sort of a type names its sorts, and that of a relation the sorts of its related endpoint. */
export const defaultSort: BuildRule = eachType((declared, context) => {
  const { type } = declared
  const ofRelations = type.relations.flatMap((relation) => {
    const [target] = targetsOf(context, declared, relation)
    if (relation.spec.defaultSort === null || relation.spec.traits.polymorphic || target === undefined) return []
    const keys = [target.type.sorts, relation.spec.sorts, relation.spec.pivot].flatMap((sorts) => Object.keys(sorts))
    return unknownKeys(relation.name, relation.spec.defaultSort, keys)
  })
  // Entries that are not strings are reported by the rule documentSettings.
  const ofType = type.defaultSort.filter((key) => typeof key === 'string')
  return [...unknownKeys('defaultSort', ofType, Object.keys(type.sorts)), ...ofRelations]
})

function unknownKeys(member: string, declared: readonly unknown[], keys: readonly string[]): readonly TypeFault[] {
  const subject = member === 'defaultSort' ? 'names' : 'defaultSort() names'
  const owner = member === 'defaultSort' ? 'the type' : 'the related type or the relation'
  return declared
    .filter((key) => typeof key !== 'string' || !keys.includes(key.replace(/^-/, '')))
    .map((key) => ({
      member,
      problem: `${subject} ${describeValue(key)}, which is not a sort of ${owner}`,
      remedy:
        keys.length === 0
          ? 'make the attribute sortable(), or declare the sort'
          : `make the attribute sortable(), or name ${oneOf(keys)}`,
    }))
}
