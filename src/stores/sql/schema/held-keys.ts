import type { CompiledRelation, CompiledType } from '../../../declare/resource/compiled/compiled-type.js'
import { keyColumns } from '../../../declare/resource/parts/key-columns.js'
import type { Model } from '../../../declare/resource/parts/model.js'
import type { RelationStorage } from '../../../declare/resource/compiled/relation-link.js'
import type { RelationKey } from '../../../declare/resource/relations/relation-spec.js'
import { resolveStorage } from '../../../declare/resource/compiled/resolve-storage.js'
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
  /** The join table, and the columns that identify a pair in it; null for other storage. */
  readonly joined: { readonly model: Model<unknown> | string; readonly pair: readonly string[] } | null
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
  if (found.kind === 'missing') return { storage: null, keys: [], joined: null }
  const { storage } = found
  const held = (keys: readonly HeldKey[]): HeldRelation => ({ storage: storage.kind, keys, joined: null })
  switch (storage.kind) {
    case 'ownKey':
      return held([{ model: owner.model, key: storage.key, referred: targets }])
    case 'relatedKey':
      return held(targets.map(({ model }) => ({ model, key: storage.key, referred: [owner] })))
    case 'join': {
      const model = joinModel(storage)
      const [ofOwner, ofMember] = [storage.owner, storage.member]
      const pair = [ofOwner, ofMember].flatMap(({ id, type }) => [...(type === null ? [] : [type]), ...keyColumns(id)])
      const keys = [
        { model, key: ofOwner, referred: [owner] },
        { model, key: ofMember, referred: targets },
      ]
      return { ...held(keys), joined: { model, pair } }
    }
    case 'function':
    case 'provider':
      return held([])
  }
}
