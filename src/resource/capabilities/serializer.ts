import type { JsonValue } from '../../util/types.js'
import type { RowObject } from '../fields/field-spec.js'
import type { RequestContext } from '../request-context.js'

/** What a serializer makes of an object. */
export interface SerializedResource {
  readonly id: string
  readonly attributes?: Readonly<Record<string, unknown>>
  readonly links?: Readonly<Record<string, JsonValue>>
  readonly meta?: Readonly<Record<string, unknown>>
}

/**
 * The read wire shape of a type, where its declared attributes are not to say it.
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
  /** The attributes it may render: the only ones a fieldset may name. */
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
