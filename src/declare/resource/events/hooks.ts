import type { Awaitable } from '../../../core/util/types.js'
import type { WorkContext } from './stored-rows.js'
import type { RowObject } from '../fields/field-spec.js'
import type { Identifier } from '../parts/identifier.js'
import type { Replacement } from '../replies/replacement.js'

/**
 * A row before it is written. A column that a hook sets on it is written too.
 *
 * @example
 * ```ts
 * const setSlug = (draft: Draft<{ title: string; slug: string }>) => {
 *   if (draft.title !== undefined) draft.slug = draft.title.toLowerCase().replaceAll(' ', '-')
 * }
 * ```
 */
export type Draft<Row> = { -readonly [Column in keyof Row]?: Row[Column] }

/**
 * How a request changes the linkage of a relationship: PATCH replaces it, POST adds to it, DELETE removes from it. See
 * {@link RelationshipWorkContext}.
 */
export type RelationshipMode = 'replace' | 'add' | 'remove'

/**
 * The context of the hooks before and after a change of linkage.
 *
 * @example
 * ```ts
 * const keepTracks = (_album: AlbumRow, { relationship, mode }: RelationshipWorkContext) => {
 *   if (relationship === 'tracks' && mode === 'remove') throw new HttpError(403)
 * }
 * ```
 */
export interface RelationshipWorkContext extends WorkContext {
  /** The name of the relation. */
  readonly relationship: string
  /** The linkage as the client sent it. */
  readonly linkage: readonly Identifier[] | Identifier | null
  readonly mode: RelationshipMode
}

/**
 * User-defined hooks in the operations of a type: listeners of its events that are part of the declaration.
 *
 * The `before…` hooks run inside the transaction, after validation. They may change the draft, or throw: then nothing
 * is written. The `after…` hooks run after commit, and may return another response; the one from `afterSave` takes precedence. A
 * write that is only accepted for later processing runs the `before…` hooks and none of the `after…` hooks.
 *
 * @example
 * ```ts
 * const hooks: ResourceHooks<AlbumRow> = {
 *   beforeCreate: (draft) => {
 *     draft.year ??= new Date().getFullYear()
 *   },
 *   afterDelete: (album) => reply.meta({ deleted: album.title }),
 * }
 * ```
 */
export interface ResourceHooks<Row = RowObject> {
  /** Runs before `beforeCreate` and `beforeUpdate`. */
  beforeSave?(draft: Draft<Row>, creating: boolean, context: WorkContext): Awaitable<void>
  beforeCreate?(draft: Draft<Row>, context: WorkContext): Awaitable<void>
  /** `original` is the stored row. */
  beforeUpdate?(draft: Draft<Row>, original: Readonly<Row>, context: WorkContext): Awaitable<void>
  beforeDelete?(row: Readonly<Row>, context: WorkContext): Awaitable<void>
  beforeRelationshipMutate?(parent: Readonly<Row>, context: RelationshipWorkContext): Awaitable<void>
  afterCreate?(row: Readonly<Row>, context: WorkContext): Replacement
  afterUpdate?(row: Readonly<Row>, context: WorkContext): Replacement
  afterSave?(row: Readonly<Row>, creating: boolean, context: WorkContext): Replacement
  afterDelete?(row: Readonly<Row>, context: WorkContext): Replacement
  afterRelationshipMutate?(parent: Readonly<Row>, context: RelationshipWorkContext): Replacement
  afterFetchOne?(row: Readonly<Row>, context: WorkContext): Replacement
  afterFetchCollection?(rows: readonly Readonly<Row>[], context: WorkContext): Replacement
}
