import type { BuildRule } from '../declared/build-rule.js'
import { eachType } from '../declared/build-rule.js'
import { isPathSegment } from './path-segment.js'
import { shown } from '../declared/shown.js'

/** The path segment of a type stands in links and routes as it is. */
export const typeSegments: BuildRule = eachType(({ type, given }) => {
  const { uriType } = given
  if (uriType === undefined && type.type === '') return []
  if (uriType !== undefined && typeof uriType !== 'string') {
    return [{ member: 'uriType', problem: `is ${shown(uriType)}`, remedy: "give a text: uriType: 'albums'" }]
  }
  if (isPathSegment(type.uriType)) return []
  return [
    {
      member: 'uriType',
      problem: `${shown(type.uriType)} cannot be a segment of a path as it is`,
      remedy: 'declare a uriType of letters, digits, hyphens, underscores, dots and tildes',
    },
  ]
})
