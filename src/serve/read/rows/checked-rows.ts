import { keyText } from '../../../stores/row-query/key-text.js'
import { describeKey, keyReader } from '../../../declare/resource/parts/key-columns.js'
import type { ServedType } from '../../../declare/resource/capabilities/served-type.js'
import { idReader } from '../../../declare/resource/reading/row-linkage.js'
import type { RequestContext } from '../../../declare/resource/request/request-context.js'
import type { Row, RowSet } from '../../../core/rows/row-set.js'
import { isRowSet, rowSetOf } from '../../../core/rows/row-set.js'
import type { CollectionCriteria, ListFacts, TotalEstimate } from '../../../declare/resource/capabilities/provider.js'

/**
 * Checks the rows of providers, persisters and user-defined replies, which may be plain objects. Returns a row set in
 * which every row has its key. Rows of a type with a serializer need no key, because the serializer returns the id.
 */
export function checkedRows({ type, serializer }: ServedType, found: RowSet | object | readonly object[]): RowSet {
  const rows = typeof found === 'object' && found !== null && isRowSet(found) ? found : asRowSet(found)
  if (rows === null)
    throw new TypeError(
      `The value returned as rows of '${type.type}' is neither an object, nor a list of objects, nor a row set.`,
    )
  const keyOf = keyReader(rows.columns, type.id.column)
  for (const row of rows.rows) {
    const key = keyOf(row)
    if ((key === undefined || key === null) && serializer === null) {
      throw new TypeError(
        `A row of '${type.type}' has no key: the column ${describeKey(type.id.column)} is missing or empty.`,
      )
    }
  }
  return rows
}

/** Checks a list of rows, which must not contain a row twice, because a document shows each resource once. */
export function checkedList(served: ServedType, found: RowSet | readonly object[], context: RequestContext): RowSet {
  const rows = checkedRows(served, found)
  const keyAt = rowKeyReader(served, rows, context)
  const seen = new Set<string | null>()
  for (let position = 0; position < rows.rows.length; position++) {
    const key = keyAt(position)
    if (seen.has(key)) throw new TypeError(`The provider of '${served.type.type}' returned the key '${key}' twice.`)
    seen.add(key)
  }
  return rows
}

/**
 * Returns a function that identifies a row by its key. If a serializer makes the ids, rows may have no key, or several
 * rows the same one. Then the ids identify them, which costs a second call of the serializer for each row.
 */
export function rowKeyReader(
  served: ServedType,
  rowSet: RowSet,
  context: RequestContext,
): (position: number) => string | null {
  const { columns, rows } = rowSet
  const keyOf = keyReader(columns, served.type.id.column)
  const keyAt = (position: number): string | null => keyText(keyOf(rows[position] ?? []))
  if (served.serializer === null || hasDistinctKeys(rows, keyOf)) return keyAt
  const idOf = idReader(served, columns)
  return (position) => idOf(rows[position] ?? [], context)
}

function hasDistinctKeys(rows: RowSet['rows'], keyOf: (row: Row) => unknown): boolean {
  const keys = new Set(rows.map((row) => keyText(keyOf(row) ?? null)))
  return keys.size === rows.length && !keys.has(null)
}

function asRowSet(found: unknown): RowSet | null {
  if (Array.isArray(found)) return found.every(isObject) ? rowSetOf(found) : null
  return isObject(found) ? rowSetOf([found]) : null
}

export function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

type RequestedFacts = Pick<CollectionCriteria, 'orders' | 'window' | 'wantsCount' | 'estimate'>

/**
 * Checks the total and the edges that a provider returned for a list, if they were requested. Totals and page links are
 * made from them, so values that cannot be correct are refused.
 *
 * @param list the name of the list in error messages
 * @param length the number of rows that the provider returned
 */
export function checkedFacts(
  list: string,
  { total, more = false, edges = null, estimate = null }: Partial<ListFacts>,
  length: number,
  { orders, window, wantsCount, estimate: estimates = null }: RequestedFacts,
): Required<ListFacts> {
  if (window !== null && length > window.limit) {
    throw new TypeError(`The provider returned ${length} rows for ${list}, but at most ${window.limit} were requested.`)
  }
  const isPosition = (value: unknown): boolean => Array.isArray(value) && value.length === orders.length
  const hasPositions = edges !== null && isPosition(edges.first) && isPosition(edges.last)
  if (window?.kind === 'cursor' && length > 0 && !hasPositions && (more || edges !== null)) {
    throw new TypeError(
      `The provider returned no valid \`edges\` for ${list}: the first and the last position need a value for each order.`,
    )
  }
  if (estimates !== null && (total ?? null) === null && estimate !== null)
    return { total: null, more, edges, estimate: checkedEstimate(list, estimate) }
  // A provider may always count. A total that was not requested is not shown.
  const counted = wantsCount ? checkedTotal(list, total ?? (window === null ? length : null)) : null
  return { total: counted, more, edges, estimate: null }
}

function checkedEstimate(list: string, estimate: TotalEstimate): TotalEstimate {
  const { atLeast, bestGuess } = estimate
  if (Number.isInteger(atLeast) && Number.isInteger(bestGuess) && atLeast >= 0 && bestGuess >= atLeast) return estimate
  throw new TypeError(
    `The provider returned an estimate of ${list} that is not possible: \`atLeast\` and \`bestGuess\` must be whole numbers, and \`bestGuess\` at least \`atLeast\`.`,
  )
}

function checkedTotal(list: string, total: unknown): number {
  if (typeof total === 'number' && Number.isInteger(total) && total >= 0) return total
  const returned = total === null ? 'none' : `${typeof total} ${keyText(total)}`
  throw new TypeError(`The provider must return the total of ${list} as a whole number, but it returned ${returned}.`)
}
