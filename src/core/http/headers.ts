import { lruCache } from '../util/lru-cache.js'
import { memoize } from '../util/memoize.js'
import { inPrivate } from './cache-control.js'

/*
 * Headers of responses: lists of alternating names and values. Names are compared without regard to case, since middleware and
 * handlers of the application may spell them in any way. Functions that change a list get one that belongs to a single response.
 */

/** Returns the value of a header; `null` if the list does not contain it. */
export function headerOf(headers: readonly string[], name: string): string | null {
  const position = positionOf(headers, name)
  return position === -1 ? null : (headers[position + 1] ?? null)
}

/** Adds headers, unless the list already contains one of the same name. */
export function addMissing(headers: string[], added: readonly string[]): void {
  for (let at = 0; at + 1 < added.length; at += 2) {
    const [name = '', value = ''] = [added[at], added[at + 1]]
    if (positionOf(headers, name) === -1) headers.push(name, value)
  }
}

/** Adds names of request headers to `Vary`. */
export function addVary(headers: string[], names: readonly string[]): void {
  if (names.length === 0) return
  const position = positionOf(headers, 'Vary')
  if (position === -1) {
    headers.push('Vary', names.join(', '))
    return
  }
  const value = headers[position + 1] ?? ''
  if (value === '*') return
  const known = valuesWith(names)
  let added = known.get(value)
  if (added === undefined) {
    added = withNames(names, value)
    known.set(value, added)
  }
  headers[position + 1] = added
}

/** Keeps shared caches from storing a response, unless its `Cache-Control` says more. */
export function makePrivate(headers: string[]): void {
  const position = positionOf(headers, 'Cache-Control')
  if (position === -1) headers.push('Cache-Control', 'private')
  else headers[position + 1] = inPrivate(headers[position + 1] ?? '')
}

/** Returns the headers of a response without a body: without those that describe the body. */
export function withoutBodyHeaders(headers: readonly string[]): readonly string[] {
  return headers.filter((_, index) => !describesBody(headers[index - (index % 2)] ?? ''))
}

function describesBody(name: string): boolean {
  return /^content-(?!location$)/i.test(name)
}

function positionOf(headers: readonly string[], name: string): number {
  for (let position = 0; position < headers.length; position += 2) {
    const other = headers[position] ?? ''
    if (other === name) return position
    // Most names have the usual spelling, and most others another length.
    if (other.length === name.length && other.toLowerCase() === name.toLowerCase()) return position
  }
  return -1
}

/** The values of `Vary` with a list of names added: responses have only a few, and the lists are those of the build. */
const valuesWith = memoize((_names: readonly string[]) => lruCache<string, string>(100))

function withNames(names: readonly string[], value: string): string {
  const known = value.toLowerCase().split(', ')
  return [value, ...names.filter((name) => !known.includes(name.toLowerCase()))].join(', ')
}
