import type { BuildRule } from '../declared/build-rule.js'
import { eachType } from '../declared/build-rule.js'
import { declaredFilters, declaredSorts } from './declared-queries.js'
import { describeValue } from '../declared/describe-value.js'

/** Checks that clients can write the keys of filters and sorts in a query parameter. */
export const queryKeys: BuildRule = eachType((declared, context) => [
  ...declaredFilters(declared, context)
    .filter(({ key }) => key === '' || /[[\]]/.test(key))
    .map(({ member, key }) => ({
      member,
      problem: `clients cannot write the key ${describeValue(key)}: filter[${key}]`,
      remedy: 'give a key that is not empty and has no brackets',
    })),
  ...declaredSorts(declared, context)
    .filter(({ key }) => key === '' || key.startsWith('-') || key.includes(','))
    .map(({ member, key }) => ({
      member,
      problem: `clients cannot write the key ${describeValue(key)}: sort=${key}`,
      remedy: 'give a key that is not empty, has no comma and does not start with a hyphen',
    })),
])
