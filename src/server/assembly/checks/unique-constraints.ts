import { columnsOfField } from '../../../declare/resource/compiled/unique-sets.js'
import type { DeclaredAttribute } from './declared-attributes.js'
import { declaredAttributes } from './declared-attributes.js'
import type { BuildRule, TypeFault } from '../declared/build-rule.js'
import { eachType } from '../declared/build-rule.js'
import { constraintLists, isConstraint } from './constraint-lists.js'
import { describeValue } from '../declared/describe-value.js'

/**
 * Checks that `unique()` is declared for columns of the rows of the type and for all writes, because the store enforces
 * it.
 */
export const uniqueConstraints: BuildRule = eachType(({ type }) => {
  const attributes = new Map(declaredAttributes(type).map((attribute) => [attribute.member, attribute]))
  return constraintLists(type).flatMap(({ member, constraints }): readonly TypeFault[] => {
    const rules = constraints.filter((rule) => rule.kind === 'unique')
    const attribute = attributes.get(member)
    // Flattened attributes are checked by the rule flattenedModifiers.
    if (rules.length === 0 || attribute === undefined || attribute.spec.on !== null) return []
    const problem = placementProblem(attribute, type.attributeNamed.get(member)?.column ?? null)
    if (problem !== null) return [{ member, problem, remedy: 'remove unique(), or declare the attribute on the type' }]
    if (
      !rules.every((rule) => rule.on === 'always' && attribute.spec.constraints.filter(isConstraint).includes(rule))
    ) {
      const remedy = 'put unique() on the attribute itself, outside when(), onCreate() and similar modifiers'
      return [{ member, problem: 'is unique() only under a condition, but stores always enforce it', remedy }]
    }
    return rules
      .flatMap(({ fields }) => fields)
      .filter((field) => columnsOfField(type, field).length === 0 && type.attributeNamed.get(field)?.spec.on == null)
      .map((field) => ({
        member,
        problem: `is unique together with ${describeValue(field)}, which has no column in the row`,
        remedy: 'name attributes and relations that have a column in the row',
      }))
  })
})

function placementProblem({ declaredOn: of }: DeclaredAttribute, column: string | null): string | null {
  switch (of) {
    case 'composite':
      return 'is unique() inside a composite, where no store enforces it'
    case 'pivot':
      return 'is unique() among join rows, where no store enforces it'
    case 'type':
      return column === null ? 'is unique(), but has no column of its own' : null
  }
}
