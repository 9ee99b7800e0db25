import type { BuildRule } from '../declared/build-rule.js'
import { eachType } from '../declared/build-rule.js'
import { isPathSegment } from './path-segment.js'
import { describeValue } from '../declared/describe-value.js'

/** Checks that the path segment of a type needs no encoding in links and routes. */
export const typeSegments: BuildRule = eachType(({ type, rawMembers: given }) => {
  const { uriType } = given
  if (uriType === undefined && type.type === '') return []
  if (uriType !== undefined && typeof uriType !== 'string') {
    return [{ member: 'uriType', problem: `is ${describeValue(uriType)}`, remedy: "give a string: uriType: 'albums'" }]
  }
  if (isPathSegment(type.uriType)) return []
  return [
    {
      member: 'uriType',
      problem: `${describeValue(type.uriType)} cannot be used as a path segment`,
      remedy: 'declare a uriType of letters, digits, hyphens, underscores, dots and tildes',
    },
  ]
})
