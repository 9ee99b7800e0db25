import type { CompiledType } from '../../../declare/resource/compiled/compiled-type.js'
import type { BuildRule } from '../declared/build-rule.js'
import { eachType } from '../declared/build-rule.js'
import type { OptionShapes } from '../declared/option-shapes.js'
import { optionFaults } from '../declared/option-shapes.js'
import { declaredAttributes } from './declared-attributes.js'

/** Checks the options of `deprecated()` of fields, filters and sorts, and of `deprecated` of actions. */
export const deprecations: BuildRule = eachType(({ type }) => {
  const seen = new Set<unknown>()
  return declaredDeprecations(type).flatMap(({ member, deprecation }) => {
    // The filter or sort of a field has the same deprecation as the field.
    if (seen.has(deprecation)) return []
    seen.add(deprecation)
    return optionFaults(member, { ...deprecation }, shapes, unknown)
  })
})

interface DeclaredDeprecation {
  readonly member: string
  /** As given: the options of JavaScript callers may be anything. */
  readonly deprecation: object
}

/** Returns the deprecations of a type, each where it was declared. */
function declaredDeprecations(type: CompiledType): readonly DeclaredDeprecation[] {
  const all = [
    ...declaredAttributes(type).map(({ member, spec }) => ({ member, spec })),
    ...type.relations.flatMap(({ name, spec }) => [
      { member: name, spec },
      ...ofKeys(`${name}.filters`, spec.filters),
      ...ofKeys(`${name}.sorts`, spec.sorts),
    ]),
    ...ofKeys('filters', type.filters),
    ...ofKeys('sorts', type.sorts),
    ...type.actions.map((action) => ({ member: `actions.${action.path}`, spec: action })),
  ]
  return all.flatMap(({ member, spec }) => {
    const deprecation: object | null = spec?.deprecation ?? null
    return deprecation === null ? [] : [{ member: `${member}.deprecated`, deprecation }]
  })
}

interface Deprecated {
  readonly member: string
  readonly spec: { readonly deprecation: object | null } | null
}

/** A value that is not a filter or a sort has the specification `null`. */
function ofKeys(list: string, keys: Readonly<Record<string, Deprecated['spec']>>): readonly Deprecated[] {
  return Object.entries(keys).map(([key, spec]) => ({ member: `${list}.${key}`, spec }))
}

const shapes: OptionShapes = Object.freeze({
  sunset: { holds: (value) => value === null || isDay(value), remedy: "give a day: '2027-06-30', or leave it out" },
  note: { holds: (value) => value === null || typeof value === 'string', remedy: 'give a string' },
})

const unknown = {
  problem: 'is not an option of deprecated()',
  remedy: 'remove it, or correct its spelling: the options are sunset and note',
}

/** Returns whether a text is a day of the calendar: `Date` converts the 31st of February to a day of March. */
function isDay(value: unknown): boolean {
  if (typeof value !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(value)) return false
  const day = new Date(`${value}T00:00:00Z`)
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(value)
}
