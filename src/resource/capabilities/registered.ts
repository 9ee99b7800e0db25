/**
 * What a program says of itself once, for all its declarations: `db`, the type of `context.db`.
 *
 * @example
 * ```ts
 * import type { Kysely } from 'kysely'
 *
 * declare module 'ashlar' {
 *   interface Registered {
 *     db: Kysely<{ albums: { id: number; title: string } }>
 *   }
 * }
 * ```
 */
export interface Registered {}

/** The database of a request as the program has said it; `unknown` where it has said nothing. */
export type RegisteredDatabase = Registered extends { readonly db: infer Database } ? Database : unknown
