import { isPlainFunction } from '../declared/async-function.js'
import type { BuildRule } from '../declared/build-rule.js'
import { oneOf } from '../declared/describe-value.js'
import type { OptionShape } from '../declared/option-shapes.js'
import { settingFaults, wholeNumber } from '../declared/option-shapes.js'
import type { QueryCostSettings } from '../declared/query-cost-settings.js'

const rows = wholeNumber(1)
const weight = wholeNumber(0)

const shapes: Readonly<Record<keyof QueryCostSettings, OptionShape>> = Object.freeze({
  budget: {
    holds: (value) => isPlainFunction(value) || (typeof value === 'number' && value >= 0),
    remedy: 'give a number, or a function that returns one: ({ caller }) => (caller === null ? 500 : 5_000)',
    isSynchronous: true,
  },
  expectedRows: rows,
  expectedMembers: rows,
  join: weight,
  count: weight,
  estimate: weight,
  write: weight,
})

/** Checks that the members of the setting `queryCost` are known, and numbers. */
export const queryCost: BuildRule = ({ settings }) =>
  settingFaults('queryCost', settings.queryCost, {
    remedy: 'give an object, { budget: 2_000 }, or false for none',
    otherwise: (value) => value === false,
    shapes,
    unknown: { problem: 'is not a member of queryCost', remedy: `use ${oneOf(Object.keys(shapes))}` },
  })
