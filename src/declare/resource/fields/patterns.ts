import type { DeclarationFault } from '../parts/declaration-fault.js'

/** Lower-case words joined by single hyphens. */
export const slugPattern = '^[a-z0-9]+(?:-[a-z0-9]+)*$'

/** 26 characters of Crockford's base 32. The first is at most 7, so that the value fits into 128 bits. */
export const ulidPattern = '^[0-7][0-9A-HJKMNP-TV-Za-hjkmnp-tv-z]{25}$'

export const uuidPattern = '^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$'

/**
 * Returns the source of a regular expression without its flags, because JSON Schema has no flags. A value that cannot
 * be a pattern is returned unchanged, so that the build reports it.
 */
export function patternSource(expression: RegExp | string): string {
  if (typeof expression === 'string') return expression
  return patternFault(expression, 'pattern()') === null ? expression.source : (expression as unknown as string)
}

/** Returns a fault if an expression cannot be a pattern of JSON Schema, which has no flags. */
export function patternFault(expression: unknown, modifier: string): DeclarationFault | null {
  if (typeof expression === 'string') return null
  if (!(expression instanceof RegExp)) {
    return {
      problem: `${modifier} was given no regular expression`,
      remedy: `give one: ${modifier.slice(0, -1)}/[a-z]+/)`,
    }
  }
  const unsupported = expression.flags
    .split('')
    .filter((flag) => 'imsvy'.includes(flag) || (flag === 'u' && needsUnicode(expression)))
  if (unsupported.length === 0) return null
  return {
    problem: `${modifier} was given ${String(expression)}, whose flags JSON Schema does not support (${unsupported.join('')})`,
    remedy: 'write it without flags, such as [Aa] for a letter of either case',
  }
}

/** Returns whether an expression has another meaning without its `u` flag. */
function needsUnicode({ source }: RegExp): boolean {
  return /\\[pPu]\{/.test(source)
}

/** Returns a fault for a UUID version that does not exist: https://www.rfc-editor.org/rfc/rfc9562#section-4.2 */
export function uuidVersionFault(version: unknown): DeclarationFault | null {
  if (version === undefined) return null
  const remedy = 'use a version from 1 to 8'
  if (typeof version !== 'number') return { problem: 'the UUID version is not a number', remedy }
  const known = Number.isInteger(version) && version >= 1 && version <= 8
  return known ? null : { problem: `there is no UUID version ${version}`, remedy }
}

/** Returns the expression with anchors, so that it must match the whole text. */
export function anchoredPattern(expression: string): string {
  const inner = expression.replace(/^\^/, '').replace(/(?<!\\)\$$/, '')
  return `^(?:${inner})$`
}
