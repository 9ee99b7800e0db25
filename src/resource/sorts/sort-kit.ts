import type { Suggestion } from '../../util/suggestion.js'
import type { CustomSort, SortSpec } from './sort-spec.js'

/** A sort, as a {@link SortKit} creates it. It is its own specification, because sorts have no modifiers. */
export type SortDeclaration = SortSpec

/** Marks, for the compiler only, a sort whose key in `sorts` names the attribute or column. */
declare const targetsKey: unique symbol

/** A sort without a target, as a {@link SortKit} creates it. `defineResource` checks its key. */
export type SortByKey = SortDeclaration & { readonly [targetsKey]: true }

/** The sorts themselves if the keys of those without a target are names of the type, else a compiler message. */
export type CheckedSorts<Names extends string, Sorts> = {
  readonly [Key in keyof Sorts]: Sorts[Key] extends SortByKey
    ? Key extends Names
      ? Sorts[Key]
      : `No attribute and no column '${Key & string}': correct the key, or name the target, as in s.field('…').`
    : Sorts[Key]
}

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
  field<Given extends readonly [target?: Target]>(
    ...target: Given
  ): Given extends readonly [] ? SortByKey : SortDeclaration
  /** Sorts by an attribute at the end of a path of to-one relations: `artist.name`. */
  through(path?: Suggestion<`${Relation}.id`>): SortDeclaration
  /** A user-defined order. */
  custom(custom: CustomSort): SortDeclaration
}

const kit = Object.freeze({
  field: (target?: string) => Object.freeze({ kind: 'field', column: target ?? null }),
  through: (path?: string) => Object.freeze({ kind: 'through', path: path ?? null }),
  custom: (custom: CustomSort) => Object.freeze({ kind: 'custom', custom: Object.freeze({ ...custom }) }),
})

/** Returns the kit for the targets of a type. All types share one object, because they differ for the compiler only. */
export function sortKit<Target extends string>(): SortKit<Target> {
  return kit as SortKit<Target>
}
