import type { ServedRelation } from '../../resource/capabilities/served-type.js'
import type { Reading } from '../reading.js'
import { visibilityOf } from './visible-field.js'

/** A relation that no document of this request shows is unknown to it. What depends on the row is looked at there. */
export function isKnown({ spec }: ServedRelation, { context }: Reading): boolean {
  return visibilityOf(spec, context) !== 'hidden'
}
