import { isMemberName } from '../../document/member-name.js'
import type { BuildRule } from '../declared/build-rule.js'
import { eachType } from '../declared/build-rule.js'
import { describeValue } from '../declared/describe-value.js'

/**
 * Checks that a type has a name that JSON:API allows.
 *
 * @see https://jsonapi.org/format/1.1/#document-resource-object-identification
 */
export const typeNames: BuildRule = eachType(({ type }) => {
  if (type.type === '') {
    return [{ member: null, problem: 'has no type name', remedy: "give a string: defineResource('albums', …)" }]
  }
  if (isMemberName(type.type)) return []
  return [
    {
      member: null,
      problem: `${describeValue(type.type)} is not a type name that JSON:API allows`,
      remedy: 'use letters and digits, with hyphens or underscores between them',
    },
  ]
})
