import { fail } from '../../core/errors/json-api-error.js'
import { isPlainObject } from '../../core/util/deep-freeze.js'
import { requireParameters } from '../parse/query-body.js'
import type { QueryPair } from '../parse/query-string.js'
import { pointerSegment, textOf } from './filter-tree.js'

/** The families whose value is a list of names. */
const listFamilies: ReadonlySet<string> = new Set(['include', 'sort', 'withCount'])

/** The families whose members are lists of names. */
const namedListFamilies: ReadonlySet<string> = new Set(['fields', 'withLinkage'])

/** A JSON query: its filters, and the pairs that the query string of its other members has. */
export interface JsonQuery {
  /** `undefined` if the query has none. */
  readonly filter: unknown
  readonly pairs: readonly QueryPair[]
}

/** Splits a JSON query into its filters and pairs. Its members are named after the families of query parameters. */
export function readJsonQuery(document: unknown, maxParameters: number): JsonQuery {
  if (document !== undefined && !isPlainObject(document)) unfit('', 'an object')
  const pairs: QueryPair[] = []
  for (const [family, value] of Object.entries(document ?? {})) {
    if (family !== 'filter') addPairs([family], value, { pairs, maxParameters })
  }
  return { filter: document?.['filter'], pairs }
}

interface Pairs {
  readonly pairs: QueryPair[]
  readonly maxParameters: number
}

function addPairs(path: QueryPair['path'], value: unknown, into: Pairs): void {
  const add = (at: QueryPair['path'], sent: string): void => {
    requireParameters(into.pairs.push(pair(at, sent)), into.maxParameters)
  }
  const [family, ...keys] = path
  const isList = keys.length === 0 ? listFamilies.has(family) : isNamedList(path)
  if (isList) return add(path, names(path, value).join(','))
  if (namedListFamilies.has(family) && !isPlainObject(value)) unfit(pointerOf(path), 'an object of lists')
  if (isPlainObject(value)) {
    for (const [key, each] of Object.entries(value)) addPairs([...path, key], each, into)
  } else if (Array.isArray(value)) {
    for (const each of value) add([...path, ''], text([...path, ''], each))
  } else add(path, text(path, value))
}

/** Whether a member below a family is a list of names: `fields` of a type, `sort` of a relationship. */
function isNamedList([family, ...keys]: QueryPair['path']): boolean {
  if (namedListFamilies.has(family)) return keys.length === 1
  return (family === 'relatedQuery' || family === 'rQ') && keys.length === 2 && keys[1] === 'sort'
}

function names(path: QueryPair['path'], value: unknown): readonly string[] {
  if (!Array.isArray(value)) return unfit(pointerOf(path), 'a list of strings')
  return value.map((each, index) => {
    const name = typeof each === 'string' ? textOf(each) : null
    return name === null || name.includes(',') ? unfit(`${pointerOf(path)}/${index}`, 'a name') : name
  })
}

function text(path: QueryPair['path'], value: unknown): string {
  return textOf(value) ?? unfit(pointerOf(path), 'a string, a number or a boolean')
}

function pair(path: QueryPair['path'], value: string): QueryPair {
  const [family, ...keys] = path
  return { name: `${family}${keys.map((key) => `[${key}]`).join('')}`, path, value }
}

function pointerOf(path: QueryPair['path']): string {
  return path.map((key) => `/${pointerSegment(key)}`).join('')
}

function unfit(pointer: string, expected: string): never {
  return fail('QUERY_MEMBER_INVALID', { expected }, { source: { pointer } })
}
