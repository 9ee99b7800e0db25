import { fail } from '../../../core/errors/json-api-error.js'
import type { RowWindow } from '../../../declare/resource/querying/row-window.js'
import type { RequestServices } from '../read-context.js'

/**
 * Returns the window of a list that may be larger than a document: a list without pages, or with pages of any size. The store
 * then stops after one row more than the limit. Returns `null` if the window has no more rows than permitted.
 */
export function limitedWindow(window: RowWindow | null, { maxResources }: RequestServices): RowWindow | null {
  if (window === null) return { kind: 'offset', offset: 0, limit: maxResources }
  return window.limit > maxResources ? { ...window, limit: maxResources } : null
}

/** Fails because a list has more resources than a document may have. */
export function refuseList({ maxResources: limit }: RequestServices): never {
  return fail('LIMIT_EXCEEDED', { limit, subject: 'resources in a list' }, { source: { parameter: 'page' } })
}
