import type { FieldSpec } from '../../../declare/resource/fields/field-spec.js'
import { declaredAttributes } from './declared-attributes.js'
import type { BuildRule, TypeFault } from '../declared/build-rule.js'
import { eachType } from '../declared/build-rule.js'

/** Checks that `fillUsing()` can be called: clients write nothing to a field that is always read-only. */
export const calledFunctions: BuildRule = eachType(({ type }) => [
  ...declaredAttributes(type).flatMap(({ member, spec }) => {
    const remedy = spec.computed
      ? 'declare it as computed().extractUsing((row) => …).fillUsing(…), or remove fillUsing()'
      : 'remove readOnly() or fillUsing()'
    return fillFaults(member, spec, remedy)
  }),
  ...type.relations.flatMap(({ name, spec }) => fillFaults(name, spec, 'remove readOnly() or fillUsing()')),
])

type Fill = Pick<FieldSpec, 'readOnlyOnCreate' | 'readOnlyOnUpdate'> & { readonly fill: unknown }

function fillFaults(member: string, spec: Fill, remedy: string): readonly TypeFault[] {
  const isReadOnly = spec.readOnlyOnCreate === true && spec.readOnlyOnUpdate === true
  if (!isReadOnly || spec.fill === null) return []
  return [{ member, problem: 'is read-only, so that fillUsing() is never called', remedy }]
}
