import type { CompiledAttribute, CompiledType } from '../../resource/compiled-type.js'
import type { AttributeSpec } from '../../resource/fields/attribute-declaration.js'
import type { RequestContext } from '../../resource/request-context.js'

/**
 * The attributes that a client may write here and now; the others are left out of account, validation included. Asked
 * once for an operation, so that a predicate cannot say one thing to the validation and another to the write.
 */
export function writableAttributes(
  { attributes }: CompiledType,
  mode: 'create' | 'update',
  context: RequestContext,
): readonly CompiledAttribute[] {
  return attributes.filter(({ spec }) => isWritableOn(spec, mode, context))
}

export function isWritableOn(spec: AttributeSpec, mode: 'create' | 'update', context: RequestContext): boolean {
  if (spec.hidden === true || (spec.computed && spec.fill === null)) return false
  const readOnly = mode === 'create' ? spec.readOnlyOnCreate : spec.readOnlyOnUpdate
  return typeof readOnly === 'function' ? !readOnly(context) : !readOnly
}

/** Children of composites are judged by what holds always: their modifiers do not depend on the request. */
export function isWritableChild(child: AttributeSpec): boolean {
  return child.hidden !== true && !(child.readOnlyOnCreate === true && child.readOnlyOnUpdate === true)
}
