import { NO_SNIFF } from '../../core/document/media-type.js'
import type { HttpRequest } from '../../core/http/request.js'
import type { HttpResponse } from '../../core/http/response.js'
import type { Service } from '../assembly/service.js'
import type { DescriptionMatch } from '../../serve/route/description-routes.js'
import { isOpen } from '../../serve/route/description-routes.js'
import { invariant } from '../../core/util/invariant.js'
import { checkMethod } from './check-method.js'
import { compressedFile } from './compress-response.js'
import { conditionalResponse } from './conditional-response.js'
import { optionsResponse } from './rendering-for.js'

/**
 * Responds with a description of a server. It is not a JSON:API document, so that no media type is negotiated. Clients revalidate it
 * each time, unless the URL has the version of a file: such a file never changes. It is compressed unless the settings disable that.
 */
export async function descriptionResponse(
  service: Service,
  request: HttpRequest,
  route: DescriptionMatch,
): Promise<HttpResponse> {
  checkMethod(request, route, service)
  if (request.method === 'OPTIONS') return optionsResponse(route, service)
  const description = service.describe(route.server.name)
  invariant(description !== null, `there is no server '${route.server.name}'`)
  const file = await description.content(route.description, route.file)
  const { mediaType, body, version, headers: own } = file
  const caching = isOpen(route) && request.query === `v=${version}` ? 'public, max-age=31536000, immutable' : 'no-cache'
  const headers = ['Content-Type', mediaType, 'Cache-Control', caching, 'ETag', `"${version}"`, ...NO_SNIFF, ...own]
  return compressedFile(service.fileCompression, request, file, (plain) =>
    conditionalResponse(plain, route, { status: 200, headers, body }),
  )
}
