import type { HttpRequest } from './request.js'

/** Returns a request that differs from another one in some members. Their bodies and their connection are the same. */
export function derivedRequest(
  request: HttpRequest,
  changes: Partial<Pick<HttpRequest, 'origin' | 'prefix' | 'header' | 'address'>>,
): HttpRequest {
  const { method, path, query, hasBody, isEvent = false, id } = request
  const { origin = request.origin, prefix = request.prefix ?? '', address = request.address } = changes
  const { header = (name: string) => request.header(name) } = changes
  return {
    method,
    path,
    query,
    origin,
    prefix,
    header,
    hasBody,
    body: (limit, meter) => request.body(limit, meter),
    address,
    isEvent,
    ...(id === undefined ? {} : { id }),
    ...('onAbort' in request ? { onAbort: (listener) => request.onAbort?.(listener) ?? (() => undefined) } : {}),
  }
}
