import type { RequestContext } from '../../../declare/resource/request/request-context.js'

/** The part of a context that identifies its request. */
type OfRequest = Pick<RequestContext, 'request'>

/**
 * Returns the object that identifies the request of a context. The hooks of one request may get different context
 * objects.
 */
export function requestIdentity(context: OfRequest | null): object | null {
  return context === null ? null : (context.request ?? context)
}

const committedRequests = new WeakSet<object>()

/**
 * Records that a write of a request is committed, or will be, even if the rest of the request fails.
 */
export function markCommitted(context: RequestContext | null): void {
  const request = requestIdentity(context)
  if (request !== null) committedRequests.add(request)
}

/**
 * Returns whether a write of a request is committed. From then on the request reads from the primary database, and it is
 * finished even if its client disconnects: a disconnect must not leave a request half done.
 */
export function hasCommitted(context: OfRequest | null): boolean {
  const request = requestIdentity(context)
  return request !== null && committedRequests.has(request)
}
