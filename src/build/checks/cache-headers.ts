import type { CacheDirectives } from '../../resource/cache-headers.js'
import { cacheDirectives, readShapes } from '../../resource/cache-headers.js'
import { isPlainObject } from '../../util/frozen.js'
import type { BuildRule, TypeFault } from '../declared/build-rule.js'
import { eachType } from '../declared/build-rule.js'
import { oneOf, shown } from '../declared/shown.js'

interface Expectation {
  readonly holds: (value: unknown) => boolean
  readonly remedy: string
}

const seconds: Expectation = {
  holds: (value) => typeof value === 'number' && Number.isInteger(value) && value >= 0,
  remedy: 'give whole seconds, 0 or more',
}
const flag: Expectation = { holds: (value) => typeof value === 'boolean', remedy: 'give true or false' }

const directives: Readonly<Record<keyof CacheDirectives, Expectation>> = Object.freeze({
  max_age: seconds,
  s_maxage: seconds,
  public: flag,
  private: flag,
  no_cache: flag,
  must_revalidate: flag,
  vary: { holds: isVary, remedy: "give header names: vary: ['Accept-Language']" },
})

/** Cache headers are directives that exist, with values that they can have, for reads that there are. */
export const cacheHeaders: BuildRule = eachType(({ given }) => {
  const declared = given['cacheHeaders']
  if (declared === undefined || declared === null) return []
  if (!isPlainObject(declared)) return [wrong('cacheHeaders', declared, 'give an object: { max_age: 60 }')]
  const { operations, ...own } = declared
  return [...directiveFaults('cacheHeaders', own, ['operations']), ...shapeFaults(operations)]
})

function shapeFaults(operations: unknown): readonly TypeFault[] {
  const member = 'cacheHeaders.operations'
  if (operations === undefined) return []
  if (!isPlainObject(operations)) return [wrong(member, operations, `give an object by ${oneOf(readShapes)}`)]
  return Object.entries(operations).flatMap(([shape, own]) => {
    const place = `${member}.${shape}`
    if (!(readShapes as readonly string[]).includes(shape)) {
      return [{ member: place, problem: 'is no kind of read', remedy: `use ${oneOf(readShapes)}` }]
    }
    if (own === undefined) return []
    return isPlainObject(own) ? directiveFaults(place, own, []) : [wrong(place, own, 'give an object: { max_age: 60 }')]
  })
}

function directiveFaults(
  place: string,
  own: Readonly<Record<string, unknown>>,
  besides: readonly string[],
): readonly TypeFault[] {
  return Object.entries(own).flatMap(([name, value]) => {
    const member = `${place}.${name}`
    if (!Object.hasOwn(directives, name)) {
      return [{ member, problem: 'is no cache directive', remedy: `use ${oneOf([...cacheDirectives, ...besides])}` }]
    }
    const { holds, remedy } = directives[name as keyof CacheDirectives]
    return value === undefined || holds(value) ? [] : [wrong(member, value, remedy)]
  })
}

function wrong(member: string, value: unknown, remedy: string): TypeFault {
  return { member, problem: `is ${shown(value)}`, remedy }
}

/** Field names, as RFC 9110 spells them. */
function isVary(value: unknown): boolean {
  const names: readonly unknown[] = typeof value === 'string' ? value.split(',') : Array.isArray(value) ? value : []
  return (
    names.length > 0 && names.every((name) => typeof name === 'string' && /^[\w!#$%&'*+.^`|~-]+$/.test(name.trim()))
  )
}
