import type { BuildRule } from '../declared/build-rule.js'
import { eachType } from '../declared/build-rule.js'
import { filterQueries, sortQueries } from './query-scopes.js'
import { shown } from '../declared/shown.js'

/** Checks that clients can write the keys of filters and sorts in a query parameter. */
export const queryKeys: BuildRule = eachType((declared, context) => [
  ...filterQueries(declared, context)
    .filter(({ key }) => key === '' || /[[\]]/.test(key))
    .map(({ member, key }) => ({
      member,
      problem: `clients cannot write the key ${shown(key)}: filter[${key}]`,
      remedy: 'give a key that is not empty and has no brackets',
    })),
  ...sortQueries(declared, context)
    .filter(({ key }) => key === '' || key.startsWith('-') || key.includes(','))
    .map(({ member, key }) => ({
      member,
      problem: `clients cannot write the key ${shown(key)}: sort=${key}`,
      remedy: 'give a key that is not empty, has no comma and does not start with a hyphen',
    })),
])
