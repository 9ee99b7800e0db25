import type { ConstraintContext } from '../../resource/fields/constraint.js'
import type { FieldSpec } from '../../resource/fields/field-spec.js'
import { attributePlaces } from './attribute-places.js'
import type { BuildRule } from '../declared/build-rule.js'
import { eachType } from '../declared/build-rule.js'
import { isConstraint } from './constraint-lists.js'

/** What is required can be sent. */
export const satisfiablePresence: BuildRule = eachType(({ type }) =>
  [
    ...attributePlaces(type).map(({ member, spec }) => ({
      member,
      spec,
      unwritten: spec.computed && spec.fill === null,
    })),
    ...type.relations.map(({ name, spec }) => ({ member: name, spec, unwritten: false })),
  ].flatMap(({ member, spec, unwritten }) => {
    const reason = requiredContexts(spec)
      .map((context) => refusal(spec, context, unwritten))
      .find((found) => found !== null)
    if (reason === undefined || reason === null) return []
    return [
      {
        member,
        problem: `is required, but clients cannot send it: it is ${reason}`,
        remedy: 'take required() away, or let clients write it',
      },
    ]
  }),
)

function requiredContexts({ constraints }: FieldSpec): readonly ConstraintContext[] {
  return constraints.filter(isConstraint).flatMap(({ kind, on }) => (kind === 'required' ? [on] : []))
}

/** `always` demands presence on create only; on update a member that is not sent keeps its value. */
function refusal(spec: FieldSpec, context: ConstraintContext, unwritten: boolean): string | null {
  if (spec.hidden === true) return 'hidden'
  if (unwritten) return 'computed'
  const readOnly = context === 'update' ? spec.readOnlyOnUpdate : spec.readOnlyOnCreate
  return readOnly === true ? 'read-only' : null
}
