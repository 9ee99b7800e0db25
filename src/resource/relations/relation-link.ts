import type { CompiledType } from '../compiled-type.js'
import type { Model } from '../model.js'
import type { RelationKey, RelationSpec } from './relation-spec.js'

/**
 * Where the members of a relation are found. Keys point at the key column of the other side's model
 * (`referenceColumn`); a type column holds type names.
 */
export type RelationStorage =
  /** The owner's row holds the key of the related one. */
  | { readonly kind: 'ownKey'; readonly key: RelationKey }
  /** The related rows hold the key of the owner. */
  | { readonly kind: 'relatedKey'; readonly key: RelationKey }
  /** Join rows hold both. */
  | {
      readonly kind: 'join'
      readonly model: string
      /** The model itself, where more than its name was given. */
      readonly rows?: Model<unknown>
      readonly owner: RelationKey
      readonly member: RelationKey
    }
  /** A function of the author's answers the related objects: `extractUsing()`. */
  | { readonly kind: 'function' }
  /** The owner's own provider knows, and nobody else. */
  | { readonly kind: 'provider' }

/** A relation of a type with both of its ends known, as stores need it. */
export interface RelationLink {
  readonly name: string
  readonly spec: RelationSpec
  readonly owner: CompiledType
  /** In the order of the declaration; one unless the relation is polymorphic. */
  readonly targets: readonly CompiledType[]
  readonly storage: RelationStorage
}

/** The column of a type's rows that keys of relations point at. */
export function referenceColumn({ model, id }: CompiledType): string {
  return model?.key ?? id.column
}

/** The columns of the owner's row that finding the members takes; `null` where somebody looks at the whole row. */
export function parentColumns({ owner, storage }: Pick<RelationLink, 'owner' | 'storage'>): readonly string[] | null {
  switch (storage.kind) {
    case 'ownKey':
      return storage.key.type === null ? [storage.key.id] : [storage.key.id, storage.key.type]
    case 'relatedKey':
    case 'join':
      return [referenceColumn(owner)]
    case 'function':
    case 'provider':
      return null
  }
}
