import type { IncomingMessage, ServerResponse } from 'node:http'
import type { ServerHttp2Stream } from 'node:http2'

/** A part of fewer bytes is copied. */
const SMALL_PART = 4096

/** The sizes of the blocks that small parts are copied to. */
const SMALLEST_BLOCK = 1024
const LARGEST_BLOCK = 16 * 1024

/**
 * The parts of a body that were received. Small ones are copied to blocks: a chunked body may have a million parts of one byte each, of
 * which each would take about 200 bytes of memory.
 */
export class BodyParts {
  size = 0
  #parts: Uint8Array[] = []
  /** How many bytes of the last part are used, if it is a block; otherwise -1. */
  #used = -1

  add(part: Uint8Array): void {
    // Most bodies have one part, which needs no copy.
    if (this.size === 0 || part.byteLength >= SMALL_PART) {
      this.#endBlock()
      this.#parts.push(part)
    } else this.#copy(part)
    this.size += part.byteLength
  }

  /** Returns the whole body; `null` if it is empty. */
  joined(): Uint8Array | null {
    this.#endBlock()
    const [first] = this.#parts
    if (first === undefined || this.#parts.length === 1) return first ?? null
    const bytes = new Uint8Array(this.size)
    let offset = 0
    for (const part of this.#parts) {
      bytes.set(part, offset)
      offset += part.byteLength
    }
    return bytes
  }

  clear(): void {
    this.#parts = []
    this.#used = -1
  }

  #copy(part: Uint8Array): void {
    let block = this.#used === -1 ? undefined : this.#parts.at(-1)
    if (block === undefined || block.byteLength - this.#used < part.byteLength) {
      this.#endBlock()
      // In proportion to the body, so that the first bytes of many bodies do not take much more memory than is counted.
      block = new Uint8Array(Math.max(part.byteLength, Math.min(LARGEST_BLOCK, Math.max(SMALLEST_BLOCK, this.size))))
      this.#parts.push(block)
      this.#used = 0
    }
    block.set(part, this.#used)
    this.#used += part.byteLength
  }

  /** Cuts off the unused bytes of the last block. */
  #endBlock(): void {
    if (this.#used === -1) return
    const block = this.#parts.pop()
    if (block !== undefined) this.#parts.push(block.subarray(0, this.#used))
    this.#used = -1
  }
}

/** How many bytes of a body are read before the server asks for it. The network read that exceeds this is read to its end. */
const EARLY_LIMIT = 16 * 1024

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
    if (parts.size < EARLY_LIMIT || isPaused) return
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
