import type { CompiledType } from './compiled-type.js'
import { isComposite, keyColumns } from '../parts/key-columns.js'
import type { Model } from '../parts/model.js'
import type { RelationKey, RelationSpec } from '../relations/relation-spec.js'

/**
 * Where the members of a relation are stored. Key columns refer to the `referenceColumn` of the other side; a type
 * column holds the `storedType` of a type.
 */
export type RelationStorage =
  /** The owner's row holds the key of the related row. */
  | { readonly kind: 'ownKey'; readonly key: RelationKey }
  /** The related rows hold the key of the owner. */
  | { readonly kind: 'relatedKey'; readonly key: RelationKey }
  /** The rows of a join table hold both keys. */
  | {
      readonly kind: 'join'
      readonly model: string
      /** The model itself, if the declaration gives the model and not only its name. */
      readonly rows?: Model<unknown>
      readonly owner: RelationKey
      readonly member: RelationKey
    }
  /** A user-defined function returns the related objects: `extractUsing()`. */
  | { readonly kind: 'function' }
  /** Only the provider of the owner's type can read the members. */
  | { readonly kind: 'provider' }

/** A relation with its owner, its targets and its storage resolved, as stores need it. */
export interface RelationLink {
  readonly name: string
  readonly spec: RelationSpec
  readonly owner: CompiledType
  /** In the order of the declaration; exactly one unless the relation is polymorphic. */
  readonly targets: readonly CompiledType[]
  readonly storage: RelationStorage
}

/**
 * Returns the column of a type's rows that the keys of relations refer to: the key of the model. A composite id is that
 * key, unless the model names another.
 *
 * @example
 * ```ts
 * const ownersKey = ({ owner }: RelationLink, row: Readonly<Record<string, unknown>>) =>
 *   keyIn(row, referenceColumn(owner))
 * ```
 */
export function referenceColumn({ model, id }: CompiledType): string {
  if (model === null || (model.hasDefaultKey === true && isComposite(id.column))) return id.column
  return model.key
}

/** Returns the value of a type column that refers to a row of a type, which is a target of the relation. */
export function storedTypeOf({ targets }: Pick<RelationLink, 'targets'>, type: string): string {
  return targets.find((target) => target.type === type)?.storedType ?? type
}

/** Returns the columns that hold the key of a relation, and the column with the type if there is one. */
export function relationKeyColumns({ id, type }: RelationKey): readonly string[] {
  return type === null ? keyColumns(id) : [...keyColumns(id), type]
}

/**
 * Returns the columns of the owner's row that are needed to find the members; `null` if a function or a provider may
 * need all.
 */
export function parentColumns({ owner, storage }: Pick<RelationLink, 'owner' | 'storage'>): readonly string[] | null {
  switch (storage.kind) {
    case 'ownKey':
      return relationKeyColumns(storage.key)
    case 'relatedKey':
    case 'join':
      return keyColumns(referenceColumn(owner))
    case 'function':
    case 'provider':
      return null
  }
}
