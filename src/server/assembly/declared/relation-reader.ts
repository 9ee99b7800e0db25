import type { CompiledRelation } from '../../../declare/resource/compiled/compiled-type.js'
import type { ServedRelation } from '../../../declare/resource/capabilities/served-type.js'
import { referenceColumn } from '../../../declare/resource/compiled/relation-link.js'
import type { StorageResolution } from '../../../declare/resource/compiled/resolve-storage.js'
import { resolveStorage } from '../../../declare/resource/compiled/resolve-storage.js'
import type { DeclaredType } from './build-rule.js'

/** A relation and the declarations at both of its ends. */
export interface DeclaredRelation {
  readonly relation: CompiledRelation
  readonly owner: DeclaredType
  readonly targets: readonly DeclaredType[]
}

/**
 * Returns where a relation is stored. If the type has its own provider, which reads relations, and the declaration
 * names no storage, only the provider knows it.
 */
export function storageOf({ relation, owner, targets }: DeclaredRelation): StorageResolution {
  const { spec } = relation
  const isDeclared = spec.key !== null || spec.join !== null || spec.extract !== null
  if (readsRelations(owner) && owner.providerStore === null && !isDeclared)
    return { kind: 'found', storage: { kind: 'provider' } }
  return resolveStorage({ relation, owner: owner.type, targets: targets.map(({ type }) => type) })
}

/**
 * Returns what reads a relation: the owner's own provider, or the owner's store if it also holds the related types;
 * otherwise the providers of the related types, if the key is in a row of either side. Returns `null` if nothing reads
 * it.
 */
export function relationReader(ends: DeclaredRelation): ServedRelation['readBy'] | null {
  const { relation, owner, targets } = ends
  if (relation.spec.extract !== null) return 'function'
  const oneStore =
    owner.providerStore === null || targets.every(({ providerStore: source }) => source === owner.providerStore)
  if (readsRelations(owner) && oneStore) return 'owner'
  const storage = storageOf(ends)
  if (storage.kind !== 'found') return null
  const { kind } = storage.storage
  if (kind !== 'ownKey' && kind !== 'relatedKey') return null
  const readable = targets.every((target) => {
    return target.provider?.fetchCollection !== undefined || (kind === 'ownKey' && isFoundByKey(target))
  })
  return readable ? 'targets' : null
}

/**
 * Single rows are fetched by their id. In most types, but not in all, the id is also the key that relations refer to.
 */
function isFoundByKey({ provider, type }: DeclaredType): boolean {
  return provider !== null && type.id.column === referenceColumn(type)
}

function readsRelations({ provider }: DeclaredType): boolean {
  return provider?.fetchRelated !== undefined
}
