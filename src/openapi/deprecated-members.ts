import type { CompiledType } from '../resource/compiled-type.js'
import type { Deprecation } from '../resource/deprecation.js'
import type { JsonSchema } from '../resource/json-schema.js'
import type { Api } from './described-server.js'

/** Returns the members by which operations, parameters and schemas say that they are deprecated, and when they end. */
export function deprecatedMembers(deprecation: Deprecation | null): JsonSchema {
  if (deprecation === null) return {}
  return { deprecated: true, ...(deprecation.sunset === null ? {} : { 'x-sunset': deprecation.sunset }) }
}

/** Returns a sentence for descriptions; none if nothing is deprecated. */
export function deprecationNotes(deprecation: Deprecation | null): readonly string[] {
  if (deprecation === null) return []
  const { sunset, note } = deprecation
  const end = sunset === null ? 'Deprecated.' : `Deprecated, and may be gone from ${sunset} on.`
  return [note === null ? end : `${end} ${note}`]
}

/**
 * Returns the members by which the operations of a type say that they are deprecated, as the headers of its responses do.
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

/** The header has any text that the application has given. */
function dateIn(text: string | undefined, isGiven: boolean): string | null {
  const date = new Date(isGiven && text !== undefined ? text : Number.NaN)
  return Number.isNaN(date.getTime()) ? null : date.toISOString().replace('.000Z', 'Z')
}
