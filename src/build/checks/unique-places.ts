import { columnsOf } from '../../resource/unique-sets.js'
import type { AttributePlace } from './attribute-places.js'
import { attributePlaces } from './attribute-places.js'
import type { BuildRule, TypeFault } from '../declared/build-rule.js'
import { eachType } from '../declared/build-rule.js'
import { constraintLists, isConstraint } from './constraint-lists.js'
import { shown } from '../declared/shown.js'

/** Uniqueness is the store's to judge: it is of columns of the type's own rows, and holds whenever they are written. */
export const uniquePlaces: BuildRule = eachType(({ type }) => {
  const places = new Map(attributePlaces(type).map((place) => [place.member, place]))
  return constraintLists(type).flatMap(({ member, constraints }): readonly TypeFault[] => {
    const rules = constraints.filter((rule) => rule.kind === 'unique')
    const place = places.get(member)
    // Of flattened attributes, the rule for them tells.
    if (rules.length === 0 || place === undefined || place.spec.on !== null) return []
    const problem = misplaced(place, type.attributeNamed.get(member)?.column ?? null)
    if (problem !== null)
      return [{ member, problem, remedy: 'take unique() away, or declare the attribute on the type' }]
    if (!rules.every((rule) => rule.on === 'always' && place.spec.constraints.filter(isConstraint).includes(rule))) {
      const remedy = 'say unique() of the attribute itself, outside when(), onCreate() and the like'
      return [{ member, problem: 'is unique() only at times, and stores know no times', remedy }]
    }
    return rules
      .flatMap(({ fields }) => fields)
      .filter((field) => columnsOf(type, field).length === 0 && type.attributeNamed.get(field)?.spec.on == null)
      .map((field) => ({
        member,
        problem: `is unique together with ${shown(field)}, which no column of its row holds`,
        remedy: 'name attributes and relations that have a column in the row',
      }))
  })
})

function misplaced({ of }: AttributePlace, column: string | null): string | null {
  switch (of) {
    case 'composite':
      return 'is unique() inside a composite, where no store judges it'
    case 'pivot':
      return 'is unique() among join rows, where no store judges it'
    case 'type':
      return column === null ? 'is unique(), and has no column of its own' : null
  }
}
