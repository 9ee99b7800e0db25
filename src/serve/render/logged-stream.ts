import { isBodyStream, watchedBody } from '../../core/http/body-stream.js'
import type { HttpResponse } from '../../core/http/response.js'

/** Logs the error of a streamed body: its status was sent before, so the client only sees that the connection is cut. */
export function withLoggedStream(response: HttpResponse, log: (thrown: unknown) => void): HttpResponse {
  const { body } = response
  if (!isBodyStream(body)) return response
  return watchedBody(response, body, {
    ended: ({ failure }) => {
      if (failure !== null) log(failure.thrown)
    },
  })
}
