import { defaultProfiles } from '../../../declare/profiles/profile.js'
import { isPlainObject } from '../../../core/util/deep-freeze.js'
import type { BuildFault } from '../declared/build-fault.js'
import type { BuildRule } from '../declared/build-rule.js'
import { settingFault } from '../declared/build-rule.js'
import { familyProblem } from './query-families.js'
import { describeValue } from '../declared/describe-value.js'

/** Checks that every profile has a unique absolute URI, and query parameter families that it may define. */
export const profiles: BuildRule = ({ settings }) => {
  const declared: unknown = settings.profiles
  if (declared === undefined) return []
  if (!Array.isArray(declared))
    return [settingFault('profiles', `is ${describeValue(declared)}`, 'give a list of profiles')]
  const uris: unknown[] = []
  // Array.from() turns holes in the list into undefined, which is reported.
  return Array.from(declared as readonly unknown[]).flatMap((profile, index) => {
    const member = `profiles[${index}]`
    if (!isPlainObject(profile)) {
      return [settingFault(member, `is ${describeValue(profile)}`, "give its URI: { uri: 'https://…' }")]
    }
    const { uri, families } = profile
    const repeated = uris.includes(uri)
    uris.push(uri)
    return [...uriFaults(member, uri, repeated), ...familyFaults(member, uri, families)]
  })
}

/**
 * A scheme, followed by the characters that RFC 3986 allows. In a media type, spaces separate profiles and quotes end
 * their list, so a URI contains neither.
 */
const absoluteUri = /^[a-z][a-z0-9+.-]*:(?:[\w!#$&'()*+,./:;=?@[\]~-]|%[0-9a-f]{2})+$/i

function uriFaults(member: string, uri: unknown, repeated: boolean): readonly BuildFault[] {
  if (typeof uri !== 'string' || !absoluteUri.test(uri)) {
    return [
      settingFault(member, `${describeValue(uri)} is not an absolute URI`, 'give the URI that identifies the profile'),
    ]
  }
  return repeated
    ? [settingFault(member, `has the URI ${describeValue(uri)}, which another profile also has`, 'list it once')]
    : []
}

function familyFaults(member: string, uri: unknown, families: unknown): readonly BuildFault[] {
  if (families === undefined) return []
  if (!Array.isArray(families)) {
    return [settingFault(member, `has ${describeValue(families)} as families`, "give a list: families: ['myFamily']")]
  }
  const builtInFamilies = defaultProfiles.find((profile) => profile.uri === uri)?.families ?? []
  return Array.from(families as readonly unknown[]).flatMap((family) => {
    const problem = builtInFamilies.includes(family as string) ? null : familyProblem(family)
    return problem === null ? [] : [settingFault(member, ...problem)]
  })
}
