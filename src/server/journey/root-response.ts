import type { QueryParameters } from '../../serve/operation/query-parameters.js'
import type { HttpResponse } from '../../core/http/response.js'
import { metaResponse } from '../../serve/operation/response-value.js'
import { refuseInclude, refuseListQuery } from '../../serve/read/plan/refuse-query.js'
import type { RenderOptions } from '../../serve/render/render-response.js'
import { renderResponse } from '../../serve/render/render-response.js'
import type { RootMatch } from '../../serve/route/route-table.js'
import type { Awaitable } from '../../core/util/types.js'

/** Returns the document at the root of a server: links to its collections, by the name of the type. */
export function rootResponse(
  { server, types }: RootMatch,
  query: QueryParameters,
  rendering: RenderOptions,
): Awaitable<HttpResponse> {
  refuseListQuery(query)
  refuseInclude(query)
  const listed = types.filter(({ operations, groupsOf }) => operations.has('FetchCollection') && groupsOf === null)
  const links = Object.fromEntries(
    listed.map(({ type, uriType }) => [type, `${rendering.base}/${encodeURIComponent(uriType.toWellFormed())}`]),
  )
  return renderResponse({ ...metaResponse({ server: server.name }), links }, rendering)
}
