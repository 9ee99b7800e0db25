import { declaredAttributes } from './declared-attributes.js'
import type { BuildRule, TypeFault } from '../declared/build-rule.js'
import { eachType } from '../declared/build-rule.js'
import { constraintLists } from './constraint-lists.js'
import { knownColumns } from './known-columns.js'
import { oneOf, describeValue } from '../declared/describe-value.js'

const operators: readonly unknown[] = ['=', '!=', '>', '>=', '<', '<=']

/** Checks that constraints over two fields name fields that exist. */
export const crossField: BuildRule = eachType(({ type }) => {
  const attributes = new Map(declaredAttributes(type).map((attribute) => [attribute.member, attribute]))
  const fieldNames = new Set([
    ...type.attributeNamed.keys(),
    ...type.relationNamed.keys(),
    ...(knownColumns(type) ?? []),
  ])
  return constraintLists(type).flatMap(({ member, constraints }) =>
    constraints.flatMap((constraint): readonly TypeFault[] => {
      const attribute = attributes.get(member)
      if (attribute === undefined) return []
      switch (constraint.kind) {
        case 'compare':
          return compareFaults(member, constraint, attribute)
        case 'unique':
          return constraint.fields
            .filter((field) => attribute.declaredOn === 'type' && !fieldNames.has(field))
            .map((field) => ({
              member,
              problem: `is unique together with ${describeValue(field)}, which is not a field of the type`,
              remedy: `name ${oneOf([...fieldNames])}`,
            }))
        default:
          return []
      }
    }),
  )
})

interface AttributeNames {
  readonly name: string
  readonly siblings: readonly string[]
}

function compareFaults(
  member: string,
  { field, operator }: { readonly field: unknown; readonly operator: unknown },
  { name, siblings }: AttributeNames,
): readonly TypeFault[] {
  const others = siblings.filter((sibling) => sibling !== name)
  return [
    ...(others.some((other) => other === field)
      ? []
      : [
          {
            member,
            problem: `is compared with ${describeValue(field)}, which is not an attribute next to it`,
            remedy: others.length === 0 ? 'remove compareWith()' : `name ${oneOf(others)}`,
          },
        ]),
    ...(operators.includes(operator)
      ? []
      : [
          {
            member,
            problem: `is compared with the operator ${describeValue(operator)}`,
            remedy: `use one of ${operators.join(' ')}`,
          },
        ]),
  ]
}
