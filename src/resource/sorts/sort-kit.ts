import type { Suggestion } from '../../util/suggestion.js'
import type { CustomSort, SortSpec } from './sort-spec.js'

/** A sort, as a {@link SortKit} creates it. It is its own specification, because sorts have no modifiers. */
export type SortDeclaration = SortSpec

/**
 * The functions that declare sorts, in addition to the sortable attributes: the argument of `sorts`.
 *
 * @example
 * ```ts
 * const sorts = (s: SortKit<'title' | 'year'>) => ({ age: s.field('year'), artist: s.through('artist.name') })
 * ```
 */
export interface SortKit<Target extends string, Relation extends string = string> {
  /** Sorts by an attribute or column. Without a target, the key names it. */
  field(target?: Target): SortDeclaration
  /** Sorts by an attribute at the end of a path of to-one relations: `artist.name`. */
  through(path?: Suggestion<`${Relation}.id`>): SortDeclaration
  /** A user-defined order. */
  custom(custom: CustomSort): SortDeclaration
}

const kit: SortKit<string> = Object.freeze<SortKit<string>>({
  field: (target) => Object.freeze({ kind: 'field', column: target ?? null }),
  through: (path) => Object.freeze({ kind: 'through', path: path ?? null }),
  custom: (custom) => Object.freeze({ kind: 'custom', custom: Object.freeze({ ...custom }) }),
})

/** Returns the kit for the targets of a type. All types share one object, because they differ for the compiler only. */
export function sortKit<Target extends string>(): SortKit<Target> {
  return kit
}
