import type { CompiledType } from '../../declare/resource/compiled/compiled-type.js'
import type { Deprecation } from '../../declare/resource/parts/deprecation.js'
import type { JsonSchema } from '../../declare/resource/parts/json-schema.js'
import type { Api } from './described-server.js'

/** Returns the members that mark operations, parameters and schemas as deprecated, with the date of their end. */
export function deprecatedMembers(deprecation: Deprecation | null): JsonSchema {
  if (deprecation === null) return {}
  return { deprecated: true, ...(deprecation.sunset === null ? {} : { 'x-sunset': deprecation.sunset }) }
}

/** Returns a sentence for descriptions; none if nothing is deprecated. */
export function deprecationNotes(deprecation: Deprecation | null): readonly string[] {
  if (deprecation === null) return []
  const { sunset, note } = deprecation
  const end = sunset === null ? 'Deprecated.' : `Deprecated, and may be removed from ${sunset} on.`
  return [note === null ? end : `${end} ${note}`]
}

/**
 * Returns the members that mark the operations of a type as deprecated, like the headers of its responses.
 *
 * @param type `null` for operations that belong to no type
 */
export function deprecatedByHeaders({ server }: Api, type: CompiledType | null): JsonSchema {
  const headers = type === null ? server.headersOfServer : server.headersOf(type).always
  const sunset = dateIn(headers[headers.indexOf('Sunset') + 1], headers.includes('Sunset'))
  return {
    ...(headers.includes('Deprecation') ? { deprecated: true } : {}),
    ...(sunset === null ? {} : { 'x-sunset': sunset }),
  }
}

/** Returns the date of a header as ISO 8601; `null` if its text is not a date, since the application may set any text. */
function dateIn(text: string | undefined, isGiven: boolean): string | null {
  const date = new Date(isGiven && text !== undefined ? text : Number.NaN)
  return Number.isNaN(date.getTime()) ? null : date.toISOString().replace('.000Z', 'Z')
}
