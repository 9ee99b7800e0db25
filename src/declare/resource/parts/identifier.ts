/**
 * A resource identifier object in linkage.
 *
 * @example
 * ```ts
 * const artist: Identifier = { type: 'artists', id: '1', meta: null }
 * ```
 */
export interface Identifier {
  readonly type: string
  readonly id: string
  readonly meta: Readonly<Record<string, unknown>> | null
}
