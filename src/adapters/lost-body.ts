/** Creates the error of an application whose body parser has read a body and has not kept its bytes. */
export function lostBody(contentType: string | undefined): Error {
  return new Error(
    `The bytes of the request body are lost: the application has read the body before the server (Content-Type: ${contentType ?? 'none'}). ` +
      'Leave the paths of the server out of that parser, or let it keep the bytes as request.rawBody.',
  )
}
