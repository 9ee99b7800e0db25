import type { CompiledRelation, CompiledType } from '../../../resource/compiled-type.js'
import type { Model } from '../../../resource/model.js'
import type { RelationStorage } from '../../../resource/relations/relation-link.js'
import type { RelationKey } from '../../../resource/relations/relation-spec.js'
import { resolveStorage } from '../../../resource/relations/resolve-storage.js'
import { joinModel } from './sql-table.js'

/** A key of a relation, in the rows of a table. */
export interface HeldKey {
  /** The model of the table; null if the type of the rows has none. */
  readonly model: Model<unknown> | string | null
  readonly key: RelationKey
  /** The types that the key refers to. */
  readonly referred: readonly CompiledType[]
}

/** How a relation is stored, and the keys that rows hold for it. */
export interface HeldRelation {
  readonly storage: RelationStorage['kind'] | null
  readonly keys: readonly HeldKey[]
}

/**
 * Returns the keys that rows hold for a relation: those of the owner, of the related types, or of the join table, that of the owner
 * first. Returns none if a function or a provider returns its members, or if its storage is unknown.
 */
export function heldKeys(
  relation: CompiledRelation,
  owner: CompiledType,
  types: readonly CompiledType[],
): HeldRelation {
  const targets = types.filter(({ type }) => relation.spec.targets.includes(type))
  const found = resolveStorage({ relation, owner, targets })
  if (found.kind === 'missing') return { storage: null, keys: [] }
  const { storage } = found
  switch (storage.kind) {
    case 'ownKey':
      return { storage: 'ownKey', keys: [{ model: owner.model, key: storage.key, referred: targets }] }
    case 'relatedKey': {
      const keys = targets.map(({ model }) => ({ model, key: storage.key, referred: [owner] }))
      return { storage: 'relatedKey', keys }
    }
    case 'join': {
      const model = joinModel(storage)
      const keys = [
        { model, key: storage.owner, referred: [owner] },
        { model, key: storage.member, referred: targets },
      ]
      return { storage: 'join', keys }
    }
    case 'function':
    case 'provider':
      return { storage: storage.kind, keys: [] }
  }
}
