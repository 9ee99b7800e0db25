import type { Suggestion } from '../../../core/util/suggestion.js'
import type { DeprecationOptions } from '../parts/deprecation.js'
import { deprecationOf } from '../parts/deprecation.js'
import type { UseCondition } from '../request/use-guard.js'
import { givenCondition } from '../request/use-guard.js'
import type { CustomSort, SortSpec } from './sort-spec.js'
import { sortBy } from './sort-spec.js'

/** A sort, as a {@link SortKit} creates it. */
export class SortDeclaration {
  readonly spec: SortSpec

  constructor(spec: SortSpec) {
    this.spec = Object.freeze(spec)
    Object.freeze(this)
  }

  /**
   * Only requests that meet the condition may send the sort key. For all others it does not exist: 400, and no error
   * lists it. `defaultSort` may name it for everybody.
   */
  usableIf(condition: UseCondition): this {
    return new SortDeclaration({ ...this.spec, usableIf: givenCondition(condition) }) as this
  }

  /** Clients should no longer send the sort key. It works as before. */
  deprecated(options: DeprecationOptions = {}): this {
    return new SortDeclaration({ ...this.spec, deprecation: deprecationOf(options) }) as this
  }
}

/** Marks, for the compiler only, a sort whose key in `sorts` names the attribute or column. */
declare const targetsKey: unique symbol

/** A sort without a target, as a {@link SortKit} creates it. `defineResource` checks its key. */
export interface SortByKey extends SortDeclaration {
  readonly [targetsKey]: true
}

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
  /** Sorts by how well the filter of this key, a `search()`, finds rows: `sort=-relevance`. Requests must have the filter. */
  relevance(filter: string): SortDeclaration
  /** A user-defined order. */
  custom(custom: CustomSort): SortDeclaration
}

const kit = Object.freeze({
  field: (target?: string) => new SortDeclaration(sortBy({ kind: 'field', column: target ?? null })),
  through: (path?: string) => new SortDeclaration(sortBy({ kind: 'through', path: path ?? null })),
  relevance: (filter: string) => new SortDeclaration(sortBy({ kind: 'relevance', filter })),
  custom: (custom: CustomSort) => new SortDeclaration(sortBy({ kind: 'custom', custom: Object.freeze({ ...custom }) })),
} satisfies Readonly<Record<keyof SortKit<string>, (...values: never[]) => SortDeclaration>>)

/** Returns the kit for the targets of a type. All types share one object, because they differ for the compiler only. */
export function sortKit<Target extends string>(): SortKit<Target> {
  return kit as SortKit<Target>
}
