import { fail } from '../errors/json-api-error.js'
import { invariant } from '../util/invariant.js'
import type { AnyPaginator, PageKeys, PageMenu, PageStrategy, Paginator } from './paginator.js'
import type { PageParameters } from './page-request.js'

/** The paginator that a request selects: a menu's choice, or the one there is. */
export function choosePaginator(paginator: AnyPaginator, page: PageParameters): Paginator {
  if (paginator.strategy !== 'menu') return paginator
  return named(paginator, page) ?? owning(paginator, page) ?? standard(paginator)
}

/** `page[kind]` names a choice; an empty one says nothing. */
function named({ choices }: PageMenu, page: PageParameters): Paginator | undefined {
  const kind = page.get('kind') ?? ''
  if (kind === '') return undefined
  const kinds = choices.map((choice) => choice.kind).join(', ')
  return (
    choices.find((choice) => choice.kind === kind) ??
    fail('PAGINATION_KIND_UNKNOWN', { kind, kinds }, { source: { parameter: 'page[kind]' } })
  )
}

/** A key that only one strategy reads selects it, in the order of the menu. */
function owning({ choices }: PageMenu, page: PageParameters): Paginator | undefined {
  return choices.find((choice) => {
    const shared = choices.filter(({ strategy }) => strategy !== choice.strategy).flatMap(keysRead)
    return ownKeys(choice).some((key) => page.has(key) && !shared.includes(key))
  })
}

type KeyNames = Readonly<Record<PageStrategy, readonly (keyof PageKeys)[]>>

/** The keys that each strategy reads. */
export const pageKeyNames: KeyNames = Object.freeze({
  page: ['number', 'size'],
  fixed: ['number'],
  offset: ['offset', 'limit'],
  cursor: ['size', 'after', 'before'],
})

/** `number` and `size` are common to several strategies, and select none whatever the menu. */
const ownKeyNames: KeyNames = Object.freeze({
  page: [],
  fixed: [],
  offset: ['offset', 'limit'],
  cursor: ['after', 'before'],
})

function keysRead({ strategy, keys }: Paginator): readonly string[] {
  return pageKeyNames[strategy].map((name) => keys[name])
}

function ownKeys({ strategy, keys }: Paginator): readonly string[] {
  return ownKeyNames[strategy].map((name) => keys[name])
}

function standard({ choices, defaultKind }: PageMenu): Paginator {
  const chosen = choices.find((choice) => choice.kind === defaultKind) ?? choices[0]
  invariant(chosen !== undefined, 'a menu without choices passed the build')
  return chosen
}
