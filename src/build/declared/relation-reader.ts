import type { CompiledRelation } from '../../resource/compiled-type.js'
import type { ServedRelation } from '../../resource/capabilities/served-type.js'
import { referenceColumn } from '../../resource/relations/relation-link.js'
import type { FoundStorage } from '../../resource/relations/resolve-storage.js'
import { resolveStorage } from '../../resource/relations/resolve-storage.js'
import type { DeclaredType } from './build-rule.js'

/** A relation and the declarations at both of its ends. */
export interface DeclaredEnds {
  readonly relation: CompiledRelation
  readonly owner: DeclaredType
  readonly targets: readonly DeclaredType[]
}

/** Where a relation is stored. What the author does not say of a provider that reads relations itself, only it knows. */
export function storageOf({ relation, owner, targets }: DeclaredEnds): FoundStorage {
  const { spec } = relation
  const said = spec.key !== null || spec.join !== null || spec.extract !== null
  if (readsRelations(owner) && owner.source === null && !said) return { kind: 'found', storage: { kind: 'provider' } }
  return resolveStorage({ relation, owner: owner.type, targets: targets.map(({ type }) => type) })
}

/**
 * Who reads a relation: the provider of the owner's own, or its store where that holds the related types too; else the
 * related types themselves, where the key is in a row of either side. `null` for nobody.
 */
export function relationReader(ends: DeclaredEnds): ServedRelation['readBy'] | null {
  const { relation, owner, targets } = ends
  if (relation.spec.extract !== null) return 'function'
  const oneStore = owner.source === null || targets.every(({ source }) => source === owner.source)
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

/** Single rows are asked for by their id, which is the key of relations in most types, but not in all. */
function isFoundByKey({ provider, type }: DeclaredType): boolean {
  return provider !== null && type.id.column === referenceColumn(type)
}

function readsRelations({ provider }: DeclaredType): boolean {
  return provider?.fetchRelated !== undefined
}
