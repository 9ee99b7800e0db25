import { HttpError } from '../../core/errors/http-error.js'

/** Creates the error of an application whose body parser has read a body and has not stored its bytes. */
export function lostBody(contentType: string | undefined): Error {
  return new Error(
    `The bytes of the request body are lost: the application has read the body before the server (Content-Type: ${contentType ?? 'none'}). ` +
      'Exclude the paths of the server from that parser, or let it store the bytes as request.rawBody.',
  )
}

/**
 * Creates the error of a request whose client disconnects before the body is complete. It is an `HttpError`, because unexpected errors are
 * logged, and this is not an error of the server.
 */
export function abandonedBody(): HttpError {
  return new HttpError(400, 'The connection closed before the request body was complete.')
}
