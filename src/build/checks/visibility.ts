import { attributePlaces } from './attribute-places.js'
import type { BuildRule } from '../declared/build-rule.js'
import { eachType } from '../declared/build-rule.js'

/** A field can be read or written: one that is always read-only and always write-only is good for nothing. */
export const visibility: BuildRule = eachType(({ type }) =>
  [...attributePlaces(type), ...type.relations.map(({ name, spec }) => ({ member: name, spec }))]
    .filter(({ spec }) => spec.writeOnly === true && spec.readOnlyOnCreate === true && spec.readOnlyOnUpdate === true)
    .map(({ member }) => ({
      member,
      problem: 'is read-only and write-only, so that nobody reads or writes it',
      remedy: 'take readOnly() or writeOnly() away, or restrict one of them with a predicate',
    })),
)
