import type { ServedRelation, ServedType } from '../../../declare/resource/capabilities/served-type.js'
import type { CompiledAttribute } from '../../../declare/resource/compiled/compiled-type.js'
import type { FieldGuard } from '../../../declare/resource/fields/field-guard.js'
import type { FieldSpec, RowObject } from '../../../declare/resource/fields/field-spec.js'
import { hiddenness } from '../../../declare/resource/fields/visible-field.js'
import type { RequestContext } from '../../../declare/resource/request/request-context.js'
import { memoize } from '../../../core/util/memoize.js'
import { writableAttributes } from '../../validation/writable-attributes.js'

/**
 * The members that the client may write in this request. All other members are ignored, by validation too. They are
 * computed once for an operation, so that a user-defined predicate cannot return different results to the validation
 * and to the write.
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
  const cached = cachedMembers[mode].get(served)
  if (cached !== undefined) return cached
  const members = {
    attributes: writableAttributes(served.type, mode, context),
    relations: relationsWritableIn(served, mode, context),
  }
  if (areCacheable(served, mode)) cachedMembers[mode].set(served, Object.freeze(members))
  return members
}

/** Caches the members of types whose members do not depend on the request. */
const cachedMembers = {
  create: new WeakMap<ServedType, WritableMembers>(),
  update: new WeakMap<ServedType, WritableMembers>(),
} as const

/**
 * Returns the members without those that `hidden(predicate)` or `visibleIf()` hides in a stored row.
 *
 * @param row the row with the flags of the guards of the members
 */
export function writableInRow(members: WritableMembers, row: RowObject, context: RequestContext): WritableMembers {
  const isShown = ({ spec: { hidden, guard } }: Hideable): boolean => {
    if (guard !== null && row[guard.flag] !== true) return false
    return typeof hidden !== 'function' || !hidden(row, context)
  }
  const { attributes, relations } = members
  if (![...attributes, ...relations].some(mayBeHidden)) return members
  return { attributes: attributes.filter(isShown), relations: relations.filter(isShown) }
}

/** Returns the guards of `visibleIf()` that these members have. */
export function guardsOfMembers({ attributes, relations }: WritableMembers): readonly FieldGuard[] {
  return [...new Set([...attributes, ...relations].flatMap(({ spec: { guard } }) => guard ?? []))]
}

interface Hideable {
  readonly spec: Pick<FieldSpec, 'hidden' | 'guard'>
}

/** Returns whether some rows may hide a member from some callers. */
export function mayBeHidden({ spec: { hidden, guard } }: Hideable): boolean {
  return typeof hidden === 'function' || guard !== null
}

/** Whether rows of a type may hide any of its members. Memoized, because most types have no such members, and every write needs it. */
export const mayHideMembers: (served: ServedType) => boolean = memoize(({ type, relations }) =>
  [...type.attributes, ...relations.values()].some(mayBeHidden),
)

/** Whether no rule about reading or writing a member is a function, which would depend on the request. */
function areCacheable({ type, relations }: ServedType, mode: 'create' | 'update'): boolean {
  const specs = [...type.attributes, ...relations.values()].map(({ spec }) => spec)
  const readOnly = mode === 'create' ? 'readOnlyOnCreate' : 'readOnlyOnUpdate'
  return specs.every((spec) => typeof spec[readOnly] !== 'function' && !mayBeHidden({ spec }))
}

/**
 * Returns the relations that the client may write in this request. The others are ignored, like read-only attributes.
 */
export function relationsWritableIn(
  { relations }: ServedType,
  mode: 'create' | 'update',
  context: RequestContext,
): readonly ServedRelation[] {
  return [...relations.values()].filter((relation) => isWritable(relation, mode, context))
}

export function isWritable(
  { spec, writeBy }: ServedRelation,
  mode: 'create' | 'update',
  context: RequestContext,
): boolean {
  if (writeBy === 'none' || hiddenness(spec, context) === 'hidden') return false
  const readOnly = mode === 'create' ? spec.readOnlyOnCreate : spec.readOnlyOnUpdate
  return typeof readOnly === 'function' ? !readOnly(context) : !readOnly
}
