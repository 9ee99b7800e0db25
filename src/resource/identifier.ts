/** A resource identifier object in linkage. */
export interface Identifier {
  readonly type: string
  readonly id: string
  readonly meta: Readonly<Record<string, unknown>> | null
}
