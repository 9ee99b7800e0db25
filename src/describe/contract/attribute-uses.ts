import type { AttributeSpec } from '../../declare/resource/fields/attribute-declaration.js'
import type { DocumentPurpose } from '../../declare/resource/fields/attribute-values.js'
import { isAlwaysShown, isShown } from './shown-fields.js'

/** Whether documents for a purpose have an attribute: that clients read, or that they send to create or to update a resource. */
export type AttributeUse = 'always' | 'sometimes' | 'never'

/** Returns the use of an attribute. Restrictions that depend on the request are ignored: a use is one of some caller. */
export function attributeUse(spec: AttributeSpec, purpose: DocumentPurpose): AttributeUse {
  const { hidden, readOnlyOnCreate, readOnlyOnUpdate, computed, fill, guard } = spec
  if (purpose === 'read') return !isShown(spec) ? 'never' : isAlwaysShown(spec) ? 'always' : 'sometimes'
  const isReadOnly = purpose === 'create' ? readOnlyOnCreate : readOnlyOnUpdate
  if (hidden === true || isReadOnly === true || (computed && fill === null)) return 'never'
  const isCertain = isReadOnly === false && hidden === false && guard === null
  return purpose === 'create' && isCertain && isRequired(spec, 'create') ? 'always' : 'sometimes'
}

/** Whether a write must have the value, in every request. */
export function isRequired({ constraints }: Pick<AttributeSpec, 'constraints'>, mode: 'create' | 'update'): boolean {
  return constraints.some((rule) => {
    if (rule.on !== 'always' && rule.on !== mode) return false
    return rule.kind === 'required' || (rule.kind === 'sequentially' && isRequired(rule, mode))
  })
}
