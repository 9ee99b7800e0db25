/** The strategies to split a collection into pages. */
export type PageStrategy = 'page' | 'offset' | 'fixed' | 'cursor'

/**
 * Describes how a collection is split into pages, as {@link numberPage}, {@link offsetPage}, {@link fixedPage} and
 * {@link cursorPage} create it: plain data with three modifiers, each of which returns a new paginator. `Keys` are the
 * `page[...]` keys with custom names.
 */
export interface Paginator<
  Strategy extends PageStrategy = PageStrategy,
  Kind extends string = string,
  Keys extends Partial<PageKeys> = Partial<PageKeys>,
  Estimate extends EstimatedCount | null = EstimatedCount | null,
> {
  readonly strategy: Strategy
  /** The value of `page[kind]` that selects this paginator in a menu. Default: the strategy. */
  readonly kind: Kind
  /** The page size if the request does not set one. */
  readonly size: number
  /** The maximum page size; 0 for no limit. */
  readonly maxSize: number
  /** Whether the collection is counted for every page. */
  readonly counted: boolean
  /** How the collection is counted for `page[count]=estimate`; `null` if clients cannot request it. */
  readonly estimate: Estimate
  /** The names of the `page[...]` keys that the paginator reads. */
  readonly keys: PageKeys & Keys
  /** Counts the collection for every page, which adds `meta.page.total`, `meta.total` and a `last` link. */
  withCount(): Paginator<Strategy, Kind, Keys, Estimate>
  /** Lets clients request an estimate of the total: `page[count]=estimate` adds `meta.page.estimatedTotal`. */
  estimable(options?: Partial<EstimatedCount>): Paginator<Strategy, Kind, Keys, EstimatedCount>
  /** Sets another `kind`, so that a menu can hold two paginators of one strategy. */
  named<const Other extends string>(kind: Other): Paginator<Strategy, Other, Keys, Estimate>
}

/**
 * How a total is estimated: the options of the modifier `estimable()` of a paginator.
 *
 * @example
 * ```ts
 * const paged = cursorPage().estimable({ exactUpTo: 10_000 })
 * ```
 */
export interface EstimatedCount {
  /** A total up to this number is exact, because the rows are counted so far. Default 1,000. */
  readonly exactUpTo: number
  /**
   * Whether the estimate may use the statistics of the database if access rules or soft deletes hide rows from the caller. These
   * statistics are made of all rows, so the estimate reveals how values are spread in the hidden rows. Default `false`: the response
   * then only contains how many rows there are at least.
   */
  readonly underRules: boolean
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
  readonly count: string
}

/**
 * Several paginators, as {@link pageMenu} creates them. The client selects one by `page[kind]`, or by a key that only
 * one of them reads.
 */
export interface PageMenu<
  Choices extends readonly Paginator[] = readonly Paginator[],
  Default extends string | null = string | null,
> {
  readonly strategy: 'menu'
  readonly choices: Choices
  /** The kind that is used if the request selects none; `null` for the first choice. */
  readonly defaultKind: Default
}

/**
 * A paginator, or a menu of paginators: the value of `pagination`.
 *
 * @example
 * ```ts
 * const pagination = pageMenu([numberPage(), cursorPage()])
 * ```
 */
export type AnyPaginator = Paginator | PageMenu

/** Options of the paginators, such as {@link numberPage} and {@link offsetPage}. */
export interface PageOptions<Keys extends Partial<PageKeys> = Partial<PageKeys>> {
  /** Default 15. */
  readonly size?: number
  /** Default 100; 0 for no limit. */
  readonly maxSize?: number
  /** Other names for the `page[...]` keys. */
  readonly keys?: Keys
}

type UsualKeys = Readonly<Record<never, never>>

const defaultPageSize = 15
const defaultMaxPageSize = 100
const estimateDefaults: EstimatedCount = Object.freeze({ exactUpTo: 1000, underRules: false })

const defaultKeys: PageKeys = Object.freeze({
  number: 'number',
  size: 'size',
  offset: 'offset',
  limit: 'limit',
  after: 'after',
  before: 'before',
  count: 'count',
})

/**
 * Creates a paginator with page numbers: `page[number]=2&page[size]=20`.
 *
 * @example
 * ```ts
 * const paged = numberPage({ size: 20 }).withCount()
 * ```
 */
export function numberPage<const Keys extends Partial<PageKeys> = UsualKeys>(
  options: PageOptions<Keys> = {},
): Paginator<'page', 'page', Keys, null> {
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
export function offsetPage<const Keys extends Partial<PageKeys> = UsualKeys>(
  options: PageOptions<Keys> = {},
): Paginator<'offset', 'offset', Keys, null> {
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
export function fixedPage<const Keys extends Partial<PageKeys> = UsualKeys>(
  options: Omit<PageOptions<Keys>, 'maxSize'> = {},
): Paginator<'fixed', 'fixed', Keys, null> {
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
export function cursorPage<const Keys extends Partial<PageKeys> = UsualKeys>(
  options: PageOptions<Keys> = {},
): Paginator<'cursor', 'cursor', Keys, null> {
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
export function pageMenu<const Choices extends readonly Paginator[], const Default extends string | null = null>(
  choices: Choices,
  options: { readonly default?: Default } = {},
): PageMenu<Choices, NoInfer<Default>> {
  return Object.freeze({
    strategy: 'menu',
    choices: Object.freeze([...choices]) as readonly Paginator[] as Choices,
    defaultKind: options.default ?? (null as Default),
  })
}

function paginator<Strategy extends PageStrategy, Keys extends Partial<PageKeys>>(
  strategy: Strategy,
  options: PageOptions<Keys>,
): Paginator<Strategy, Strategy, Keys, null> {
  return assemble({
    strategy,
    kind: strategy,
    size: options.size ?? defaultPageSize,
    maxSize: options.maxSize ?? defaultMaxPageSize,
    counted: false,
    estimate: null,
    keys: Object.freeze({ ...defaultKeys, ...options.keys }) as PageKeys & Keys,
  })
}

type PaginatorData<
  Strategy extends PageStrategy,
  Kind extends string,
  Keys extends Partial<PageKeys>,
  Estimate extends EstimatedCount | null,
> = Omit<Paginator<Strategy, Kind, Keys, Estimate>, 'withCount' | 'estimable' | 'named'>

function assemble<
  Strategy extends PageStrategy,
  Kind extends string,
  Keys extends Partial<PageKeys>,
  Estimate extends EstimatedCount | null,
>(data: PaginatorData<Strategy, Kind, Keys, Estimate>): Paginator<Strategy, Kind, Keys, Estimate> {
  return Object.freeze({
    ...data,
    withCount: () => assemble({ ...data, counted: true }),
    estimable: (options: Partial<EstimatedCount> = {}) =>
      assemble<Strategy, Kind, Keys, EstimatedCount>({
        ...data,
        estimate: Object.freeze({ ...estimateDefaults, ...options }),
      }),
    named: <const Other extends string>(kind: Other) => assemble<Strategy, Other, Keys, Estimate>({ ...data, kind }),
  })
}
