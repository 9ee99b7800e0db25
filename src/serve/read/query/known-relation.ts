import type { ServedRelation } from '../../../declare/resource/capabilities/served-type.js'
import type { ReadContext } from '../read-context.js'
import { addressability, visibilityOf } from '../../../declare/resource/fields/visible-field.js'

/**
 * Whether a relation exists for this request: a relation that is hidden in every row counts as unknown. A predicate
 * that decides for each row is evaluated with the rows.
 */
export function isKnownRelation({ spec }: ServedRelation, { context }: Pick<ReadContext, 'context'>): boolean {
  return visibilityOf(spec, context) !== 'hidden'
}

/** Whether a relation has endpoints for this request. They respond with 401 or 403 if the client may not read it. */
export function isAddressableRelation({ spec }: ServedRelation, { context }: ReadContext): boolean {
  return addressability(spec, context) !== 'hidden'
}
