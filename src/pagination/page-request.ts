import type { Paginator } from './paginator.js'

/** The part of a collection that a request asks for; cursors are still the client's text. */
export type PageRequest =
  | { readonly kind: 'offset'; readonly offset: number; readonly limit: number }
  | { readonly kind: 'cursor'; readonly limit: number; readonly after: string | null; readonly before: string | null }

/** The `page[...]` values of a request by key. */
export type PageParameters = ReadonlyMap<string, string>

/** Never refuses: what is absent or no number falls back to the default, too much is cut down to the limit. */
export function pageRequest(paginator: Paginator, page: PageParameters): PageRequest {
  const { keys, size } = paginator
  switch (paginator.strategy) {
    case 'page': {
      const limit = capped(paginator, numberIn(page, keys.size, size))
      return { kind: 'offset', offset: offsetOf(numberIn(page, keys.number, 1), limit), limit }
    }
    case 'fixed':
      return { kind: 'offset', offset: offsetOf(numberIn(page, keys.number, 1), size), limit: size }
    case 'offset':
      return {
        kind: 'offset',
        offset: Math.max(0, numberIn(page, keys.offset, 0)),
        limit: capped(paginator, numberIn(page, keys.limit, size)),
      }
    case 'cursor':
      return {
        kind: 'cursor',
        limit: Math.max(1, capped(paginator, numberIn(page, keys.size, size))),
        after: textIn(page, keys.after),
        before: textIn(page, keys.before),
      }
  }
}

/** Negative sizes are zero; 0 as a limit stands for none. */
function capped({ maxSize }: Paginator, size: number): number {
  const wanted = Math.max(0, size)
  return maxSize > 0 ? Math.min(wanted, maxSize) : wanted
}

function offsetOf(number: number, size: number): number {
  return Math.min(Number.MAX_SAFE_INTEGER, Math.max(0, number - 1) * size)
}

/** Whole numbers only: a page has no half, and what is beyond safe numbers is beyond every collection. */
function numberIn(page: PageParameters, key: string, fallback: number): number {
  const text = page.get(key)?.trim() ?? ''
  if (!/^[+-]?\d+$/.test(text)) return fallback
  return Math.max(-Number.MAX_SAFE_INTEGER, Math.min(Number.MAX_SAFE_INTEGER, Number(text)))
}

function textIn(page: PageParameters, key: string): string | null {
  const text = page.get(key)
  return text === undefined || text === '' ? null : text
}
