import type { Deprecation } from '../../declare/resource/parts/deprecation.js'
import type { JsonSchema } from '../../declare/resource/parts/json-schema.js'

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
