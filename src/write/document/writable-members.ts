import type { ServedRelation, ServedType } from '../../resource/capabilities/served-type.js'
import type { CompiledAttribute } from '../../resource/compiled-type.js'
import type { RequestContext } from '../../resource/request-context.js'
import { relationsWritableIn } from './sent-relationships.js'
import { writableAttributes } from '../../validation/writable-attributes.js'

/**
 * What a client may write here and now; all else is left out of account, validation included. Asked once for an
 * operation, so that a predicate cannot say one thing to the validation and another to the write.
 */
export interface WritableMembers {
  readonly attributes: readonly CompiledAttribute[]
  readonly relations: readonly ServedRelation[]
}

export function writableMembers(
  served: ServedType,
  mode: 'create' | 'update',
  context: RequestContext,
): WritableMembers {
  const before = settled[mode].get(served)
  if (before !== undefined) return before
  const members = {
    attributes: writableAttributes(served.type, mode, context),
    relations: relationsWritableIn(served, mode, context),
  }
  if (areSettled(served, mode)) settled[mode].set(served, Object.freeze(members))
  return members
}

/** What does not depend on the request is worked out once. */
const settled = {
  create: new WeakMap<ServedType, WritableMembers>(),
  update: new WeakMap<ServedType, WritableMembers>(),
} as const

function areSettled({ type, relations }: ServedType, mode: 'create' | 'update'): boolean {
  const specs = [...type.attributes, ...relations.values()].map(({ spec }) => spec)
  const isAsked = mode === 'create' ? 'readOnlyOnCreate' : 'readOnlyOnUpdate'
  return specs.every((spec) => typeof spec[isAsked] !== 'function')
}
