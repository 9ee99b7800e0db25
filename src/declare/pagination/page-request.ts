import type { Paginator } from './paginator.js'

/** The requested page. Cursors are not decoded yet. */
export type PageRequest =
  | { readonly kind: 'offset'; readonly offset: number; readonly limit: number }
  | { readonly kind: 'cursor'; readonly limit: number; readonly after: string | null; readonly before: string | null }

/** The `page[...]` values of a request by key. */
export type PageParameters = ReadonlyMap<string, string>

/**
 * Parses the page parameters. Never fails: a missing or malformed number becomes the default, a large one the limit.
 */
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

/** Limits a page size to `maxSize`; a `maxSize` of 0 means no limit. A negative size becomes 0. */
function capped({ maxSize }: Paginator, size: number): number {
  const requested = Math.max(0, size)
  return maxSize > 0 ? Math.min(requested, maxSize) : requested
}

function offsetOf(number: number, size: number): number {
  return Math.min(Number.MAX_SAFE_INTEGER, Math.max(0, number - 1) * size)
}

/** Parses an integer and limits it to the safe integers, because no collection is larger than that. */
function numberIn(page: PageParameters, key: string, fallback: number): number {
  const text = page.get(key)?.trim() ?? ''
  if (!/^[+-]?\d+$/.test(text)) return fallback
  return Math.max(-Number.MAX_SAFE_INTEGER, Math.min(Number.MAX_SAFE_INTEGER, Number(text)))
}

function textIn(page: PageParameters, key: string): string | null {
  const text = page.get(key)
  return text === undefined || text === '' ? null : text
}
