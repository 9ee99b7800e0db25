import type { CustomSort, SortSpec } from './sort-spec.js'

/** A declared sort is its own specification: it has no refinements. */
export type SortDeclaration = SortSpec

/** What `sort` may name besides the sortable attributes. */
export interface SortKit<Target extends string> {
  /** By an attribute or column; without one, by what the key names. */
  field(target?: Target): SortDeclaration
  /** By an attribute at the end of a chain of to-one relations: `artist.name`. */
  through(path?: string): SortDeclaration
  /** An order of the author's own. */
  custom(custom: CustomSort): SortDeclaration
}

const kit: SortKit<string> = Object.freeze<SortKit<string>>({
  field: (target) => Object.freeze({ kind: 'field', column: target ?? null }),
  through: (path) => Object.freeze({ kind: 'through', path: path ?? null }),
  custom: (custom) => Object.freeze({ kind: 'custom', custom: Object.freeze({ ...custom }) }),
})

/** The kit for a type's targets: one object for all of them, since only the compiler knows the difference. */
export function sortKit<Target extends string>(): SortKit<Target> {
  return kit
}
