import { isMemberName } from '../../document/member-name.js'
import type { BuildRule } from '../declared/build-rule.js'
import { settingFault } from '../declared/build-rule.js'
import { shown } from '../declared/shown.js'

/** Families with a meaning of their own. */
const taken: readonly string[] = ['withCount', 'relatedQuery', 'rQ']

/**
 * The application's query parameter families are ones that JSON:API leaves to it.
 *
 * @see https://jsonapi.org/format/1.1/#query-parameters-custom
 */
export const queryFamilies: BuildRule = ({ settings }) => {
  const given: unknown = settings.queryFamilies
  if (given === undefined) return []
  if (!Array.isArray(given)) return [settingFault('queryFamilies', `is ${shown(given)}`, "give a list: ['myFamily']")]
  return given.flatMap((family: unknown) => {
    const problem = familyProblem(family)
    return problem === null ? [] : [settingFault('queryFamilies', ...problem)]
  })
}

/** Why a family of the application, or of a profile of its own, cannot have this name. */
export function familyProblem(family: unknown): readonly [problem: string, remedy: string] | null {
  if (typeof family !== 'string' || !isMemberName(family)) {
    return [`${shown(family)} is no name for a query parameter family`, 'use letters and digits, such as camelCase']
  }
  if (/^[a-z]+$/.test(family)) {
    return [
      `${shown(family)} has nothing but small letters, which JSON:API keeps for itself`,
      'put a capital letter, a digit or a hyphen into it, such as camelCase',
    ]
  }
  return taken.includes(family) ? [`${shown(family)} has a meaning already`, 'choose another name'] : null
}
