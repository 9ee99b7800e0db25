import { isPlainObject } from '../../util/deep-freeze.js'
import { isAsyncFunction, isPlainFunction, synchronousRemedy } from '../declared/async-function.js'
import type { BuildRule } from '../declared/build-rule.js'
import { settingFault } from '../declared/build-rule.js'
import { describeValue, oneOf } from '../declared/describe-value.js'
import type { QueryCostSettings } from '../declared/query-cost-settings.js'

interface Expectation {
  readonly holds: (value: unknown) => boolean
  readonly remedy: string
}

const rows: Expectation = {
  holds: (value) => Number.isSafeInteger(value) && Number(value) > 0,
  remedy: 'give a whole number above 0',
}
const weight: Expectation = {
  holds: (value) => Number.isSafeInteger(value) && Number(value) >= 0,
  remedy: 'give a whole number, 0 or more',
}

/** The type of this record makes the compiler report missing entries. */
const members: Readonly<Record<keyof QueryCostSettings, Expectation>> = Object.freeze({
  budget: {
    holds: (value) => isPlainFunction(value) || (typeof value === 'number' && value >= 0),
    remedy: 'give a number, or a function that returns one: ({ caller }) => (caller === null ? 500 : 5_000)',
  },
  expectedRows: rows,
  expectedMembers: rows,
  join: weight,
  count: weight,
  write: weight,
})

/** Checks that the members of the setting `queryCost` are known, and numbers. */
export const queryCost: BuildRule = ({ settings }) => {
  const declared: unknown = settings.queryCost
  if (declared === undefined || declared === false) return []
  if (!isPlainObject(declared)) {
    const remedy = 'give an object, { budget: 2_000 }, or false for none'
    return [settingFault('queryCost', `is ${describeValue(declared)}`, remedy)]
  }
  return Object.entries(declared).flatMap(([name, value]) => {
    const member = `queryCost.${name}`
    if (!Object.hasOwn(members, name)) {
      return [settingFault(member, 'is not a member of queryCost', `use ${oneOf(Object.keys(members))}`)]
    }
    const { holds, remedy } = members[name as keyof QueryCostSettings]
    if (value === undefined || holds(value)) return []
    return [settingFault(member, `is ${describeValue(value)}`, isAsyncFunction(value) ? synchronousRemedy : remedy)]
  })
}
