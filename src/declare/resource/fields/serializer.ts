import { isPlainObject } from '../../../core/util/deep-freeze.js'
import type { JsonValue } from '../../../core/util/types.js'
import type { RowObject } from './field-spec.js'
import type { JsonSchema } from '../parts/json-schema.js'
import type { RequestContext } from '../request/request-context.js'

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
 * const countrySerializer = {
 *   members: { name: { type: 'string' }, languages: { type: 'array', items: { type: 'string' } } },
 *   serialize: (row) => ({ id: String(row.code), attributes: { name: row.name, languages: row.languages } }),
 * } as const satisfies Serializer
 * ```
 */
export interface Serializer<Row = RowObject> {
  /**
   * The attributes that the serializer may render: their names, or a JSON Schema for each, which API contracts have. Attributes that are only
   * named have the type of the declared attribute, or an unknown one. Other attributes that the serializer returns are left out, as are those
   * that a sparse fieldset does not name. A sparse fieldset may name these and the declared fields. If one of them is also a declared attribute,
   * modifiers such as `hidden()` apply to it.
   */
  readonly members: readonly string[] | Readonly<Record<string, JsonSchema>>
  serialize(row: Row, context: RequestContext): SerializedResource
}

/** A serializer of a type that is served. */
export interface ServedSerializer {
  readonly members: readonly string[]
  /** The schemas of members that have one. */
  readonly schemas: ReadonlyMap<string, JsonSchema>
  serialize(row: RowObject, context: RequestContext): SerializedResource
}

export function servedSerializer(serializer: Serializer): ServedSerializer {
  const { members } = serializer
  return Object.freeze({
    members: isNames(members) ? members : Object.keys(members),
    schemas: new Map(isNames(members) ? [] : Object.entries(members)),
    serialize: (row: RowObject, context: RequestContext) => serializer.serialize(row, context),
  })
}

function isNames(members: Serializer['members']): members is readonly string[] {
  return Array.isArray(members)
}

export function isSerializer(value: unknown): value is Serializer {
  return (
    typeof value === 'object' &&
    value !== null &&
    'serialize' in value &&
    typeof value.serialize === 'function' &&
    'members' in value &&
    (Array.isArray(value.members) || isPlainObject(value.members))
  )
}
