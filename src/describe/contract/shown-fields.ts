import { isGuarded } from '../../declare/resource/fields/field-guard.js'
import type { FieldSpec } from '../../declare/resource/fields/field-spec.js'

/** Whether some request may see a field. */
export function isShown({ hidden, writeOnly }: Pick<FieldSpec, 'hidden' | 'writeOnly'>): boolean {
  return hidden !== true && writeOnly !== true
}

/** Whether every request sees a field, unless a fieldset leaves it out. */
export function isAlwaysShown(spec: FieldSpec): boolean {
  return spec.sparseness !== 'onDemand' && spec.hidden === false && spec.writeOnly === false && !isGuarded(spec)
}
