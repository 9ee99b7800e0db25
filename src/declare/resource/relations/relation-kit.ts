import type { RowObject } from '../fields/field-spec.js'
import { relationOf } from './relation-declaration.js'
import type { RelationKind } from './relation-spec.js'
import type { BelongsTo, BelongsToMany, HasMany, HasOne, MorphTo, MorphToMany } from './relation-types.js'

/**
 * The functions that declare relations: the argument of `relations`. Unlike the standalone functions, their callbacks
 * have the row type `R`.
 *
 * @example
 * ```ts
 * const relations = (r: RelationKit<AlbumRow>) => ({
 *   artist: r.belongsTo('artists').hidden((row) => row.artistId === null),
 * })
 * ```
 */
export interface RelationKit<R> {
  belongsTo<const T extends string>(type: T): BelongsTo<R, T, never>
  hasOne<const T extends string>(type: T): HasOne<R, T, never>
  hasMany<const T extends string>(type: T): HasMany<R, T, never>
  belongsToMany<const T extends string>(type: T): BelongsToMany<R, T, never>
  morphTo<const T extends string>(types: readonly T[]): MorphTo<R, T, never>
  morphToMany<const T extends string>(types: readonly T[]): MorphToMany<R, T, never>
}

/**
 * Declares a to-one relation whose key is in this type's row. Targets are type names, so that two declarations can
 * refer to each other.
 *
 * @example
 * ```ts
 * const relations = { artist: belongsTo('artists') }
 * ```
 */
export function belongsTo<const T extends string>(type: T): BelongsTo<RowObject, T, never> {
  return declared('belongsTo', [type])
}

/**
 * Declares a to-one relation whose key is in the related row.
 *
 * @example
 * ```ts
 * const relations = { lyrics: hasOne('lyrics').via('trackId') }
 * ```
 */
export function hasOne<const T extends string>(type: T): HasOne<RowObject, T, never> {
  return declared('hasOne', [type])
}

/**
 * Declares a to-many relation whose key is in the related rows.
 *
 * @example
 * ```ts
 * const relations = { albums: hasMany('albums').countable() }
 * ```
 */
export function hasMany<const T extends string>(type: T): HasMany<RowObject, T, never> {
  return declared('hasMany', [type])
}

/**
 * Declares a to-many relation through a join table, whose rows may have fields of their own.
 *
 * @example
 * ```ts
 * const relations = {
 *   tracks: belongsToMany('tracks')
 *     .through('playlist_tracks', { owner: 'playlistId', member: 'trackId' })
 *     .fields((a) => ({ position: a.integer().required() })),
 * }
 * ```
 */
export function belongsToMany<const T extends string>(type: T): BelongsToMany<RowObject, T, never> {
  return declared('belongsToMany', [type])
}

/**
 * Declares a to-one relation to one of several types.
 *
 * @example
 * ```ts
 * const relations = { favorite: morphTo(['albums', 'artists', 'tracks']).via('favoriteId', 'favoriteType') }
 * ```
 */
export function morphTo<const T extends string>(types: readonly T[]): MorphTo<RowObject, T, never> {
  return declared('morphTo', types)
}

/**
 * Declares a to-many relation to members of several types.
 *
 * @example
 * ```ts
 * const relations = {
 *   items: morphToMany(['albums', 'tracks']).through('library_items', {
 *     owner: 'libraryId',
 *     member: 'itemId',
 *     memberType: 'itemType',
 *   }),
 * }
 * ```
 */
export function morphToMany<const T extends string>(types: readonly T[]): MorphToMany<RowObject, T, never> {
  return declared('morphToMany', types)
}

const kit: RelationKit<RowObject> = Object.freeze({ belongsTo, hasOne, hasMany, belongsToMany, morphTo, morphToMany })

/** Returns the kit for rows `R`. All row types share one object, because they differ for the compiler only. */
export function relationKit<R>(): RelationKit<R> {
  return kit as unknown as RelationKit<R>
}

/** Creates a declaration. It has the options of all kinds; its type shows only those of its kind. */
function declared<Typed>(kind: RelationKind, types: readonly string[]): Typed {
  const targets: readonly string[] = Array.isArray(types) ? types : [types as unknown as string]
  return relationOf(kind, targets) as unknown as Typed
}
