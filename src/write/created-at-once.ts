import type { ServedRelation, ServedType } from '../resource/capabilities/served-type.js'
import type { AttributeSpec } from '../resource/fields/attribute-declaration.js'
import type { Constraint } from '../resource/fields/constraint.js'

/**
 * Whether nothing of the author's that may answer later has a part in creating a resource. What may, can look at the store,
 * and has to see there what was created before.
 */
export function isCreatedAtOnce(served: ServedType): boolean {
  return isMadeAtOnce(served) && served.type.attributes.every(({ spec }) => isJudgedAtOnce(spec))
}

/** The same, once its document is judged: whether nothing but its row is written, and nobody but the service makes that. */
export function isMadeAtOnce({ type: { hooks, attributes, id }, hydrator }: ServedType): boolean {
  if (hydrator !== null || hooks?.beforeSave !== undefined || hooks?.beforeCreate !== undefined) return false
  return id.spec.fallback.kind !== 'function' && attributes.every(({ spec }) => isWrittenAtOnce(spec))
}

/** The same for what a relation with a key in the row leads to: nobody but the store says which members there are. */
export function isResolvedAtOnce({ spec, writeBy, related }: ServedRelation): boolean {
  if (writeBy !== 'row' || mayWait(spec.constraints)) return false
  return [...related.values()].every(({ type, serializer, readsInTransaction, isReadByStore }) => {
    const isPlain = type.scope === null && type.objectType === null && serializer === null
    return isPlain && readsInTransaction && isReadByStore
  })
}

function isWrittenAtOnce({ on, fill, deserialize, ...composite }: AttributeSpec): boolean {
  if (on !== null || fill !== null || deserialize !== null) return false
  return everyChild(composite, isWrittenAtOnce)
}

function isJudgedAtOnce({ constraints, ...composite }: AttributeSpec): boolean {
  return !mayWait(constraints) && everyChild(composite, isJudgedAtOnce)
}

function everyChild(
  { children, variants }: Pick<AttributeSpec, 'children' | 'variants'>,
  holds: (child: AttributeSpec) => boolean,
): boolean {
  return [children, ...Object.values(variants)].every((specs) => Object.values(specs).every(holds))
}

/** Validators of the Standard Schema may answer later; other rules answer at once. */
function mayWait(constraints: readonly Constraint[]): boolean {
  return constraints.some((constraint) => {
    switch (constraint.kind) {
      case 'standard':
        return true
      case 'each':
      case 'sequentially':
      case 'when':
        return mayWait(constraint.constraints)
      case 'atLeastOneOf':
        return mayWait(constraint.alternatives)
      default:
        return false
    }
  })
}
