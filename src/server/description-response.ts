import { NO_SNIFF } from '../document/media-type.js'
import type { HttpRequest } from '../http/request.js'
import type { HttpResponse } from '../http/response.js'
import type { Service } from '../build/service.js'
import type { DescriptionMatch } from '../route/description-routes.js'
import { invariant } from '../util/invariant.js'
import { checkMethod } from './check-method.js'
import { conditionalResponse } from './conditional-response.js'
import { optionsResponse } from './rendering-for.js'
import { withTypeHeaders } from './with-type-headers.js'

/**
 * Responds with a description of a server. It is JSON and no JSON:API document, so that no media type is negotiated. Clients ask each
 * time whether it has changed.
 */
export function descriptionResponse(service: Service, request: HttpRequest, route: DescriptionMatch): HttpResponse {
  checkMethod(request, route)
  if (request.method === 'OPTIONS') return withTypeHeaders(service, request, route, optionsResponse(route))
  const description = service.describe(route.server.name)
  invariant(description !== null, `there is no server '${route.server.name}'`)
  const { text, etag } = description.text(route.description)
  const headers = ['Content-Type', 'application/json', 'Cache-Control', 'no-cache', 'ETag', etag, ...NO_SNIFF]
  const response = conditionalResponse(request, route, { status: 200, headers, body: text })
  return withTypeHeaders(service, request, route, response)
}
