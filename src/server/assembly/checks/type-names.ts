import { isMemberName } from '../../../core/document/member-name.js'
import type { BuildRule } from '../declared/build-rule.js'
import { eachType } from '../declared/build-rule.js'
import { describeValue } from '../declared/describe-value.js'

/**
 * Checks that a type has a name that JSON:API allows, and that is not the link of the root document to itself.
 *
 * @see https://jsonapi.org/format/1.1/#document-resource-object-identification
 */
export const typeNames: BuildRule = eachType(({ type }) => {
  if (type.type === '') {
    return [{ member: null, problem: 'has no type name', remedy: "give a string: defineResource('albums', …)" }]
  }
  if (type.type === 'self' && type.operations.has('FetchCollection')) {
    return [
      {
        member: null,
        problem: "is named 'self', as the link of the root document to itself, which also links to each collection",
        remedy: 'use another name',
      },
    ]
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
