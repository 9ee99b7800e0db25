import type { AttributeSpec } from '../../resource/fields/attribute-declaration.js'
import { attributePlaces } from './attribute-places.js'
import type { BuildRule, TypeFault } from '../declared/build-rule.js'
import { eachType } from '../declared/build-rule.js'
import { constraintLists } from './constraint-lists.js'
import { shown } from '../declared/shown.js'

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
  const names = new Set(flattened.map(({ member }) => member))
  const uniques = constraintLists(type).flatMap(({ member, constraints }) =>
    constraints.flatMap((rule) => (rule.kind === 'unique' ? [{ member, fields: rule.fields }] : [])),
  )
  return [
    ...uniqueFaults(uniques, names),
    ...flattened.flatMap(({ member, spec, of }): readonly TypeFault[] => {
      // Inside composites, the rule for their children tells.
      if (of === 'composite') return []
      if (of === 'pivot') {
        const remedy = 'declare the flattened attribute on the related type'
        return [{ member, problem: 'on() does nothing on a field of join rows', remedy }]
      }
      return clashing.flatMap(({ clashes, problem, remedy }) => (clashes(spec) ? [{ member, problem, remedy }] : []))
    }),
  ]
})

interface Unique {
  readonly member: string
  /** The fields that it is unique together with. */
  readonly fields: readonly string[]
}

/** Uniqueness is judged among the rows of the type itself. */
function uniqueFaults(uniques: readonly Unique[], flattened: ReadonlySet<string>): readonly TypeFault[] {
  return uniques.flatMap(({ member, fields }): readonly TypeFault[] => {
    if (flattened.has(member)) {
      const problem = 'is unique() among the rows of this type, and its values are in those of another'
      return [{ member, problem, remedy: 'take unique() away' }]
    }
    return fields
      .filter((field) => flattened.has(field))
      .map((field) => ({
        member,
        problem: `is unique together with ${shown(field)}, whose values are in rows of another type`,
        remedy: 'name fields of this type',
      }))
  })
}
