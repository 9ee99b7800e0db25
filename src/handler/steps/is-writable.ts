import type { CompiledAttribute } from '../../resource/compiled-type.js'
import type { RequestContext } from '../../resource/request-context.js'

/** Whether a client may write an attribute here and now. What it may not is left out of account, validation included. */
export function isWritable({ spec }: CompiledAttribute, mode: 'create' | 'update', context: RequestContext): boolean {
  if (spec.hidden === true || (spec.computed && spec.fill === null)) return false
  const readOnly = mode === 'create' ? spec.readOnlyOnCreate : spec.readOnlyOnUpdate
  return typeof readOnly === 'function' ? !readOnly(context) : !readOnly
}
