import type { Awaitable } from '../../../core/util/types.js'
import type { RowObject } from './field-spec.js'
import type { RequestContext } from '../request/request-context.js'

/** A resource object from the client, already checked to be well-formed: an argument of a {@link Hydrator}. */
export interface IncomingResource {
  /** The client-generated id; `null` if the type does not accept one, or the client sent none. */
  readonly id: string | null
  readonly attributes: Readonly<Record<string, unknown>>
}

/**
 * Converts the id and the attributes of a request body to the columns to set.
 *
 * @example
 * ```ts
 * const countryHydrator: Hydrator<{ code: string; name: string }> = {
 *   hydrate: ({ id, attributes }) => ({ ...(id === null ? {} : { code: id }), name: String(attributes['name']) }),
 * }
 * ```
 */
export interface Hydrator<Row = RowObject> {
  /** `row` is the stored row; `null` on create. Call `fail()` to refuse invalid input of the client. */
  hydrate(incoming: IncomingResource, row: Row | null, context: RequestContext): Awaitable<Readonly<Partial<Row>>>
}

export function isHydrator(value: unknown): value is Hydrator {
  return typeof value === 'object' && value !== null && 'hydrate' in value && typeof value.hydrate === 'function'
}
