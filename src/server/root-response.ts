import type { QueryParameters } from '../operation/query-parameters.js'
import type { ResponseValue } from '../operation/response-value.js'
import { metaResponse } from '../operation/response-value.js'
import { refuseInclude, refuseListQuery } from '../read/plan/refuse-query.js'
import type { RootMatch } from '../route/route-table.js'

/** Returns the document at the root of a server: links to its collections, by the name of the type. */
export function rootResponse({ server, types }: RootMatch, base: string, query: QueryParameters): ResponseValue {
  refuseListQuery(query)
  refuseInclude(query)
  const listed = types.filter(({ operations }) => operations.has('FetchCollection'))
  const links = Object.fromEntries(
    listed.map(({ type, uriType }) => [type, `${base}/${encodeURIComponent(uriType.toWellFormed())}`]),
  )
  return { ...metaResponse({ server: server.name }), links }
}
