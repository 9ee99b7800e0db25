import type { RowObject } from '../fields/field-spec.js'
import { relationOf } from './relation-declaration.js'
import type { RelationKind } from './relation-spec.js'
import type { BelongsTo, BelongsToMany, HasMany, HasOne, MorphTo, MorphToMany } from './relation-types.js'

/** The six relation kinds over rows `R`: like the bare functions, with callbacks that know the row. */
export interface RelationKit<R> {
  belongsTo<const T extends string>(type: T): BelongsTo<R, T, never>
  hasOne<const T extends string>(type: T): HasOne<R, T, never>
  hasMany<const T extends string>(type: T): HasMany<R, T, never>
  belongsToMany<const T extends string>(type: T): BelongsToMany<R, T, never>
  morphTo<const T extends string>(types: readonly T[]): MorphTo<R, T, never>
  morphToMany<const T extends string>(types: readonly T[]): MorphToMany<R, T, never>
}

/**
 * To one; the key is in this type's own row. Targets are type names, so that declarations may point at each other.
 *
 * @example
 * ```ts
 * const relations = { artist: belongsTo('artists') }
 * ```
 */
export function belongsTo<const T extends string>(type: T): BelongsTo<RowObject, T, never> {
  return declared('belongsTo', [type])
}

/** To one; the key is in the related row. */
export function hasOne<const T extends string>(type: T): HasOne<RowObject, T, never> {
  return declared('hasOne', [type])
}

/** To many; the key is in the related rows. */
export function hasMany<const T extends string>(type: T): HasMany<RowObject, T, never> {
  return declared('hasMany', [type])
}

/** To many through join rows, which may have fields of their own. */
export function belongsToMany<const T extends string>(type: T): BelongsToMany<RowObject, T, never> {
  return declared('belongsToMany', [type])
}

/** To one of several types. */
export function morphTo<const T extends string>(types: readonly T[]): MorphTo<RowObject, T, never> {
  return declared('morphTo', types)
}

/** To many of several types. */
export function morphToMany<const T extends string>(types: readonly T[]): MorphToMany<RowObject, T, never> {
  return declared('morphToMany', types)
}

const kit: RelationKit<RowObject> = Object.freeze({ belongsTo, hasOne, hasMany, belongsToMany, morphTo, morphToMany })

/** The kit for rows `R`: one object for all of them, since only the compiler knows the difference. */
export function relationKit<R>(): RelationKit<R> {
  return kit as unknown as RelationKit<R>
}

/** The declaration has every option; the compiler is shown those of the kind. */
function declared<Typed>(kind: RelationKind, types: readonly string[]): Typed {
  const targets: readonly string[] = Array.isArray(types) ? types : [types as unknown as string]
  return relationOf(kind, targets) as unknown as Typed
}
