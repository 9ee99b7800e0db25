import { fail } from '../errors/json-api-error.js'
import { isPlainObject } from '../util/deep-freeze.js'
import type { JsonMembers } from '../util/types.js'
import type { LocalId } from './local-ids.js'
import { localIdOf, localIdKey } from './local-ids.js'
import type { PlannedOperation } from './plan-batch.js'

/** The ids of the resources that were added so far, by local id. */
export type KnownIds = ReadonlyMap<string, string>

/** Returns whether the ids for all local ids of an operation are known, so that it can run. */
export function canResolveLocalIds({ localIds }: PlannedOperation, ids: KnownIds): boolean {
  return localIds.uses.every((use) => ids.has(localIdKey(use)))
}

/** Returns the data of an operation like that of a single request: each local id is replaced by its id. */
export function resolveLocalIds({ kind, served, data, localIds }: PlannedOperation, ids: KnownIds): unknown {
  if (localIds.uses.length === 0 && localIds.added === null && !hasLocalId(data)) return data
  const resolve = (identifier: unknown): unknown => (isPlainObject(identifier) ? resolved(identifier, ids) : identifier)
  if (kind !== 'CreateResource' && kind !== 'UpdateResource') {
    return Array.isArray(data) ? data.map(resolve) : resolve(data)
  }
  if (!isPlainObject(data)) return data
  const { lid: _, ...resource } = kind === 'UpdateResource' ? resolved(data, ids) : data
  if (!isPlainObject(data['relationships'])) return resource
  const relationships = Object.entries(data['relationships']).map(([name, relationship]) => {
    const isLinkage = served.relations.has(name) && isPlainObject(relationship) && Object.hasOwn(relationship, 'data')
    if (!isLinkage) return [name, relationship]
    const { data: linkage } = relationship
    return [name, { ...relationship, data: Array.isArray(linkage) ? linkage.map(resolve) : resolve(linkage) }]
  })
  return { ...resource, relationships: Object.fromEntries(relationships) as unknown }
}

/** Returns the id of the target resource of an operation; `null` for a collection. */
export function targetId({ target: { type, id, lid } }: PlannedOperation, ids: KnownIds): string | null {
  return lid === null ? id : idOf({ type, lid }, ids)
}

function resolved(identifier: JsonMembers, ids: KnownIds): JsonMembers {
  const { lid: _, ...rest } = identifier
  const lid = localIdOf(identifier)
  const { type, id } = identifier
  if (lid === null || id !== undefined || typeof type !== 'string') return rest
  return { ...rest, id: idOf({ type, lid }, ids) }
}

/** Returns the id for a local id. Fails if a user-defined handler returned no resource with an id. */
function idOf(localId: Pick<LocalId, 'type' | 'lid'>, ids: KnownIds): string {
  return ids.get(localIdKey(localId)) ?? fail('LOCAL_ID_NOT_FOUND', localId)
}

function hasLocalId(data: unknown): boolean {
  return isPlainObject(data) && Object.hasOwn(data, 'lid')
}
