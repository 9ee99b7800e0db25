import type { AttributeSpec } from '../../../declare/resource/fields/attribute-declaration.js'
import { declaredAttributes } from './declared-attributes.js'
import type { BuildRule, TypeFault } from '../declared/build-rule.js'
import { eachType } from '../declared/build-rule.js'
import { constraintLists } from './constraint-lists.js'
import { describeValue } from '../declared/describe-value.js'

interface Conflict {
  readonly isPresent: (spec: AttributeSpec) => boolean
  readonly problem: string
  readonly remedy: string
}

/** Modifiers that cannot be combined with `on()`. */
const conflicts: readonly Conflict[] = Object.freeze([
  {
    isPresent: ({ fill }) => fill !== null,
    problem: 'is written both to the row at the end of on() and by fillUsing()',
    remedy: 'keep one of the two; to convert the value before it is stored, use deserializeUsing()',
  },
  {
    isPresent: ({ kind }) => kind.children === 'columns',
    problem: 'is a map of several columns, but on() reads one value',
    remedy: 'flatten its members one by one, or declare one stored value with a.object()',
  },
])

/** Checks that a flattened attribute is one value of another row, and is declared on the type itself. */
export const flattenedModifiers: BuildRule = eachType(({ type }) => {
  const flattened = declaredAttributes(type).filter(({ spec }) => spec.on !== null)
  const names = new Set(flattened.map(({ member }) => member))
  const uniques = constraintLists(type).flatMap(({ member, constraints }) =>
    constraints.flatMap((rule) => (rule.kind === 'unique' ? [{ member, fields: rule.fields }] : [])),
  )
  return [
    ...uniqueFaults(uniques, names),
    ...flattened.flatMap(({ member, spec, declaredOn: of }): readonly TypeFault[] => {
      // Inside composites, the rule childModifiers reports it.
      if (of === 'composite') return []
      if (of === 'pivot') {
        const remedy = 'declare the flattened attribute on the related type'
        return [{ member, problem: 'on() does nothing on a field of join rows', remedy }]
      }
      return conflicts.flatMap(({ isPresent, problem, remedy }) =>
        isPresent(spec) ? [{ member, problem, remedy }] : [],
      )
    }),
  ]
})

interface Unique {
  readonly member: string
  /** The other fields of the unique combination. */
  readonly fields: readonly string[]
}

/** Uniqueness is checked among the rows of the type itself, so a flattened attribute cannot be part of it. */
function uniqueFaults(uniques: readonly Unique[], flattened: ReadonlySet<string>): readonly TypeFault[] {
  return uniques.flatMap(({ member, fields }): readonly TypeFault[] => {
    if (flattened.has(member)) {
      const problem = 'is unique() among the rows of this type, but its values are in rows of another type'
      return [{ member, problem, remedy: 'remove unique()' }]
    }
    return fields
      .filter((field) => flattened.has(field))
      .map((field) => ({
        member,
        problem: `is unique together with ${describeValue(field)}, whose values are in rows of another type`,
        remedy: 'name fields of this type',
      }))
  })
}
