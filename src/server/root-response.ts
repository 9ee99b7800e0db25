import type { QueryParameters } from '../operation/query-parameters.js'
import type { HttpResponse } from '../http/response.js'
import { metaResponse } from '../operation/response-value.js'
import { refuseInclude, refuseListQuery } from '../read/plan/refuse-query.js'
import type { RenderOptions } from '../render/render-response.js'
import { renderResponse } from '../render/render-response.js'
import type { RootMatch } from '../route/route-table.js'
import type { Awaitable } from '../util/types.js'

/** Returns the document at the root of a server: links to its collections, by the name of the type. */
export function rootResponse(
  { server, types }: RootMatch,
  query: QueryParameters,
  rendering: RenderOptions,
): Awaitable<HttpResponse> {
  refuseListQuery(query)
  refuseInclude(query)
  const listed = types.filter(({ operations }) => operations.has('FetchCollection'))
  const links = Object.fromEntries(
    listed.map(({ type, uriType }) => [type, `${rendering.base}/${encodeURIComponent(uriType.toWellFormed())}`]),
  )
  return renderResponse({ ...metaResponse({ server: server.name }), links }, rendering)
}
