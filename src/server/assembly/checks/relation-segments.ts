import type { BuildRule } from '../declared/build-rule.js'
import { eachType } from '../declared/build-rule.js'
import { isPathSegment } from './path-segment.js'
import { describeValue } from '../declared/describe-value.js'

/** Segments that routes reserve. */
const reserved: readonly unknown[] = ['relationships', '-actions']

/** Checks that the path segments of the relations of a type are valid, unique, and not reserved. */
export const relationSegments: BuildRule = eachType(({ type: { relations } }) =>
  relations.flatMap(({ name: member, uriName }, index) => {
    const segment: unknown = uriName
    if (typeof segment !== 'string' || !isPathSegment(segment)) {
      return [
        {
          member,
          problem: `${describeValue(segment)} cannot be used as a path segment`,
          remedy: "name one with withUriFieldName('…'), of letters, digits, hyphens, underscores, dots and tildes",
        },
      ]
    }
    if (reserved.includes(segment)) {
      return [
        {
          member,
          problem: `has the path segment '${segment}', which is reserved`,
          remedy: "name another with withUriFieldName('…')",
        },
      ]
    }
    const first = relations.findIndex((relation) => relation.uriName === segment)
    if (first === index) return []
    return [
      {
        member,
        problem: `shares the path segment '${segment}' with the relation '${relations[first]?.name}'`,
        remedy: "name another with withUriFieldName('…')",
      },
    ]
  }),
)
