import { isPlainObject } from '../../util/frozen.js'
import type { Limits } from '../declared/server-settings.js'
import type { BuildRule } from '../declared/build-rule.js'
import { settingFault } from '../declared/build-rule.js'
import { oneOf, shown } from '../declared/shown.js'

/** The compiler keeps this list complete. */
const known: Readonly<Record<keyof Limits, true>> = Object.freeze({
  bodyBytes: true,
  jsonDepth: true,
  uriLength: true,
  includePaths: true,
  sortKeys: true,
  filterValues: true,
  errors: true,
})

/** Limits are positive whole numbers. */
export const limits: BuildRule = ({ settings }) => {
  const given: unknown = settings.limits
  if (given === undefined) return []
  if (!isPlainObject(given)) return [settingFault('limits', `is ${shown(given)}`, 'give an object of numbers')]
  return Object.entries(given).flatMap(([name, value]) => {
    const member = `limits.${name}`
    if (!Object.hasOwn(known, name)) return [settingFault(member, 'is no limit', `use ${oneOf(Object.keys(known))}`)]
    if (value === undefined || (typeof value === 'number' && Number.isInteger(value) && value > 0)) return []
    return [settingFault(member, `is ${shown(value)}`, 'give a whole number above 0')]
  })
}
