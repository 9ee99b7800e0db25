import type { AttributeSpec } from '../../resource/fields/attribute-declaration.js'
import { attributePlaces } from './attribute-places.js'
import type { BuildRule, TypeFault } from './build-rule.js'
import { eachType } from './build-rule.js'
import { constraintLists } from './constraint-lists.js'

interface Clash {
  readonly clashes: (spec: AttributeSpec) => boolean
  readonly problem: string
  readonly remedy: string
}

/** What cannot stand beside `on()`. */
const clashing: readonly Clash[] = Object.freeze([
  {
    clashes: ({ fill }) => fill !== null,
    problem: 'is written to the end of on(), and by fillUsing()',
    remedy: 'keep one of the two; deserializeUsing() makes the stored value',
  },
  {
    clashes: ({ kind }) => kind.children === 'columns',
    problem: 'is a map of several columns, and on() leads to one value',
    remedy: 'flatten its members one by one, or declare one stored value with a.object()',
  },
])

/** A flattened attribute is one value of another row, and stands on a type itself. */
export const flattenedModifiers: BuildRule = eachType(({ type }) => {
  const flattened = attributePlaces(type).filter(({ spec }) => spec.on !== null)
  const unique = new Set(
    constraintLists(type).flatMap(({ member, constraints }) =>
      constraints.some(({ kind }) => kind === 'unique') ? [member] : [],
    ),
  )
  return flattened.flatMap(({ member, spec, of }): readonly TypeFault[] => {
    // Inside composites, the rule for their children tells.
    if (of === 'composite') return []
    if (of === 'pivot') {
      const remedy = 'declare the flattened attribute on the related type'
      return [{ member, problem: 'on() does nothing on a field of join rows', remedy }]
    }
    return [
      ...clashing.flatMap(({ clashes, problem, remedy }) => (clashes(spec) ? [{ member, problem, remedy }] : [])),
      ...(unique.has(member)
        ? [
            {
              member,
              problem: 'is unique() among the rows of this type, and its values are in those of another',
              remedy: 'take unique() away',
            },
          ]
        : []),
    ]
  })
})
