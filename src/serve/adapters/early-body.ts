import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ServerHttp2Stream } from 'node:http2'
import { BodyParts } from './body-parts.js'

/** How many bytes of a body are read before the server asks for it. The network read that exceeds this is read to its end. */
const LIMIT = 16 * 1024

/** The parts of a body that were read early. */
interface EarlyBody {
  readonly parts: BodyParts
  /** Ends the early reading, and pauses the stream. */
  readonly stop: () => void
}

const collected = new WeakMap<object, EarlyBody>()

/**
 * Starts to read a body whose parts may be very small, before its request begins. While a request waits for its turn, the stream of
 * `node:http` would hold each part as an object: 64 KiB in chunks of one byte take 24 MiB.
 *
 * @param stream the stream of HTTP/2; `null` for HTTP/1
 */
export function collectBody(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  stream: ServerHttp2Stream | null,
): void {
  // A parser of the application may be reading it.
  if (incoming.readableFlowing !== null || incoming.destroyed) return
  // Chunks of HTTP/1.1 and frames of HTTP/2 have the size that a client chooses.
  const isWhole = stream === null ? incoming.headers['transfer-encoding'] === undefined : stream.endAfterHeaders
  if (isWhole) return
  const parts = new BodyParts()
  // Of a stream that is paused, `node:http` would hold the parts that were received together.
  const source = stream === null ? incoming.socket : incoming
  let isPaused = false
  const onData = (chunk: Buffer): void => {
    parts.add(chunk)
    if (parts.size < LIMIT || isPaused) return
    isPaused = true
    source.pause()
  }
  const stop = (): void => {
    incoming.off('data', onData).pause()
    if (isPaused) source.resume()
    collected.delete(incoming)
  }
  collected.set(incoming, { parts, stop })
  incoming.on('data', onData)
  // If no code has asked for the body, the connection is read on.
  outgoing.once('close', () => dropCollected(incoming))
}

/** Returns the parts of a body that were read early, and ends the early reading; `null` if there is none. */
export function takeCollected(incoming: object): BodyParts | null {
  const early = collected.get(incoming)
  early?.stop()
  return early?.parts ?? null
}

/** Drops what was read early of a body that nobody asks for. */
export function dropCollected(incoming: IncomingMessage): void {
  if (takeCollected(incoming) !== null) incoming.resume()
}
