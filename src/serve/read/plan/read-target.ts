import type { ServedRelation, ServedType } from '../../../declare/resource/capabilities/served-type.js'

/** The target of a read. `one` is also the resource that the response to a write shows. */
export type ReadTarget =
  | { readonly kind: 'one' | 'collection'; readonly subject: ServedType }
  | { readonly kind: 'related' | 'linkage'; readonly subject: ServedRelation; readonly owner: ServedType }

/** Returns the types of the primary resources of a document. */
export function rootsOf(target: ReadTarget): readonly ServedType[] {
  return isOfRelation(target) ? [...target.subject.related.values()] : [target.subject]
}

export function isOfRelation(target: ReadTarget): target is Extract<ReadTarget, { readonly owner: ServedType }> {
  return target.kind === 'related' || target.kind === 'linkage'
}
