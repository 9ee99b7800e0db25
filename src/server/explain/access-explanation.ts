import type { Caller } from '../../declare/resource/request/registered.js'

/**
 * A question about access, for `server.explain()`.
 *
 * @example
 * ```ts
 * const question = { as: { id: 2, admin: false }, type: 'albums', ability: 'update', id: '1' }
 * ```
 */
export interface AccessQuestion {
  /** The caller; `null` for an anonymous request. */
  readonly as: Caller
  readonly type: string
  /**
   * `viewAny`, `view`, `create`, `update`, `delete`, `restore`, `forceDelete`, or a further ability of the policy. `filter`, `sort` and
   * `include` are questions about the keys that clients may use, unless the policy has an ability of this name, and `field` is left out.
   */
  readonly ability: string
  /**
   * An attribute or a relation, if `ability` is `view` or `update`: whether the field is shown, or a relation can be read at
   * its URL; and whether it can be changed. A filter, a sort or an include path, if `ability` is `filter`, `sort` or `include`.
   */
  readonly field?: string
  /** The relation at whose addresses the filter or the sort is used. Default: the collection of the type. */
  readonly relation?: string
  /** The resource. Without one, a rule about rows is described, but not checked. */
  readonly id?: string
  /** The name of the server. Default: `default`. */
  readonly server?: string
}

/**
 * The decision of the policy of a type with its reasons, as `server.explain()` returns it.
 *
 * @example
 * ```ts
 * const { permitted, reasons } = await server.explain({ as: null, type: 'albums', ability: 'viewAny' })
 * if (!permitted) console.log(reasons.join('\n'))
 * ```
 */
export interface AccessExplanation {
  readonly permitted: boolean
  /**
   * The status of the response; `null` if the policy permits the request, or only leaves an attribute out. 400 for a filter, a sort or an
   * include path that is unknown to the caller.
   */
  readonly status: 400 | 401 | 403 | 404 | null
  /** The checks in the order of the request. The last one has decided. They contain no values of rows. */
  readonly reasons: readonly string[]
  /** All filters, sorts or include paths, if the question names none of them. */
  readonly keys?: readonly ExplainedKey[]
}

/** A filter, a sort or an include path in an {@link AccessExplanation}. */
export interface ExplainedKey {
  readonly key: string
  readonly permitted: boolean
  readonly reasons: readonly string[]
}
