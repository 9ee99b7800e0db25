import { fail } from '../../errors/json-api-error.js'
import type { CompiledRelation, CompiledType } from '../../resource/compiled-type.js'

/** The relation at a path segment; 404 for one that is not declared, or whose endpoint is suppressed. */
export function findRelation(
  { relationAtSegment }: CompiledType,
  segment: string,
  endpoint: 'related' | 'relationship',
): CompiledRelation {
  const relation = relationAtSegment.get(segment)
  const served = endpoint === 'related' ? relation?.spec.relatedEndpoint : relation?.spec.relationshipEndpoint
  if (relation === undefined || served !== true) fail('RELATIONSHIP_NOT_EXISTS', { relationship: segment })
  return relation
}
