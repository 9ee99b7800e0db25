/** The four ways to split a collection into pages. */
export type PageStrategy = 'page' | 'offset' | 'fixed' | 'cursor'

/**
 * Describes how a collection is split into pages, as {@link numberPage}, {@link offsetPage}, {@link fixedPage} and
 * {@link cursorPage} create it: plain data with two modifiers, each of which returns a new paginator.
 */
export interface Paginator {
  readonly strategy: PageStrategy
  /** The value of `page[kind]` that selects this paginator in a menu. Default: the strategy. */
  readonly kind: string
  /** The page size if the request does not set one. */
  readonly size: number
  /** The maximum page size; 0 for no limit. */
  readonly maxSize: number
  /** Whether the collection is counted for every page. */
  readonly counted: boolean
  /** The names of the `page[...]` keys that the paginator reads. */
  readonly keys: PageKeys
  /** Counts the collection for every page, which adds `meta.page.total`, `meta.total` and a `last` link. */
  withCount(): Paginator
  /** Sets another `kind`, so that a menu can hold two paginators of one strategy. */
  named(kind: string): Paginator
}

/**
 * The names of the `page[...]` keys that a paginator reads. The option `keys` of {@link offsetPage} and the other
 * paginators changes them.
 */
export interface PageKeys {
  readonly number: string
  readonly size: string
  readonly offset: string
  readonly limit: string
  readonly after: string
  readonly before: string
}

/**
 * Several paginators, as {@link pageMenu} creates them. The client selects one by `page[kind]`, or by a key that only
 * one of them reads.
 */
export interface PageMenu {
  readonly strategy: 'menu'
  readonly choices: readonly Paginator[]
  /** The kind that is used if the request selects none; `null` for the first choice. */
  readonly defaultKind: string | null
}

/**
 * A paginator, or a menu of paginators: the value of `pagination`.
 *
 * @example
 * ```ts
 * const pagination: AnyPaginator = pageMenu([numberPage(), cursorPage()])
 * ```
 */
export type AnyPaginator = Paginator | PageMenu

/** Options of the paginators, such as {@link numberPage} and {@link offsetPage}. */
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
 * Creates a paginator with page numbers: `page[number]=2&page[size]=20`.
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
 * Creates a paginator with offset and limit: `page[offset]=40&page[limit]=20`.
 *
 * @example
 * ```ts
 * const paged = offsetPage({ size: 20, maxSize: 50, keys: { limit: 'count' } })
 * ```
 */
export function offsetPage(options: PageOptions = {}): Paginator {
  return paginator('offset', options)
}

/**
 * Creates a paginator with page numbers and a page size that the client cannot change: `page[number]=2`.
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
 * Creates a paginator with cursors, whose pages start after a row or end before it: `page[after]=…&page[size]=20`.
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
 * Lets the client select a paginator, by `page[kind]` or by a key that only one of the choices reads.
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
