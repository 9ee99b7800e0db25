import { isGuarded } from '../../declare/resource/fields/field-guard.js'
import type { FieldSpec } from '../../declare/resource/fields/field-spec.js'
import type { JsonSchema } from '../../declare/resource/parts/json-schema.js'
import type { OpenApiSettings } from './openapi-settings.js'

/** Whether some request may see a field. */
export function isShown({ hidden, writeOnly }: Pick<FieldSpec, 'hidden' | 'writeOnly'>): boolean {
  return hidden !== true && writeOnly !== true
}

/** Whether every request sees a field, unless a fieldset leaves it out. */
export function isAlwaysShown(spec: FieldSpec): boolean {
  return spec.sparseness !== 'onDemand' && spec.hidden === false && spec.writeOnly === false && !isGuarded(spec)
}

/**
 * Returns the keyword with the fields that every response has, unless a fieldset leaves them out. Schemas require them only if the document
 * describes no fieldsets: a client that validates responses would otherwise refuse those to its own requests.
 */
export function shownKeyword(names: readonly string[], { fieldsets = true }: OpenApiSettings): JsonSchema {
  if (names.length === 0) return {}
  return fieldsets ? { 'x-always-shown': [...names] } : { required: [...names] }
}
