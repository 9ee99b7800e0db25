import type { JsonObject } from './json.js'
import { textIn } from './json.js'

/** A deprecation in a document. */
export interface StatedDeprecation {
  /** A date or an instant in ISO 8601; `null` if none is set. */
  readonly sunset: string | null
}

/** Returns the deprecation of an operation, a parameter or a schema; `null` if it has none. */
export function deprecationOf(described: JsonObject): StatedDeprecation | null {
  const sunset = dateIn(described['x-sunset'])
  return described['deprecated'] === true || sunset !== null ? { sunset } : null
}

/** Returns the deprecations of sort keys by key, which the parameter `sort` lists. */
export function deprecationsIn(listed: JsonObject): ReadonlyMap<string, StatedDeprecation> {
  return new Map(Object.entries(listed).map(([key, sunset]) => [key, { sunset: dateIn(sunset) }]))
}

function dateIn(value: unknown): string | null {
  const text = textIn(value)
  return text === null || Number.isNaN(Date.parse(text)) ? null : text
}
