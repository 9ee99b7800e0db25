/** The ability that each operation requires; enforced by the access rules. */
export interface Abilities {
  readonly FetchCollection?: string | boolean
  readonly FetchOne?: string | boolean
  readonly Create?: string | boolean
  readonly Update?: string | boolean
  readonly Delete?: string | boolean
}
