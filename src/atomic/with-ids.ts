import { fail } from '../errors/json-api-error.js'
import { isPlainObject } from '../util/frozen.js'
import type { Members } from '../util/types.js'
import type { LocalId } from './local-ids.js'
import { localIdOf, localName } from './local-ids.js'
import type { PlannedOperation } from './planned-operation.js'

/** The ids of the resources that were added so far, by what the batch calls them. */
export type KnownIds = ReadonlyMap<string, string>

/** Whether an operation can be run without waiting for what an earlier one adds. */
export function knowsIds({ localIds }: PlannedOperation, ids: KnownIds): boolean {
  return localIds.uses.every((use) => ids.has(localName(use)))
}

/** The data of an operation as a single request would send it: every local id is the id that it stands for. */
export function withIds({ kind, served, data, localIds }: PlannedOperation, ids: KnownIds): unknown {
  if (localIds.uses.length === 0 && localIds.given === null && !hasLocalId(data)) return data
  const named = (identifier: unknown): unknown => (isPlainObject(identifier) ? identified(identifier, ids) : identifier)
  if (kind !== 'CreateResource' && kind !== 'UpdateResource') {
    return Array.isArray(data) ? data.map(named) : named(data)
  }
  if (!isPlainObject(data)) return data
  const { lid: _, ...resource } = kind === 'UpdateResource' ? identified(data, ids) : data
  if (!isPlainObject(data['relationships'])) return resource
  const relationships = Object.entries(data['relationships']).map(([name, relationship]) => {
    const isLinkage = served.relations.has(name) && isPlainObject(relationship) && Object.hasOwn(relationship, 'data')
    if (!isLinkage) return [name, relationship]
    const { data: linkage } = relationship
    return [name, { ...relationship, data: Array.isArray(linkage) ? linkage.map(named) : named(linkage) }]
  })
  return { ...resource, relationships: Object.fromEntries(relationships) as unknown }
}

/** The id of the resource that an operation addresses; `null` for a collection. */
export function targetId({ target: { type, id, lid } }: PlannedOperation, ids: KnownIds): string | null {
  return lid === null ? id : idOf({ type, lid }, ids)
}

function identified(identifier: Members, ids: KnownIds): Members {
  const { lid: _, ...named } = identifier
  const lid = localIdOf(identifier)
  const { type, id } = identifier
  if (lid === null || id !== undefined || typeof type !== 'string') return named
  return { ...named, id: idOf({ type, lid }, ids) }
}

/** A handler of the author's may have answered with something that has no id. */
function idOf(name: Pick<LocalId, 'type' | 'lid'>, ids: KnownIds): string {
  return ids.get(localName(name)) ?? fail('LOCAL_ID_NOT_FOUND', name)
}

function hasLocalId(data: unknown): boolean {
  return isPlainObject(data) && Object.hasOwn(data, 'lid')
}
