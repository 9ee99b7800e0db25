import type { BuildFault } from '../declared/build-fault.js'
import type { CacheDirectives } from '../../../declare/resource/parts/cache-headers.js'
import { cacheDirectives, readShapes } from '../../../declare/resource/parts/cache-headers.js'
import { isPlainObject } from '../../../core/util/deep-freeze.js'
import type { BuildRule, TypeFault } from '../declared/build-rule.js'
import { privateBecauseOf } from '../declared/private-types.js'
import { eachType } from '../declared/build-rule.js'
import { oneOf, describeValue } from '../declared/describe-value.js'
import type { OptionShape } from '../declared/option-shapes.js'
import { flag, optionFaults, wholeNumber } from '../declared/option-shapes.js'

const seconds = wholeNumber(0, 'give a whole number of seconds, 0 or more')

const directives: Readonly<Record<keyof CacheDirectives, OptionShape>> = Object.freeze({
  max_age: seconds,
  s_maxage: seconds,
  public: flag,
  private: flag,
  no_cache: flag,
  must_revalidate: flag,
  vary: { holds: isVary, remedy: "give header names: vary: ['Accept-Language']" },
})

/** Checks that cache headers have known directives, with valid values, for known kinds of reads. */
export const cacheHeaders: BuildRule = (context) => [
  ...faultsOf(context.settings.cacheHeaders).map((fault): BuildFault => ({ ...fault, type: null })),
  ...headersOfTypes(context),
]

const headersOfTypes = eachType(({ rawMembers: { cacheHeaders: declared }, type }, { types }) => {
  const faults = faultsOf(declared)
  const policyOf = faults.length > 0 || !isPlainObject(declared) ? null : privateBecauseOf(type, types)
  if (policyOf === null || !isPlainObject(declared)) return faults
  const { operations, ...common } = declared
  return sharedFaults(common, operations, policyOf === type.type ? '' : ` of '${policyOf}'`)
})

function faultsOf(declared: unknown): readonly TypeFault[] {
  if (declared === undefined || declared === null) return []
  if (!isPlainObject(declared)) return [invalidValue('cacheHeaders', declared, 'give an object: { max_age: 60 }')]
  const { operations, ...common } = declared
  return [...directiveFaults('cacheHeaders', common, ['operations']), ...shapeFaults(operations)]
}

/** A cache that several callers share must not store what only one of them may see. */
function sharedFaults(
  common: Readonly<Record<string, unknown>>,
  operations: unknown,
  policyOwner: string,
): readonly TypeFault[] {
  const shapes = isPlainObject(operations) ? Object.entries(operations) : []
  const all = [
    ['cacheHeaders', common] as const,
    ...shapes.map(([name, each]) => [`cacheHeaders.operations.${name}`, each] as const),
  ]
  return all.flatMap(([path, directivesOf]) => {
    if (!isPlainObject(directivesOf)) return []
    return ['public', 's_maxage'].flatMap((name): readonly TypeFault[] => {
      const value = directivesOf[name]
      if (value === undefined || value === false) return []
      const problem = `lets shared caches store what the policy${policyOwner} shows to one caller`
      return [{ member: `${path}.${name}`, problem, remedy: 'use private: true' }]
    })
  })
}

function shapeFaults(operations: unknown): readonly TypeFault[] {
  const member = 'cacheHeaders.operations'
  if (operations === undefined) return []
  if (!isPlainObject(operations))
    return [invalidValue(member, operations, `give an object keyed by ${oneOf(readShapes)}`)]
  return Object.entries(operations).flatMap(([shape, overrides]) => {
    const path = `${member}.${shape}`
    if (!(readShapes as readonly string[]).includes(shape)) {
      return [{ member: path, problem: 'is not a kind of read', remedy: `use ${oneOf(readShapes)}` }]
    }
    if (overrides === undefined) return []
    return isPlainObject(overrides)
      ? directiveFaults(path, overrides, [])
      : [invalidValue(path, overrides, 'give an object: { max_age: 60 }')]
  })
}

function directiveFaults(
  path: string,
  declared: Readonly<Record<string, unknown>>,
  otherMembers: readonly string[],
): readonly TypeFault[] {
  const remedy = `use ${oneOf([...cacheDirectives, ...otherMembers])}`
  return optionFaults(path, declared, directives, { problem: 'is not a cache directive', remedy })
}

function invalidValue(member: string, value: unknown, remedy: string): TypeFault {
  return { member, problem: `is ${describeValue(value)}`, remedy }
}

/** Header field names, as RFC 9110 defines them. */
function isVary(value: unknown): boolean {
  const names: readonly unknown[] = typeof value === 'string' ? value.split(',') : Array.isArray(value) ? value : []
  return (
    names.length > 0 && names.every((name) => typeof name === 'string' && /^[\w!#$%&'*+.^`|~-]+$/.test(name.trim()))
  )
}
