/** Lower-case words joined by single hyphens. */
export const slugPattern = '^[a-z0-9]+(?:-[a-z0-9]+)*$'

/** 26 characters of Crockford's base 32, the first small enough for 128 bits. */
export const ulidPattern = '^[0-7][0-9A-HJKMNP-TV-Za-hjkmnp-tv-z]{25}$'

export const uuidPattern = '^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$'

/** The source of an expression; JSON Schema has no flags. */
export function sourceOf(expression: RegExp | string): string {
  return typeof expression === 'string' ? expression : expression.source
}

/** The expression as one that must match the whole text. */
export function wholePattern(expression: string): string {
  const inner = expression.replace(/^\^/, '').replace(/(?<!\\)\$$/, '')
  return `^(?:${inner})$`
}
