import { fail } from '../errors/json-api-error.js'

/** One `name=value` of a query string. `filter[rating][min]=3` has the path `['filter', 'rating', 'min']`. */
export interface QueryPair {
  /** The whole name, decoded, brackets included. */
  readonly name: string
  /** The family, then what stands in each pair of brackets; `[]` is the empty string. */
  readonly path: readonly [family: string, ...keys: string[]]
  readonly value: string
}

/** In the order sent. A list and not an object, so that no name a client chooses can reach a prototype. */
export type QueryPairs = readonly QueryPair[]

const DEEPEST_BRACKETS = 16

/**
 * Splits a raw query string (without its `?`) into decoded pairs. `+` is a space, brackets may be percent-encoded, empty
 * pairs are skipped and a pair without `=` has an empty value. What a family means is not known here.
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
  // Garbage in a page is never an error: it stands for itself, and is no number and no cursor.
  const garbage = (): string => (path[0] === 'page' ? rawValue : malformed(rawFamily(rawName)))
  return { name, path, value: storable(decoded(rawValue)) ?? garbage() }
}

/** No database takes U+0000 in a text, so that nothing is called by it, or holds it. */
function storable(text: string | null): string | null {
  return text === null || text.includes('\u0000') ? null : text
}

/** `null` for what is not percent-encoded text. */
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
  if (keys.length > DEEPEST_BRACKETS) {
    fail(
      'LIMIT_EXCEEDED',
      { limit: DEEPEST_BRACKETS, subject: 'brackets in the name of a query parameter' },
      { source: { parameter: familyOrName(family, name) } },
    )
  }
  return [family, ...keys]
}

/** The family of a name that cannot be decoded as a whole. */
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
