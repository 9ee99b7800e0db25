/**
 * A JSON Schema (2020-12) object. Declarations write only some of its keywords.
 *
 * @example
 * ```ts
 * const isrc = { pattern: '^[A-Z]{2}[A-Z0-9]{3}[0-9]{7}$' }
 * const code = rule.shape(isrc)
 * ```
 */
export type JsonSchema = { readonly [keyword: string]: unknown }
