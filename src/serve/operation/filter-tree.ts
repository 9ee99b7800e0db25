import { fail, failAll, JsonApiError, problem, type Problem } from '../../core/errors/json-api-error.js'
import { isPlainObject } from '../../core/util/deep-freeze.js'
import { requireParameters } from '../parse/query-body.js'
import { isStorableText } from '../../core/util/storable-text.js'
import type { FilterNode, FilterTree, FilterValue, QueryParameters } from './query-parameters.js'

/** The limits of the filters of a JSON query. */
export interface FilterTreeLimits {
  /** The maximum nesting of `and`, `or` and `not`. */
  readonly maxFilterDepth: number
  /** The maximum number of filters. */
  readonly maxFilterLeaves: number
}

interface ValueLimits extends FilterTreeLimits {
  /** The maximum number of values of one filter. */
  readonly maxFilterValues: number
  /** The maximum number of members of the objects that are values of filters: each is a parameter of a URL. */
  readonly maxParameters: number
}

/** Returns the keys of all filters of a query, also of those that are combined, and the operators that combine them. */
export function filteredKeys({
  filter,
  filterTree,
}: Pick<QueryParameters, 'filter' | 'filterTree'>): readonly string[] {
  return filterTree === undefined ? [...filter.keys()] : [...filter.keys(), ...filterTree.keys]
}

interface TreeReader {
  readonly limits: ValueLimits
  readonly problems: Problem[]
  readonly keys: string[]
  /** The number of filters, and of empty objects and lists: the ends of the tree, so that their limit bounds its size. */
  leaves: number
  /** The number of members of the objects that are values. */
  parameters: number
}

/** The filters of a JSON query: those that a URL can express too, and the others. */
interface ReadFilters {
  readonly filter: ReadonlyMap<string, FilterValue>
  readonly filterTree: FilterTree
}

/**
 * Reads the member `filter` of a JSON query: an object of filters by key, which must all match, and of the operators `and`, `or` and
 * `not`. Reports all faults of the structure together.
 */
export function readFilterTree(value: unknown, limits: ValueLimits): ReadFilters {
  const reader: TreeReader = { limits, problems: [], keys: [], leaves: 0, parameters: 0 }
  const root = isPlainObject(value) ? membersOf(value, '/filter', 0, reader) : unfit(reader, '/filter', 'an object')
  if (reader.problems.length > 0) failAll(reader.problems)
  const plain = root.filter((node) => node.kind === 'filter')
  const nodes = root.filter((node) => node.kind !== 'filter')
  return {
    filter: new Map(plain.map(({ key, value: sent }) => [key, sent])),
    filterTree: { nodes, keys: [...nodes.map(({ pointer }) => pointer.slice('/filter/'.length)), ...reader.keys] },
  }
}

/** The maximum number of faults that are reported. */
const MAX_PROBLEMS = 100

/** Stops at the maximum, so that it limits the time too. */
function report({ problems }: TreeReader, each: Problem): void {
  problems.push(each)
  if (problems.length === MAX_PROBLEMS) failAll(problems)
}

function unfit(reader: TreeReader, pointer: string, expected: string): [] {
  report(reader, problem('QUERY_MEMBER_INVALID', { expected }, { source: { pointer } }))
  return []
}

/** Counts an end of the tree. */
function countLeaf(reader: TreeReader): void {
  const { maxFilterLeaves: limit } = reader.limits
  reader.leaves += 1
  if (reader.leaves <= limit) return
  fail('LIMIT_EXCEEDED', { limit, subject: 'filters in a query' }, { source: { pointer: '/filter' } })
}

/** Reads the members of an object of the tree, all of which must match. */
function membersOf(
  object: Readonly<Record<string, unknown>>,
  pointer: string,
  depth: number,
  reader: TreeReader,
): readonly FilterNode[] {
  return Object.entries(object).flatMap(([key, value]): readonly FilterNode[] => {
    const at = `${pointer}/${pointerSegment(key)}`
    switch (key) {
      case 'and':
      case 'or': {
        if (!Array.isArray(value)) return unfit(reader, at, 'a list of filter objects')
        if (value.length === 0) countLeaf(reader)
        const nodes = value.flatMap((each, index) => nested(each, `${at}/${index}`, depth + 1, reader))
        return [{ kind: key === 'and' ? 'all' : 'any', nodes, pointer: at }]
      }
      case 'not':
        return nested(value, at, depth + 1, reader).map((node) => ({ kind: 'not', node, pointer: at }))
      default: {
        countLeaf(reader)
        const sent = valueOf(value, at, reader)
        if (sent === null) return []
        if (depth > 0) reader.keys.push(key)
        return [{ kind: 'filter', key, value: sent, pointer: at }]
      }
    }
  })
}

/** Reads an object below an operator. An empty one matches everything, as a query without filters does. */
function nested(value: unknown, pointer: string, depth: number, reader: TreeReader): readonly FilterNode[] {
  const { maxFilterDepth: limit } = reader.limits
  if (depth > limit) {
    const details = { limit, subject: 'levels of and, or and not' }
    report(reader, problem('LIMIT_EXCEEDED', details, { source: { pointer } }))
    return []
  }
  if (!isPlainObject(value)) return unfit(reader, pointer, 'a filter object')
  const nodes = membersOf(value, pointer, depth, reader)
  if (nodes.length === 0) countLeaf(reader)
  const [only, ...others] = nodes
  return only !== undefined && others.length === 0 ? [only] : [{ kind: 'all', nodes, pointer }]
}

/** Returns a JSON value as the text, the list or the map that the same filter of a URL has; `null` if it has another form. */
function valueOf(value: unknown, pointer: string, reader: TreeReader): FilterValue | null {
  const { maxFilterValues, maxParameters } = reader.limits
  if (isPlainObject(value)) {
    const members = new Map<string, FilterValue>()
    const entries = Object.entries(value)
    reader.parameters += entries.length
    requireParameters(reader.parameters, maxParameters, '/filter')
    for (const [key, each] of entries) {
      const member = valueOf(each, `${pointer}/${pointerSegment(key)}`, reader)
      if (member !== null) members.set(key, member)
    }
    return members
  }
  if (!Array.isArray(value)) return textOf(value) ?? refused(reader, pointer)
  if (value.length > maxFilterValues) {
    const details = { limit: maxFilterValues, subject: 'values of one filter' }
    report(reader, problem('LIMIT_EXCEEDED', details, { source: { pointer } }))
    return null
  }
  const texts = value.map((each, index) => textOf(each) ?? refused(reader, `${pointer}/${index}`) ?? '')
  return texts
}

function refused(reader: TreeReader, pointer: string): null {
  unfit(reader, pointer, 'a string, a number or a boolean')
  return null
}

/** Returns a value of JSON as the text of a URL; `null` if it has none. */
export function textOf(value: unknown): string | null {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  return typeof value === 'string' && isStorableText(value) ? value : null
}

export function pointerSegment(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1')
}

/**
 * Returns an error whose sources name places of the body of a JSON query: `/page/size` instead of the parameter `page[size]`. A parameter
 * that begins with a slash is a pointer already.
 */
export function withPointers(thrown: unknown): unknown {
  if (!JsonApiError.is(thrown)) return thrown
  const problems = thrown.problems.map((each): Problem => {
    const { source } = each
    return source !== undefined && 'parameter' in source
      ? { ...each, source: { pointer: pointerOf(source.parameter) } }
      : each
  })
  return new JsonApiError(problems, { headers: thrown.headers, cause: thrown, reason: thrown.reason ?? undefined })
}

function pointerOf(parameter: string): string {
  if (parameter.startsWith('/')) return parameter
  const [family = '', ...keys] = parameter.replace(/\]$/, '').split(/\]?\[/)
  return ['', family, ...keys].map(pointerSegment).join('/')
}
