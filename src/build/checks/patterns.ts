import { thrownMessage } from '../../errors/describe-thrown.js'
import { patternFault } from '../../resource/fields/patterns.js'
import type { BuildRule, TypeFault } from '../declared/build-rule.js'
import { eachType } from '../declared/build-rule.js'
import { constraintLists } from './constraint-lists.js'

/** Patterns of ids, fields and filters are regular expressions. */
export const patterns: BuildRule = eachType(({ type }) => {
  const ofConstraints = constraintLists(type).flatMap(({ member, constraints }) =>
    constraints.flatMap((constraint) =>
      constraint.kind === 'schema' && constraint.schema['pattern'] !== undefined
        ? judge(member, `${constraint.name}()`, constraint.schema['pattern'])
        : [],
    ),
  )
  // A format sets the route pattern too, and is told above.
  const ofRoutes = type.ids.flatMap(({ spec }) =>
    spec.routePatternFixed ? judge('id', 'matchAs()', spec.routePattern) : [],
  )
  return [...ofConstraints, ...ofRoutes]
})

function judge(member: string, modifier: string, pattern: unknown): readonly TypeFault[] {
  if (typeof pattern !== 'string') {
    const fault = patternFault(pattern, modifier)
    return fault === null ? [] : [{ member, ...fault }]
  }
  try {
    // oxlint-disable-next-line no-new -- whether it throws is the question
    new RegExp(pattern)
    return []
  } catch (thrown) {
    const reason = thrownMessage(thrown).replace(/^Invalid regular expression: /, '')
    return [
      {
        member,
        problem: `the pattern of ${modifier} is no regular expression: ${reason}`,
        remedy: 'mend the expression',
      },
    ]
  }
}
