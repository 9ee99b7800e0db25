/** The four ways to cut a collection into pages. */
export type PageStrategy = 'page' | 'offset' | 'fixed' | 'cursor'

/** How a collection is paged: plain data with two modifiers, each answering a new paginator. */
export interface Paginator {
  readonly strategy: PageStrategy
  /** The name under which a menu offers it: its strategy, unless it was given another. */
  readonly kind: string
  /** The page size when the client asks for none. */
  readonly size: number
  /** The largest page a client gets; 0 for no limit. */
  readonly maxSize: number
  /** Whether every page is counted. */
  readonly counted: boolean
  /** The names of the `page[...]` keys it reads. */
  readonly keys: PageKeys
  /** Counts every page: `meta.page.total`, `meta.total` and a `last` link. */
  withCount(): Paginator
  /** The same paginator under another name, so that a menu can hold two of one strategy. */
  named(kind: string): Paginator
}

export interface PageKeys {
  readonly number: string
  readonly size: string
  readonly offset: string
  readonly limit: string
  readonly after: string
  readonly before: string
}

/** Several paginators for the client to choose from by `page[kind]`, or by a key that only one of them reads. */
export interface PageMenu {
  readonly strategy: 'menu'
  readonly choices: readonly Paginator[]
  /** The kind that is used when nothing selects another; `null` for the first choice. */
  readonly defaultKind: string | null
}

export type AnyPaginator = Paginator | PageMenu

export interface PageOptions {
  /** Default 15. */
  readonly size?: number
  /** Default 100; 0 for no limit. */
  readonly maxSize?: number
  /** Other names for the `page[...]` keys. */
  readonly keys?: Partial<PageKeys>
}

const defaultPageSize = 15
const defaultMaxPageSize = 100

const defaultKeys: PageKeys = Object.freeze({
  number: 'number',
  size: 'size',
  offset: 'offset',
  limit: 'limit',
  after: 'after',
  before: 'before',
})

/**
 * Pages by number and size: `page[number]=2&page[size]=20`.
 *
 * @example
 * ```ts
 * const paged = numberPage({ size: 20 }).withCount()
 * ```
 */
export function numberPage(options: PageOptions = {}): Paginator {
  return paginator('page', options)
}

/**
 * Pages by offset and limit: `page[offset]=40&page[limit]=20`.
 *
 * @example
 * ```ts
 * const paged = offsetPage({ size: 20, maxSize: 50 })
 * ```
 */
export function offsetPage(options: PageOptions = {}): Paginator {
  return paginator('offset', options)
}

/**
 * Pages of a size that the server alone decides: `page[number]=2`.
 *
 * @example
 * ```ts
 * const paged = fixedPage({ size: 25 })
 * ```
 */
export function fixedPage(options: Omit<PageOptions, 'maxSize'> = {}): Paginator {
  return paginator('fixed', { ...options, maxSize: 0 })
}

/**
 * Pages that start after or end before a row: `page[after]=…&page[size]=20`.
 *
 * @example
 * ```ts
 * const tracks = hasMany('tracks').paginate(cursorPage())
 * ```
 */
export function cursorPage(options: PageOptions = {}): Paginator {
  return paginator('cursor', options)
}

/**
 * Lets clients choose how to page, by `page[kind]` or by a key that only one of the choices reads.
 *
 * @example
 * ```ts
 * const paged = pageMenu([numberPage(), cursorPage(), offsetPage()], { default: 'cursor' })
 * ```
 */
export function pageMenu(choices: readonly Paginator[], options: { readonly default?: string } = {}): PageMenu {
  return Object.freeze({
    strategy: 'menu',
    choices: Object.freeze([...choices]),
    defaultKind: options.default ?? null,
  })
}

function paginator(strategy: PageStrategy, options: PageOptions): Paginator {
  return assemble({
    strategy,
    kind: strategy,
    size: options.size ?? defaultPageSize,
    maxSize: options.maxSize ?? defaultMaxPageSize,
    counted: false,
    keys: Object.freeze({ ...defaultKeys, ...options.keys }),
  })
}

function assemble(data: Omit<Paginator, 'withCount' | 'named'>): Paginator {
  return Object.freeze({
    ...data,
    withCount: () => assemble({ ...data, counted: true }),
    named: (kind: string) => assemble({ ...data, kind }),
  })
}
