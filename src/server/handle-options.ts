import type { Caller } from '../resource/capabilities/registered.js'

/**
 * The options of `server.handle()`.
 *
 * @example
 * ```ts
 * const asAlice: HandleOptions = { caller: { id: 1, admin: false } }
 * ```
 */
export interface HandleOptions {
  /**
   * The caller; `null` for nobody. Credentials of the request are ignored then: `authenticate()` trusts the application.
   * All other middleware runs.
   */
  readonly caller?: Caller
}
