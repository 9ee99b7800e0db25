import { thrownMessage } from '../../../core/errors/describe-thrown.js'
import { patternFault } from '../../../declare/resource/fields/patterns.js'
import type { BuildRule, TypeFault } from '../declared/build-rule.js'
import { eachType } from '../declared/build-rule.js'
import { constraintLists } from './constraint-lists.js'

/** Checks that patterns of ids, fields and filters are regular expressions. */
export const patterns: BuildRule = eachType(({ type }) => {
  const ofConstraints = constraintLists(type).flatMap(({ member, constraints }) =>
    constraints.flatMap((constraint) =>
      constraint.kind === 'schema' && constraint.schema['pattern'] !== undefined
        ? patternFaults(member, `${constraint.name}()`, constraint.schema['pattern'])
        : [],
    ),
  )
  // A format also sets the route pattern, but is already reported above.
  const ofRoutes = type.ids.flatMap(({ spec }) =>
    spec.routePatternFixed ? patternFaults('id', 'matchAs()', spec.routePattern) : [],
  )
  return [...ofConstraints, ...ofRoutes]
})

function patternFaults(member: string, modifier: string, pattern: unknown): readonly TypeFault[] {
  if (typeof pattern !== 'string') {
    const fault = patternFault(pattern, modifier)
    return fault === null ? [] : [{ member, ...fault }]
  }
  try {
    // oxlint-disable-next-line no-new -- compiled only to check whether it throws
    new RegExp(pattern)
    return []
  } catch (thrown) {
    const reason = thrownMessage(thrown).replace(/^Invalid regular expression: /, '')
    return [
      {
        member,
        problem: `the pattern of ${modifier} is not a regular expression: ${reason}`,
        remedy: 'fix the expression',
      },
    ]
  }
}
