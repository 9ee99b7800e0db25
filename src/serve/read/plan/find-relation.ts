import { fail } from '../../../core/errors/json-api-error.js'
import type { ServedRelation, ServedType } from '../../../declare/resource/capabilities/served-type.js'
import { isAddressableRelation } from '../query/known-relation.js'
import type { ReadContext } from '../read-context.js'

/** Returns the relation with a name. Fails with 404 if it is hidden from the client, or if its endpoint is disabled. */
export function findRelation(
  { relations }: ServedType,
  name: string,
  endpoint: 'related' | 'relationship' | 'mutation',
  request: ReadContext,
): ServedRelation {
  const relation = relations.get(name)
  if (relation === undefined || !isServed[endpoint](relation) || !isAddressableRelation(relation, request)) {
    fail('RELATIONSHIP_NOT_EXISTS', { relationship: name })
  }
  return relation
}

/**
 * A mutation is allowed even if the linkage cannot be read: the operations of the type decide what a client can change.
 */
const isServed = Object.freeze({
  related: (relation: ServedRelation) => relation.hasRelatedEndpoint,
  relationship: (relation: ServedRelation) => relation.hasRelationshipEndpoint,
  mutation: (relation: ServedRelation) => relation.spec.relationshipEndpoint,
})
