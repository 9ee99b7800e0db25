import { isPlainObject } from '../../util/deep-freeze.js'
import type { BuildRule } from '../declared/build-rule.js'
import { settingFault } from '../declared/build-rule.js'
import { describeValue, oneOf } from '../declared/describe-value.js'
import { overloadDefaults } from '../declared/overload-settings.js'

/** Checks that the members of the setting `overload` are known, and whole numbers. Only the queue may be empty. */
export const overload: BuildRule = ({ settings }) => {
  const declared: unknown = settings.overload
  if (declared === undefined || typeof declared === 'boolean') return []
  if (!isPlainObject(declared)) {
    return [settingFault('overload', `is ${describeValue(declared)}`, 'give true, or an object of numbers')]
  }
  return Object.entries(declared).flatMap(([name, value]) => {
    const member = `overload.${name}`
    if (!Object.hasOwn(overloadDefaults, name)) {
      return [settingFault(member, 'is not a member of overload', `use ${oneOf(Object.keys(overloadDefaults))}`)]
    }
    const least = name === 'queued' ? 0 : 1
    const isValid = typeof value === 'number' && Number.isInteger(value) && value >= least
    return value === undefined || isValid
      ? []
      : [settingFault(member, `is ${describeValue(value)}`, `give a whole number above ${least - 1}`)]
  })
}
