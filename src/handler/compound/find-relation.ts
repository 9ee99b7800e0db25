import { fail } from '../../errors/json-api-error.js'
import type { ServedRelation, ServedType } from '../../resource/capabilities/served-type.js'
import { isKnown } from '../query/visible-relation.js'
import type { Reading } from '../reading.js'

/** The relation of a name; 404 for one that this caller does not know, or whose endpoint is suppressed. */
export function findRelation(
  { relations }: ServedType,
  name: string,
  endpoint: 'related' | 'relationship',
  reading: Reading,
): ServedRelation {
  const relation = relations.get(name)
  const served = endpoint === 'related' ? relation?.hasRelatedEndpoint : relation?.hasRelationshipEndpoint
  if (relation === undefined || served !== true || !isKnown(relation, reading)) {
    fail('RELATIONSHIP_NOT_EXISTS', { relationship: name })
  }
  return relation
}
