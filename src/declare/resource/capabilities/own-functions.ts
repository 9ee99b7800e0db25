import type { Persister, WriteShortcuts } from './persister.js'
import type { Provider, ReadFunctions } from './provider.js'

/** For each function of a provider, whether its conditions may contain scopes. */
export type ScopeReaders = Readonly<Record<keyof ReadFunctions, boolean>>

/**
 * Returns which functions of a provider accept scopes. A function that replaces one of the store is not the one that the store
 * names, so it gets conditions that it knows.
 */
export function scopeReaders(provider: Provider | null): ScopeReaders {
  const accepts = (method: keyof ReadFunctions): boolean =>
    typeof provider?.[method] === 'function' && provider.acceptsScopes?.[method] === provider[method]
  return Object.freeze<ScopeReaders>({
    fetchOne: accepts('fetchOne'),
    fetchCollection: accepts('fetchCollection'),
    fetchRelated: accepts('fetchRelated'),
    countRelated: accepts('countRelated'),
    fetchGroups: accepts('fetchGroups'),
  })
}

/**
 * Returns the shortcuts that stand for the functions that the persister has. Shortcuts of a function that was replaced are left
 * out: they would not run the code that replaces it.
 */
export function ownShortcuts(persister: Persister | null): WriteShortcuts {
  const { create, update, delete: remove, mutateRelationship } = persister?.shortcuts ?? {}
  return Object.freeze<WriteShortcuts>({
    ...(create !== undefined && create.insteadOf === persister?.create && { create }),
    ...(update !== undefined && update.insteadOf === persister?.update && { update }),
    ...(remove !== undefined && remove.insteadOf === persister?.delete && { delete: remove }),
    ...(mutateRelationship !== undefined &&
      mutateRelationship.insteadOf === persister?.mutateRelationship && { mutateRelationship }),
  })
}

/** Returns the shortcuts of a persister for functions that do the same. */
export function shortcutsFor(
  functions: Partial<Pick<Persister, keyof WriteShortcuts>>,
  persister: Persister,
): WriteShortcuts {
  const groups = Object.entries(ownShortcuts(persister))
  const restated = groups.map(([name, group]) => [
    name,
    { ...group, insteadOf: functions[name as keyof WriteShortcuts] },
  ])
  return Object.freeze(Object.fromEntries(restated)) as WriteShortcuts
}
