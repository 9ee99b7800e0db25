import { attributePlaces } from './attribute-places.js'
import type { BuildRule, TypeFault } from '../declared/build-rule.js'
import { eachType } from '../declared/build-rule.js'
import { constraintLists } from './constraint-lists.js'
import { knownColumns } from './known-columns.js'
import { oneOf, shown } from '../declared/shown.js'

const operators: readonly unknown[] = ['=', '!=', '>', '>=', '<', '<=']

/** Constraints over two fields name fields that are there. */
export const crossField: BuildRule = eachType(({ type }) => {
  const siblings = new Map(attributePlaces(type).map((place) => [place.member, place]))
  const unique = new Set([...type.attributeNamed.keys(), ...type.relationNamed.keys(), ...(knownColumns(type) ?? [])])
  return constraintLists(type).flatMap(({ member, constraints }) =>
    constraints.flatMap((constraint): readonly TypeFault[] => {
      const place = siblings.get(member)
      if (place === undefined) return []
      switch (constraint.kind) {
        case 'compare':
          return compareFaults(member, constraint, place)
        case 'unique':
          return constraint.fields
            .filter((field) => place.of === 'type' && !unique.has(field))
            .map((field) => ({
              member,
              problem: `is unique together with ${shown(field)}, which is no field of the type`,
              remedy: `name ${oneOf([...unique])}`,
            }))
        default:
          return []
      }
    }),
  )
})

interface Named {
  readonly name: string
  readonly siblings: readonly string[]
}

function compareFaults(
  member: string,
  { field, operator }: { readonly field: unknown; readonly operator: unknown },
  { name, siblings }: Named,
): readonly TypeFault[] {
  const others = siblings.filter((sibling) => sibling !== name)
  return [
    ...(others.some((other) => other === field)
      ? []
      : [
          {
            member,
            problem: `is compared with ${shown(field)}, which is no attribute next to it`,
            remedy: others.length === 0 ? 'take compareWith() away' : `name ${oneOf(others)}`,
          },
        ]),
    ...(operators.includes(operator)
      ? []
      : [{ member, problem: `is compared by ${shown(operator)}`, remedy: `use one of ${operators.join(' ')}` }]),
  ]
}
