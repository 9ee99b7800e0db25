import type { ServedRelation } from '../../declare/resource/capabilities/served-type.js'
import type { JsonSchema } from '../../declare/resource/parts/json-schema.js'
import type { Api } from './described-server.js'
import { targetNames } from './linkage-schema.js'
import { sharedComponent } from './shared-component.js'

/**
 * Returns a reference to a schema of a relation. In documents of many types, relations to the same type have it in common if they are the
 * same otherwise.
 */
export function relationSchema(
  api: Api,
  relation: ServedRelation,
  suffix: 'Relationship' | 'RelationshipDocument' | 'RelationshipRequest',
  create: () => JsonSchema,
): JsonSchema {
  const { owner, name, spec } = relation
  if (!api.isCompact) return api.components.schema(`${api.names.ofRelation(owner.type, name)}${suffix}`, create)
  const [only, ...others] = targetNames(relation)
  const base = only === undefined || others.length > 0 ? 'Polymorphic' : api.names.ofType(only)
  const wanted = `${base}${spec.traits.toMany ? 'ToMany' : 'ToOne'}${suffix === 'Relationship' ? suffix : suffix.slice('Relationship'.length)}`
  return sharedComponent(api, 'schemas', wanted, create())
}
