/**
 * One part of the cost of a request: the rows of a type, an include path, a filter that joins other tables, and so on.
 *
 * @example
 * ```ts
 * const part = { kind: 'include', name: 'tracks.artists', parameter: 'include', cost: 1500 }
 * ```
 */
export interface CostPart {
  readonly kind: 'rows' | 'owner' | 'include' | 'linkage' | 'filter' | 'sort' | 'count' | 'write'
  /** The type, the include path, the key of the filter, and so on. */
  readonly name: string
  /** The query parameter by which a client can lower the part; `null` if there is none. */
  readonly parameter: string | null
  readonly cost: number
}

/** The static cost of a request: the work that it may cause, computed from its query before anything is read. */
export interface QueryCost {
  /** The sum of the parts. */
  readonly total: number
  readonly parts: readonly CostPart[]
}

/** A larger cost counts as this number, the largest one that a header can have. https://www.rfc-editor.org/rfc/rfc9651#section-3.3.1 */
const LARGEST_COST = 999_999_999_999_999

/** Returns the total cost of some parts. Parts without a cost are left out. */
export function sumOfParts(parts: readonly CostPart[]): QueryCost {
  const counted = parts
    .filter(({ cost }) => cost > 0)
    .map((part) => Object.freeze<CostPart>({ ...part, cost: Math.min(LARGEST_COST, part.cost) }))
  const sum = counted.reduce((total, { cost }) => total + cost, 0)
  return Object.freeze({ total: Math.min(LARGEST_COST, sum), parts: Object.freeze(counted) })
}

/** Returns the cost of a read of one row, if nothing else is known about the read. */
export function costOfOneRow(type: string): QueryCost {
  return sumOfParts([{ kind: 'rows', name: type, parameter: null, cost: 1 }])
}

/**
 * Takes the cost of a request when it is known: a middleware passes it to `next()`. It needs the setting `queryCost`.
 *
 * @example
 * ```ts
 * const measured: Middleware = async ({ server }, next) => {
 *   const take = (cost: number) => console.log(server, cost)
 *   return next({ charge: { most: Infinity, take } })
 * }
 * createServer({ resources: [albums, artists], data: memoryData(), middleware: [measured], queryCost: {} })
 * ```
 */
export interface QueryCharge {
  /** The largest cost that can ever be taken. A request that costs more is refused: it exceeds its budget. */
  readonly most: number
  /**
   * Called once for a request, before anything is read or written, and not for a request that is refused before. An error that it
   * throws becomes the response.
   */
  take(cost: number): void | Promise<void>
}
