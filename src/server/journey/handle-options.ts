import type { Caller } from '../../declare/resource/request/registered.js'

/**
 * The options of `server.handle()`.
 *
 * @example
 * ```ts
 * const asAlice = { caller: { id: 1, admin: false } }
 * ```
 */
export interface HandleOptions {
  /**
   * The caller; `null` for an anonymous caller. If it is set, credentials of the request are ignored: `authenticate()` trusts
   * the application. All other middleware runs.
   */
  readonly caller?: Caller
  /**
   * The request headers by which the application finds the caller. Responses name them in `Vary`, and are private. Default:
   * `Authorization` and `Cookie` if `caller` is set.
   */
  readonly callerHeaders?: readonly string[]
  /**
   * The name of a server with `routing: 'manual'` whose routes the application has placed in a group of its router. The path of the
   * request begins after the group, and `prefix` is the path of the group. Default: all servers whose routing is automatic.
   */
  readonly server?: string
}
