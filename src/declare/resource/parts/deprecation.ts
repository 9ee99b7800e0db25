/**
 * The options of `deprecated()`, and of `deprecated` of an action.
 *
 * @example
 * ```ts
 * const options = { sunset: '2027-06-30', note: 'Use `title`.' }
 * const attributes = (a: AttributeKit<{ title: string; name: string }>) => ({
 *   title: a.string(),
 *   name: a.string().deprecated(options),
 * })
 * ```
 */
export interface DeprecationOptions {
  /** The first day on which it may be removed: `2027-06-30`. Default: not set. */
  readonly sunset?: string
  /** A sentence about it, such as the name of its replacement. Markdown. */
  readonly note?: string
}

/** Marks a part of the service that clients should no longer use. It works as before. */
export interface Deprecation {
  /** A date as ISO 8601 writes it; `null` if none is set. */
  readonly sunset: string | null
  readonly note: string | null
}

/** Returns a deprecation as declared. The build rule deprecations reports invalid members. */
export function deprecationOf(options: DeprecationOptions | true): Deprecation {
  const given: unknown = options
  if (given === true) return none
  const members = typeof given === 'object' && given !== null ? given : { sunset: given }
  return Object.freeze({ ...none, ...members })
}

const none: Deprecation = Object.freeze({ sunset: null, note: null })
