import type { JsonSchema } from '../../declare/resource/parts/json-schema.js'
import type { RelationContract } from '../contract/contract.js'
import type { Api } from './described-server.js'
import { sharedComponent } from './shared-component.js'

/**
 * Returns a reference to a schema of a relation. In documents of many types, relations to the same type have it in common if they are the
 * same otherwise.
 */
export function relationSchema(
  api: Api,
  relation: RelationContract,
  suffix: 'Relationship' | 'RelationshipDocument' | 'RelationshipRequest',
  create: () => JsonSchema,
): JsonSchema {
  const { owner, name, related, toMany } = relation
  if (!api.isCompact) return api.components.schema(`${api.names.ofRelation(owner, name)}${suffix}`, create)
  const [only, ...others] = related
  const base = only === undefined || others.length > 0 ? 'Polymorphic' : api.names.ofType(only)
  const wanted = `${base}${toMany ? 'ToMany' : 'ToOne'}${suffix === 'Relationship' ? suffix : suffix.slice('Relationship'.length)}`
  return sharedComponent(api, 'schemas', wanted, create())
}
