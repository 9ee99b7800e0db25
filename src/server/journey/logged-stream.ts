import type { Service } from '../assembly/service.js'
import { logThrown } from '../../core/errors/error-log.js'
import { watchedBody } from '../../core/http/body-stream.js'
import type { HttpRequest } from '../../core/http/request.js'
import type { BodyStream, HttpResponse } from '../../core/http/response.js'

/** Logs the error of a stream: its status was sent before, so the client only sees that the connection is cut. */
export function withLoggedStream(
  { errors }: Service,
  request: HttpRequest,
  response: HttpResponse,
  body: BodyStream,
): HttpResponse {
  return watchedBody(response, body, {
    ended: ({ failure }) => {
      if (failure !== null) logThrown(errors.logger, 'error', failure.thrown, { request })
    },
  })
}
