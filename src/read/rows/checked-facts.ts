import { keyText } from '../../row-query/key-text.js'
import type { CollectionCriteria, ListFacts } from '../../resource/capabilities/provider.js'

type RequestedFacts = Pick<CollectionCriteria, 'orders' | 'window' | 'wantsCount'>

/**
 * Checks the total and the edges that a provider returned for a list, if they were requested. Totals and page links are
 * made from them, so values that cannot be correct are refused.
 *
 * @param list the name of the list in error messages
 * @param length the number of rows that the provider returned
 */
export function checkedFacts(
  list: string,
  { total, more = false, edges = null }: Partial<ListFacts>,
  length: number,
  { orders, window, wantsCount }: RequestedFacts,
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
  // A provider may always count. A total that was not requested is not shown.
  const counted = wantsCount ? checkedTotal(list, total ?? (window === null ? length : null)) : null
  return { total: counted, more, edges }
}

function checkedTotal(list: string, total: unknown): number {
  if (typeof total === 'number' && Number.isInteger(total) && total >= 0) return total
  const returned = total === null ? 'none' : `${typeof total} ${keyText(total)}`
  throw new TypeError(`The provider must return the total of ${list} as a whole number, but it returned ${returned}.`)
}
