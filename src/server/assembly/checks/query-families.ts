import { isMemberName } from '../../../core/document/member-name.js'
import type { BuildRule } from '../declared/build-rule.js'
import { settingFault } from '../declared/build-rule.js'
import { describeValue } from '../declared/describe-value.js'

/** Built-in families, and families that the built-in profiles define. */
const reserved: readonly string[] = ['withLinkage', 'withCount', 'relatedQuery', 'rQ']

/**
 * Checks that the query parameter families of the application have names that JSON:API leaves to applications.
 *
 * @see https://jsonapi.org/format/1.1/#query-parameters-custom
 */
export const queryFamilies: BuildRule = ({ settings }) => {
  const families: unknown = settings.queryFamilies
  if (families === undefined) return []
  if (!Array.isArray(families)) {
    return [settingFault('queryFamilies', `is ${describeValue(families)}`, "give a list: ['myFamily']")]
  }
  return families.flatMap((family: unknown) => {
    const problem = familyProblem(family)
    return problem === null ? [] : [settingFault('queryFamilies', ...problem)]
  })
}

/** Returns why a family of the application, or of one of its profiles, cannot have a name; `null` if it can. */
export function familyProblem(family: unknown): readonly [problem: string, remedy: string] | null {
  if (typeof family !== 'string' || !isMemberName(family)) {
    return [
      `${describeValue(family)} is not a name for a query parameter family`,
      'use letters and digits, such as camelCase',
    ]
  }
  if (/^[a-z]+$/.test(family)) {
    return [
      `${describeValue(family)} has only lowercase letters, and JSON:API reserves such names`,
      'add an uppercase letter, a digit or a hyphen, such as camelCase',
    ]
  }
  return reserved.includes(family) ? [`${describeValue(family)} is reserved`, 'choose another name'] : null
}
