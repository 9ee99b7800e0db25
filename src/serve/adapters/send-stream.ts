import type { ServerResponse } from 'node:http'
import type { ServerHttp2Stream } from 'node:http2'
import type { BodyStream } from '../../core/http/response.js'

/** `INTERNAL_ERROR` of HTTP/2: https://www.rfc-editor.org/rfc/rfc9113#section-7 */
const INTERNAL_ERROR = 2

/**
 * Sends a body while it is made, as fast as the client takes it. If the body fails, the connection (HTTP/2: the stream) is cut: a chunked
 * body then has no end, and the client reports an error. Never rejects.
 */
export async function sendStream(
  body: BodyStream,
  outgoing: ServerResponse,
  stream: ServerHttp2Stream | null,
): Promise<void> {
  try {
    for await (const chunk of body) {
      if (outgoing.destroyed || stream?.destroyed === true) return
      if (!outgoing.write(chunk)) await untilTaken(outgoing)
    }
    outgoing.end()
  } catch {
    if (stream === null) outgoing.destroy()
    else stream.close(INTERNAL_ERROR)
  }
}

/** Waits until the client has taken what was written, or has disconnected. */
function untilTaken(outgoing: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const taken = (): void => {
      outgoing.off('drain', taken).off('close', taken)
      resolve()
    }
    outgoing.on('drain', taken).on('close', taken)
  })
}
