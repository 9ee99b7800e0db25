import { isPlainObject } from '../../util/deep-freeze.js'
import type { Limits } from '../declared/server-settings.js'
import type { BuildRule } from '../declared/build-rule.js'
import { settingFault } from '../declared/build-rule.js'
import { oneOf, describeValue } from '../declared/describe-value.js'

/** The type of this record makes the compiler report missing entries. */
const known: Readonly<Record<keyof Limits, true>> = Object.freeze({
  bodyBytes: true,
  jsonDepth: true,
  uriLength: true,
  includePaths: true,
  sortKeys: true,
  filterValues: true,
  filterValueLength: true,
  attributeItems: true,
  identifiers: true,
  resources: true,
  includedResources: true,
  linkage: true,
  documentBytes: true,
  errors: true,
})

/** Checks that limits are known, and positive whole numbers. */
export const limits: BuildRule = ({ settings }) => {
  const declared: unknown = settings.limits
  if (declared === undefined) return []
  if (!isPlainObject(declared))
    return [settingFault('limits', `is ${describeValue(declared)}`, 'give an object of numbers')]
  return Object.entries(declared).flatMap(([name, value]) => {
    const member = `limits.${name}`
    if (!Object.hasOwn(known, name)) return [settingFault(member, 'is not a limit', `use ${oneOf(Object.keys(known))}`)]
    if (value === undefined || (typeof value === 'number' && Number.isInteger(value) && value > 0)) return []
    return [settingFault(member, `is ${describeValue(value)}`, 'give a whole number above 0')]
  })
}
