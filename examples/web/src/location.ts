import { useMemo, useSyncExternalStore } from 'react'

/**
 * The state of the page is in its address: filters, order, cursor, and the album that is edited. A reload, the back button and a copied
 * address show the same. There is one path, so that any web server can serve the page.
 */
export type Changes = Readonly<Record<string, string | null>>

const listeners = new Set<() => void>()

/** Returns the query of the address, and renders again when it changes. */
export function useSearch(): URLSearchParams {
  const search = useSyncExternalStore(subscribe, () => location.search)
  return useMemo(() => new URLSearchParams(search), [search])
}

/** Returns the address with other values; `null` removes one. */
export function addressWith(changes: Changes): string {
  const search = new URLSearchParams(location.search)
  for (const [name, value] of Object.entries(changes)) {
    if (value === null || value === '') search.delete(name)
    else search.set(name, value)
  }
  const query = search.toString()
  return query === '' ? location.pathname : `?${query}`
}

/**
 * Goes to the address with other values. The back button returns to the previous address.
 *
 * @param typing the input in which the user types: consecutive changes of one input are one entry of the history
 */
export function navigate(changes: Changes, typing: string | null = null): void {
  const previous: unknown = history.state
  const continues = typing !== null && previous === typing
  if (continues) history.replaceState(typing, '', addressWith(changes))
  else history.pushState(typing, '', addressWith(changes))
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  addEventListener('popstate', listener)
  return () => {
    listeners.delete(listener)
    removeEventListener('popstate', listener)
  }
}
