import { fail } from '../../core/errors/json-api-error.js'

/** One `name=value` of a query string. `filter[rating][min]=3` has the path `['filter', 'rating', 'min']`. */
export interface QueryPair {
  /** The decoded name with its brackets. */
  readonly name: string
  /** The family, then the content of each pair of brackets; `[]` is the empty string. */
  readonly path: readonly [family: string, ...keys: string[]]
  readonly value: string
}

/**
 * The pairs in the order sent. It is a list and not an object, so that a client cannot name a member of a prototype.
 */
export type QueryPairs = readonly QueryPair[]

const MAX_BRACKETS = 16

/**
 * Splits a raw query string (without its `?`) into decoded pairs. `+` is a space, brackets may be percent-encoded,
 * empty pairs are skipped, and a pair without `=` has an empty value. It does not interpret the families.
 */
export function parseQueryString(raw: string): QueryPairs {
  const pairs: QueryPair[] = []
  if (raw === '') return pairs
  for (const text of raw.split('&')) {
    if (text !== '') pairs.push(parsePair(text))
  }
  return pairs
}

function parsePair(text: string): QueryPair {
  const equals = text.indexOf('=')
  const rawName = equals === -1 ? text : text.slice(0, equals)
  const name = storable(decoded(rawName)) ?? malformed(rawFamily(rawName))
  const path = parsePath(name)
  const rawValue = equals === -1 ? '' : text.slice(equals + 1)
  // An undecodable page parameter is not an error here. Its raw value is neither a number nor a cursor, and is handled
  // as such.
  const undecodable = (): string => (path[0] === 'page' ? rawValue : malformed(rawFamily(rawName)))
  return { name, path, value: storable(decoded(rawValue)) ?? undecodable() }
}

/** Returns `null` for text with U+0000. Databases do not accept it, so no name and no stored value can contain it. */
function storable(text: string | null): string | null {
  return text === null || text.includes('\u0000') ? null : text
}

/** Decodes percent-encoding. Returns `null` if it is malformed. */
function decoded(text: string): string | null {
  if (!text.includes('%') && !text.includes('+')) return text
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return null
  }
}

function parsePath(name: string): QueryPair['path'] {
  const open = name.indexOf('[')
  if (open === -1) return name.includes(']') ? malformed(name) : [name]
  const family = name.slice(0, open)
  if (family.includes(']') || !name.endsWith(']')) malformed(familyOrName(family, name))
  const keys = name.slice(open + 1, -1).split('][')
  if (keys.some((key) => key.includes('[') || key.includes(']'))) malformed(familyOrName(family, name))
  if (keys.length > MAX_BRACKETS) {
    fail(
      'LIMIT_EXCEEDED',
      { limit: MAX_BRACKETS, subject: 'brackets in the name of a query parameter' },
      { source: { parameter: familyOrName(family, name) } },
    )
  }
  return [family, ...keys]
}

/** Returns the family of a name that cannot be decoded. */
function rawFamily(rawName: string): string {
  const family = /^(?:(?!%5B)[^[])*/i.exec(rawName)?.[0] ?? ''
  return familyOrName(family, rawName)
}

function familyOrName(family: string, name: string): string {
  return family === '' ? name : family
}

function malformed(parameter: string): never {
  fail('QUERY_PARAM_MALFORMED', { param: parameter }, { source: { parameter } })
}
