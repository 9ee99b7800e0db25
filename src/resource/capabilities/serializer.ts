import type { JsonValue } from '../../util/types.js'
import type { RowObject } from '../fields/field-spec.js'
import type { RequestContext } from '../request-context.js'

/** The resource object that a {@link Serializer} returns, without its type and relationships. */
export interface SerializedResource {
  readonly id: string
  readonly attributes?: Readonly<Record<string, unknown>>
  readonly links?: Readonly<Record<string, JsonValue>>
  readonly meta?: Readonly<Record<string, unknown>>
}

/**
 * Renders the rows of a type, instead of its declared attributes.
 *
 * @example
 * ```ts
 * const countrySerializer: Serializer = {
 *   members: ['name'],
 *   serialize: (row) => ({ id: String(row.code), attributes: { name: row.name } }),
 * }
 * ```
 */
export interface Serializer<Row = RowObject> {
  /**
   * The attributes that the serializer may render. Other attributes that it returns are left out, as are those that a
   * sparse fieldset does not name. A sparse fieldset may name these and the declared fields. If one of them is also a
   * declared attribute, modifiers such as `hidden()` apply to it.
   */
  readonly members: readonly string[]
  serialize(row: Row, context: RequestContext): SerializedResource
}

export function isSerializer(value: unknown): value is Serializer {
  return (
    typeof value === 'object' &&
    value !== null &&
    'serialize' in value &&
    typeof value.serialize === 'function' &&
    'members' in value &&
    Array.isArray(value.members)
  )
}
