import type { Awaitable } from '../../util/types.js'
import type { RowObject } from '../fields/field-spec.js'
import type { RequestContext } from '../request-context.js'

/** What a client sent, found to be a well-formed resource object. */
export interface IncomingResource {
  /** The client's id, where the type accepts one. */
  readonly id: string | null
  readonly attributes: Readonly<Record<string, unknown>>
}

/** The write wire shape of a type: id and attributes of the body to the columns to set. */
export interface Hydrator<Row = RowObject> {
  /** `row` is what is stored, `null` on create. A client's mistake is answered with `fail()`. */
  hydrate(incoming: IncomingResource, row: Row | null, context: RequestContext): Awaitable<Readonly<Partial<Row>>>
}

export function isHydrator(value: unknown): value is Hydrator {
  return typeof value === 'object' && value !== null && 'hydrate' in value && typeof value.hydrate === 'function'
}
