import type { CompiledAttribute, CompiledType } from '../resource/compiled-type.js'
import type { AttributeSpec } from '../resource/fields/attribute-declaration.js'
import type { RequestContext } from '../resource/request-context.js'
import { oncePer } from '../util/once-per.js'

/**
 * The attributes that a client may write here and now; the others are left out of account, validation included. Asked
 * once for an operation, so that a predicate cannot say one thing to the validation and another to the write.
 */
export function writableAttributes(
  { attributes }: CompiledType,
  mode: 'create' | 'update',
  context: RequestContext,
): readonly CompiledAttribute[] {
  const { candidates, areSettled } = candidatesOf(attributes)[mode]
  return areSettled ? candidates : candidates.filter(({ spec }) => isWritableOn(spec, mode, context))
}

/** The attributes that some request may write, and whether all requests may. */
interface Candidates {
  readonly candidates: readonly CompiledAttribute[]
  readonly areSettled: boolean
}

/** Compiled types are frozen, so that this is worked out once. */
const candidatesOf = oncePer((attributes: readonly CompiledAttribute[]) => ({
  create: candidatesOn(attributes, 'create'),
  update: candidatesOn(attributes, 'update'),
}))

function candidatesOn(attributes: readonly CompiledAttribute[], mode: 'create' | 'update'): Candidates {
  const candidates = attributes.filter(({ spec }) => isOpen(spec) && readOnlyOn(spec, mode) !== true)
  return { candidates, areSettled: candidates.every(({ spec }) => readOnlyOn(spec, mode) === false) }
}

export function isWritableOn(spec: AttributeSpec, mode: 'create' | 'update', context: RequestContext): boolean {
  if (!isOpen(spec)) return false
  const readOnly = readOnlyOn(spec, mode)
  return typeof readOnly === 'function' ? !readOnly(context) : !readOnly
}

/** Whether there is anything to write: what is read through a function needs another to be written. */
function isOpen({ hidden, computed, fill }: AttributeSpec): boolean {
  return hidden !== true && !(computed && fill === null)
}

function readOnlyOn(spec: AttributeSpec, mode: 'create' | 'update'): AttributeSpec['readOnlyOnCreate'] {
  return mode === 'create' ? spec.readOnlyOnCreate : spec.readOnlyOnUpdate
}

/** Children of composites are judged by what holds always: their modifiers do not depend on the request. */
export function isWritableChild(child: AttributeSpec): boolean {
  return child.hidden !== true && !(child.readOnlyOnCreate === true && child.readOnlyOnUpdate === true)
}
