import { declaredAttributes } from './declared-attributes.js'
import type { BuildRule } from '../declared/build-rule.js'
import { eachType } from '../declared/build-rule.js'

/** Checks that clients can read or write every field: a field must not be always read-only and always write-only. */
export const visibility: BuildRule = eachType(({ type }) =>
  [...declaredAttributes(type), ...type.relations.map(({ name, spec }) => ({ member: name, spec }))]
    .filter(({ spec }) => spec.writeOnly === true && spec.readOnlyOnCreate === true && spec.readOnlyOnUpdate === true)
    .map(({ member }) => ({
      member,
      problem: 'is read-only and write-only, so clients can neither read nor write it',
      remedy: 'remove readOnly() or writeOnly(), or restrict one of them with a predicate',
    })),
)
