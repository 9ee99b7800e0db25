import type { ConstraintContext } from '../../../declare/resource/fields/constraint.js'
import type { FieldSpec } from '../../../declare/resource/fields/field-spec.js'
import { declaredAttributes } from './declared-attributes.js'
import type { BuildRule } from '../declared/build-rule.js'
import { eachType } from '../declared/build-rule.js'
import { isConstraint } from './constraint-lists.js'

/** Checks that clients can send every required field. */
export const satisfiablePresence: BuildRule = eachType(({ type }) =>
  [
    ...declaredAttributes(type).map(({ member, spec }) => ({
      member,
      spec,
      isUnwritable: spec.computed && spec.fill === null,
    })),
    ...type.relations.map(({ name, spec }) => ({ member: name, spec, isUnwritable: false })),
  ].flatMap(({ member, spec, isUnwritable }) => {
    const reason = requiredContexts(spec)
      .map((context) => unwritableReason(spec, context, isUnwritable))
      .find((found) => found !== null)
    if (reason === undefined || reason === null) return []
    return [
      {
        member,
        problem: `is required, but clients cannot send it: it is ${reason}`,
        remedy: 'remove required(), or let clients write it',
      },
    ]
  }),
)

function requiredContexts({ constraints }: FieldSpec): readonly ConstraintContext[] {
  return constraints.filter(isConstraint).flatMap(({ kind, on }) => (kind === 'required' ? [on] : []))
}

/** `always` requires the member on create only: on update, a member that is not sent keeps its value. */
function unwritableReason(spec: FieldSpec, context: ConstraintContext, isUnwritable: boolean): string | null {
  if (spec.hidden === true) return 'hidden'
  if (isUnwritable) return 'computed'
  const readOnly = context === 'update' ? spec.readOnlyOnUpdate : spec.readOnlyOnCreate
  return readOnly === true ? 'read-only' : null
}
