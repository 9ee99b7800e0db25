import { fail } from '../../errors/json-api-error.js'
import type { ServedRelation, ServedType } from '../../resource/capabilities/served-type.js'
import { isKnownRelation } from '../query/known-relation.js'
import type { ReadContext } from '../read-context.js'

/** The relation of a name; 404 for one that this caller does not know, or whose endpoint is suppressed. */
export function findRelation(
  { relations }: ServedType,
  name: string,
  endpoint: 'related' | 'relationship' | 'mutation',
  reading: ReadContext,
): ServedRelation {
  const relation = relations.get(name)
  if (relation === undefined || !isServed[endpoint](relation) || !isKnownRelation(relation, reading)) {
    fail('RELATIONSHIP_NOT_EXISTS', { relationship: name })
  }
  return relation
}

/** Linkage can be changed where it cannot be read: what a type serves are its operations to say. */
const isServed = Object.freeze({
  related: (relation: ServedRelation) => relation.hasRelatedEndpoint,
  relationship: (relation: ServedRelation) => relation.hasRelationshipEndpoint,
  mutation: (relation: ServedRelation) => relation.spec.relationshipEndpoint,
})
