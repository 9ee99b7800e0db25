import { fail } from '../../errors/json-api-error.js'
import type { CompiledRelation, CompiledType } from '../../resource/compiled-type.js'

/** The relation of a name; 404 for one that is not declared, or whose endpoint is suppressed. */
export function findRelation(
  { relationNamed }: CompiledType,
  name: string,
  endpoint: 'related' | 'relationship',
): CompiledRelation {
  const relation = relationNamed.get(name)
  const served = endpoint === 'related' ? relation?.spec.relatedEndpoint : relation?.spec.relationshipEndpoint
  if (relation === undefined || served !== true) fail('RELATIONSHIP_NOT_EXISTS', { relationship: name })
  return relation
}
