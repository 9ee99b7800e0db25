/**
 * Types that an application declares once for all its declarations, by declaration merging: `db`, the type of
 * `context.db`, and `caller`, the type of `context.caller`.
 *
 * @example
 * ```ts
 * import type { Kysely } from 'kysely'
 *
 * declare module 'ashlar' {
 *   interface Registered {
 *     db: Kysely<{ albums: { id: number; title: string } }>
 *     caller: { readonly id: number; readonly admin: boolean }
 *   }
 * }
 * ```
 */
export interface Registered {}

/** The type of `context.db`; `unknown` if the application did not declare it in `Registered`. */
export type RegisteredDatabase = Registered extends { readonly db: infer Database } ? Database : unknown

/**
 * The type of `context.caller`: what the application declared in `Registered`, or `null` for anonymous requests;
 * `unknown` if it declared nothing.
 *
 * @example
 * ```ts
 * const isSignedIn = (caller: Caller) => caller !== null
 * ```
 */
export type Caller = Registered extends { readonly caller: infer Registration } ? Registration | null : unknown
