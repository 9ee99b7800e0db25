import type { BuildRule } from '../declared/build-rule.js'
import { eachType } from '../declared/build-rule.js'
import { isPathSegment } from './path-segment.js'
import { shown } from '../declared/shown.js'

/** Segments that routes have a meaning for. */
const taken: readonly unknown[] = ['relationships', '-actions']

/** The path segments of a type's relations are segments, distinct, and free. */
export const relationSegments: BuildRule = eachType(({ type: { relations } }) =>
  relations.flatMap(({ name: member, uriName }, index) => {
    const segment: unknown = uriName
    if (typeof segment !== 'string' || !isPathSegment(segment)) {
      return [
        {
          member,
          problem: `${shown(segment)} cannot be a segment of a path as it is`,
          remedy: "name one with withUriFieldName('…'), of letters, digits, hyphens, underscores, dots and tildes",
        },
      ]
    }
    if (taken.includes(segment)) {
      return [
        {
          member,
          problem: `has the path segment '${segment}', which routes keep for themselves`,
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
