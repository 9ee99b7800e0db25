import type { Caller } from '../resource/capabilities/registered.js'

/**
 * A question about access, for `server.explain()`.
 *
 * @example
 * ```ts
 * const question: AccessQuestion = { as: { id: 2, admin: false }, type: 'albums', ability: 'update', id: '1' }
 * ```
 */
export interface AccessQuestion {
  /** The caller; `null` for nobody. */
  readonly as: Caller
  readonly type: string
  /** `viewAny`, `view`, `create`, `update`, `delete`, `restore`, `forceDelete`, or a further ability of the policy. */
  readonly ability: string
  /**
   * An attribute or a relation. Then `ability` is `view` or `update`: whether the field is shown, or a relation can be read at
   * its URL; and whether it can be changed.
   */
  readonly field?: string
  /** The resource. Without one, a rule about rows is described, but not checked. */
  readonly id?: string
  /** The name of the server. Default: `default`. */
  readonly server?: string
}

/**
 * What the policy of a type decides, and why, as `server.explain()` returns it.
 *
 * @example
 * ```ts
 * const { permitted, reasons } = await server.explain({ as: null, type: 'albums', ability: 'viewAny' })
 * if (!permitted) console.log(reasons.join('\n'))
 * ```
 */
export interface AccessExplanation {
  readonly permitted: boolean
  /** The status of the response; `null` if the policy permits the request, or only leaves an attribute out. */
  readonly status: 401 | 403 | 404 | null
  /** What was asked, in the order of the request. The last one has decided. They have no values of rows. */
  readonly reasons: readonly string[]
}
