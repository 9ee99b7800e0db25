import { keyText } from '../../row-query/key-text.js'
import type { CollectionCriteria, ListFacts } from '../../resource/capabilities/provider.js'

type Asked = Pick<CollectionCriteria, 'orders' | 'window' | 'wantsCount'>

/**
 * What a provider says of a list, as far as it was asked. Counts and links of pages are made of it, so what cannot be
 * true of the list is refused.
 *
 * @param list as errors name it
 * @param length the number of rows that came
 */
export function checkedFacts(
  list: string,
  { total, more = false, edges = null }: Partial<ListFacts>,
  length: number,
  { orders, window, wantsCount }: Asked,
): Required<ListFacts> {
  if (window !== null && length > window.limit) {
    throw new TypeError(`${list} was answered ${length} rows, and ${window.limit} at most were asked for.`)
  }
  const isPlace = (place: unknown): boolean => Array.isArray(place) && place.length === orders.length
  const hasPlaces = edges !== null && isPlace(edges.first) && isPlace(edges.last)
  if (window?.kind === 'cursor' && length > 0 && !hasPlaces && (more || edges !== null)) {
    throw new TypeError(
      `${list} was answered no places of its first and its last row: \`edges\` has a value of each order.`,
    )
  }
  // A provider may count always; what nobody asked for is not told.
  const counted = wantsCount ? checkedTotal(list, total ?? (window === null ? length : null)) : null
  return { total: counted, more, edges }
}

function checkedTotal(list: string, total: unknown): number {
  if (typeof total === 'number' && Number.isInteger(total) && total >= 0) return total
  const told = total === null ? 'none' : `${typeof total} ${keyText(total)}`
  throw new TypeError(`${list} was asked for its total, a whole number, and answered ${told}.`)
}
