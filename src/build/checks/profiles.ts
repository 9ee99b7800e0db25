import { defaultProfiles } from '../../profiles/profile.js'
import { isPlainObject } from '../../util/frozen.js'
import type { BuildFault } from '../declared/build-fault.js'
import type { BuildRule } from '../declared/build-rule.js'
import { settingFault } from '../declared/build-rule.js'
import { familyProblem } from './query-families.js'
import { shown } from '../declared/shown.js'

/** Every profile has an absolute URI of its own, and query parameter families that it may give a meaning to. */
export const profiles: BuildRule = ({ settings }) => {
  const given: unknown = settings.profiles
  if (given === undefined) return []
  if (!Array.isArray(given)) return [settingFault('profiles', `is ${shown(given)}`, 'give a list of profiles')]
  const uris: unknown[] = []
  // A hole in the list is a profile that is none.
  return Array.from(given as readonly unknown[]).flatMap((profile, index) => {
    const member = `profiles[${index}]`
    if (!isPlainObject(profile)) {
      return [settingFault(member, `is ${shown(profile)}`, "give its URI: { uri: 'https://…' }")]
    }
    const { uri, families } = profile
    const repeated = uris.includes(uri)
    uris.push(uri)
    return [...uriFaults(member, uri, repeated), ...familyFaults(member, uri, families)]
  })
}

/** What RFC 3986 allows behind a scheme. Spaces separate the profiles of a media type, quotes end their list. */
const absoluteUri = /^[a-z][a-z0-9+.-]*:(?:[\w!#$&'()*+,./:;=?@[\]~-]|%[0-9a-f]{2})+$/i

function uriFaults(member: string, uri: unknown, repeated: boolean): readonly BuildFault[] {
  if (typeof uri !== 'string' || !absoluteUri.test(uri)) {
    return [settingFault(member, `${shown(uri)} is no absolute URI`, 'give the URI that the profile is known by')]
  }
  return repeated ? [settingFault(member, `has the URI ${shown(uri)} of another profile`, 'name it once')] : []
}

function familyFaults(member: string, uri: unknown, families: unknown): readonly BuildFault[] {
  if (families === undefined) return []
  if (!Array.isArray(families)) {
    return [settingFault(member, `has ${shown(families)} as families`, "give a list: families: ['myFamily']")]
  }
  const own = defaultProfiles.find((profile) => profile.uri === uri)?.families ?? []
  return Array.from(families as readonly unknown[]).flatMap((family) => {
    const problem = own.includes(family as string) ? null : familyProblem(family)
    return problem === null ? [] : [settingFault(member, ...problem)]
  })
}
