import { fail } from '../../core/errors/json-api-error.js'
import { invariant } from '../../core/util/invariant.js'
import type { AnyPaginator, PageKeys, PageMenu, PageStrategy, Paginator } from './paginator.js'
import type { PageParameters } from './page-request.js'

/** Returns the paginator that a request selects: a choice of the menu, or the paginator itself if there is no menu. */
export function choosePaginator(paginator: AnyPaginator, page: PageParameters): Paginator {
  if (paginator.strategy !== 'menu') return paginator
  return choiceByKind(paginator, page) ?? choiceByKey(paginator, page) ?? defaultChoice(paginator)
}

/** Returns the choice that `page[kind]` names. An empty value is ignored. */
function choiceByKind({ choices }: PageMenu, page: PageParameters): Paginator | undefined {
  const kind = page.get('kind') ?? ''
  if (kind === '') return undefined
  const kinds = choices.map((choice) => choice.kind).join(', ')
  return (
    choices.find((choice) => choice.kind === kind) ??
    fail('PAGINATION_KIND_UNKNOWN', { kind, kinds }, { source: { parameter: 'page[kind]' } })
  )
}

/** Returns the first choice of the menu with a key in the request that no other strategy of the menu reads. */
function choiceByKey({ choices }: PageMenu, page: PageParameters): Paginator | undefined {
  return choices.find((choice) => {
    const shared = choices.filter(({ strategy }) => strategy !== choice.strategy).flatMap(keysRead)
    return selectingKeys(choice).some((key) => page.has(key) && !shared.includes(key))
  })
}

type KeyNames = Readonly<Record<PageStrategy, readonly (keyof PageKeys)[]>>

/** The keys that each strategy reads, in any declaration. */
export const pageKeyNames: KeyNames = Object.freeze({
  page: ['number', 'size'],
  fixed: ['number'],
  offset: ['offset', 'limit'],
  cursor: ['size', 'after', 'before'],
})

/** Several strategies read these keys, so under their own names they select none in any menu. */
const sharedKeyNames: readonly string[] = Object.freeze(['number', 'size'])

/** Returns the keys of `page` that a list reads, with any of its strategies; none for a list without pages. */
export function pageKeys(paginator: AnyPaginator | null): readonly string[] {
  if (paginator === null) return []
  if (paginator.strategy !== 'menu') return keysRead(paginator)
  return [...new Set(['kind', ...paginator.choices.flatMap(keysRead)])]
}

function keysRead(paginator: Paginator): readonly string[] {
  return keyNamesOf(paginator).map((name) => paginator.keys[name])
}

/** Returns the keys that a paginator reads. */
export function keyNamesOf({ strategy, estimate }: Paginator): readonly (keyof PageKeys)[] {
  return estimate === null ? pageKeyNames[strategy] : [...pageKeyNames[strategy], 'count']
}

/** Returns the keys that can select a strategy: its own, and shared ones that were renamed. */
function selectingKeys({ strategy, keys }: Paginator): readonly string[] {
  return pageKeyNames[strategy].flatMap((name) =>
    sharedKeyNames.includes(name) && keys[name] === name ? [] : [keys[name]],
  )
}

/** Returns the choice of a request that selects none. */
function defaultChoice({ choices, defaultKind }: PageMenu): Paginator {
  const chosen = choices.find((choice) => choice.kind === defaultKind) ?? choices[0]
  invariant(chosen !== undefined, 'a menu without choices passed the build')
  return chosen
}
