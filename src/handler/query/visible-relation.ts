import type { ServedRelation } from '../../resource/capabilities/served-type.js'
import type { Reading } from '../reading.js'

/** A relation that no document of this request shows is unknown to it. What depends on the row is looked at there. */
export function isKnown({ spec }: ServedRelation, { context }: Reading): boolean {
  const { hidden, writeOnly } = spec
  return hidden !== true && !(typeof writeOnly === 'function' ? writeOnly(context) : writeOnly)
}
