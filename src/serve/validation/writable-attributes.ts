import type { CompiledAttribute, CompiledType } from '../../declare/resource/compiled/compiled-type.js'
import type { AttributeSpec } from '../../declare/resource/fields/attribute-declaration.js'
import { hiddenness } from '../../declare/resource/fields/visible-field.js'
import type { RequestContext } from '../../declare/resource/request/request-context.js'
import { memoize } from '../../core/util/memoize.js'

/**
 * Returns the attributes that the client may write in this request; all others are ignored, by the validation too.
 * Called once per operation, so that a user-defined predicate cannot return one result for the validation and another
 * one for the write.
 */
export function writableAttributes(
  { attributes }: CompiledType,
  mode: 'create' | 'update',
  context: RequestContext,
): readonly CompiledAttribute[] {
  const { candidates, areUnconditional } = candidatesOf(attributes)[mode]
  return areUnconditional ? candidates : candidates.filter(({ spec }) => isWritableOn(spec, mode, context))
}

/** The attributes that at least some requests may write. */
interface Candidates {
  readonly candidates: readonly CompiledAttribute[]
  /** Whether every request may write all of them. */
  readonly areUnconditional: boolean
}

/** Memoized, which is safe because compiled types are frozen. */
const candidatesOf = memoize((attributes: readonly CompiledAttribute[]) => ({
  create: candidatesOn(attributes, 'create'),
  update: candidatesOn(attributes, 'update'),
}))

function candidatesOn(attributes: readonly CompiledAttribute[], mode: 'create' | 'update'): Candidates {
  const candidates = attributes.filter(({ spec }) => canBeWritten(spec) && readOnlyOn(spec, mode) !== true)
  return { candidates, areUnconditional: candidates.every(({ spec }) => isUnconditional(spec, mode)) }
}

function isUnconditional(spec: AttributeSpec, mode: 'create' | 'update'): boolean {
  return readOnlyOn(spec, mode) === false && typeof spec.hidden !== 'function' && spec.guard === null
}

/** An attribute that is hidden in some rows only can be written, unless the stored row hides it. */
export function isWritableOn(spec: AttributeSpec, mode: 'create' | 'update', context: RequestContext): boolean {
  if (!canBeWritten(spec) || hiddenness(spec, context) === 'hidden') return false
  const readOnly = readOnlyOn(spec, mode)
  return typeof readOnly === 'function' ? !readOnly(context) : !readOnly
}

/** Whether an attribute can be written at all: a computed attribute needs a function that writes it. */
function canBeWritten({ hidden, computed, fill }: AttributeSpec): boolean {
  return hidden !== true && !(computed && fill === null)
}

function readOnlyOn(spec: AttributeSpec, mode: 'create' | 'update'): AttributeSpec['readOnlyOnCreate'] {
  return mode === 'create' ? spec.readOnlyOnCreate : spec.readOnlyOnUpdate
}

/** Whether a child of a composite can be written on create or on update. Its modifiers do not depend on the request. */
export function isWritableChild(child: AttributeSpec): boolean {
  return child.hidden !== true && !(child.readOnlyOnCreate === true && child.readOnlyOnUpdate === true)
}
