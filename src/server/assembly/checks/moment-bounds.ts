import type { AttributeSpec } from '../../../declare/resource/fields/attribute-declaration.js'
import type { Constraint } from '../../../declare/resource/fields/constraint.js'
import { dateTimeFormat } from '../../../declare/resource/fields/moment-format.js'
import { declaredAttributes } from './declared-attributes.js'
import type { BuildRule, TypeFault } from '../declared/build-rule.js'
import { eachType } from '../declared/build-rule.js'
import { isConstraint } from './constraint-lists.js'
import { describeValue } from '../declared/describe-value.js'

type Finding = Omit<TypeFault, 'member'>

/**
 * Checks that fixed bounds of dates and times can be parsed and are in order. Bounds that are functions are called in
 * every request, and are not checked here.
 */
export const momentBounds: BuildRule = eachType(({ type }) =>
  declaredAttributes(type).flatMap(({ member, spec }) =>
    spec.constraints
      .filter(isConstraint)
      .flatMap((constraint) => boundFaults(constraint, spec))
      .map((found) => ({ member, ...found })),
  ),
)

function boundFaults(constraint: Constraint, spec: AttributeSpec): readonly Finding[] {
  switch (constraint.kind) {
    case 'before':
    case 'after':
      return parseFaults(constraint.kind, constraint.bound, spec)
    case 'between': {
      const { from, to } = constraint
      const unparsed = [...parseFaults('between', from, spec), ...parseFaults('between', to, spec)]
      const [first, last] = [momentOf(from, spec), momentOf(to, spec)]
      if (unparsed.length > 0 || first === null || last === null || first <= last) return unparsed
      return [{ problem: 'between() has its earlier bound last', remedy: 'swap the two bounds' }]
    }
    default:
      return []
  }
}

function parseFaults(modifier: string, bound: unknown, spec: AttributeSpec): readonly Finding[] {
  if (typeof bound === 'function' || momentOf(bound, spec) !== null) return []
  return [
    {
      problem: `${modifier}() was given ${describeValue(bound)}, which is not a date or time in the format of the attribute`,
      remedy: `write it as ${spec.kind.moment?.pattern ?? 'YYYY-MM-DD'}, or give a Date or a function`,
    },
  ]
}

function momentOf(bound: unknown, spec: AttributeSpec): Date | null {
  if (bound instanceof Date) return Number.isNaN(bound.getTime()) ? null : bound
  if (typeof bound !== 'string') return null
  return spec.kind.moment?.read(bound) ?? dateTimeFormat(null).read(bound)
}
