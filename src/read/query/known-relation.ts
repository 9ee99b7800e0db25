import type { ServedRelation } from '../../resource/capabilities/served-type.js'
import type { ReadContext } from '../read-context.js'
import { visibilityOf } from '../../resource/fields/visible-field.js'

/**
 * Whether a relation exists for this request: a relation that is hidden in every row counts as unknown. A predicate
 * that decides for each row is evaluated with the rows.
 */
export function isKnownRelation({ spec }: ServedRelation, { context }: ReadContext): boolean {
  return visibilityOf(spec, context) !== 'hidden'
}
