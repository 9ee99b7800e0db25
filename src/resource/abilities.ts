/**
 * The ability that each operation of a type requires. The server does not enforce it yet, so the build refuses it.
 *
 * @example
 * ```ts
 * const abilities: Abilities = { FetchOne: false, Create: 'edit-albums', Delete: 'edit-albums' }
 * ```
 */
export interface Abilities {
  readonly FetchCollection?: string | boolean
  readonly FetchOne?: string | boolean
  readonly Create?: string | boolean
  readonly Update?: string | boolean
  readonly Delete?: string | boolean
}
