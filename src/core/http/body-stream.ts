import { Buffer } from 'node:buffer'
import type { BodyStream, HttpResponse } from './response.js'

/** How a stream ended: all of it was taken, or not. */
export interface SentBody {
  /** The bytes that were taken. */
  readonly bytes: number
  readonly isWhole: boolean
  /** The error of the stream; `null` if it has not failed. */
  readonly failure: { readonly thrown: unknown } | null
}

/** What {@link watchedBody} calls. */
export interface BodyEvents {
  /** Called once, when the stream was taken to its end, has failed, or was given up. */
  readonly ended: (sent: SentBody) => void
  /** Called when a part was passed on. The returned function is called when the client wants the next one. */
  readonly waiting?: () => () => void
}

export function isBodyStream(body: unknown): body is BodyStream {
  return typeof body === 'object' && body !== null && Symbol.asyncIterator in body
}

/** Gives up a body that is not sent, as for `HEAD`: a stream may hold a connection. */
export function discardBody(body: HttpResponse['body']): void {
  if (isBodyStream(body))
    body[Symbol.asyncIterator]()
      .return?.()
      .catch(() => undefined)
}

/** Returns the response with a stream that reports its end. */
export function watchedBody(response: HttpResponse, body: BodyStream, events: BodyEvents): HttpResponse {
  return { ...response, body: new WatchedBody(body, events) }
}

/** The size of a body that is no stream. */
export function byteLength(body: string | Uint8Array | null): number {
  if (body === null) return 0
  return typeof body === 'string' ? Buffer.byteLength(body) : body.byteLength
}

/** Reads a stream to its end. Throws a `TypeError` if it has more bytes than the limit. */
export async function wholeBody(body: BodyStream, limit: number): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const part of body) {
    size += part.byteLength
    if (size > limit) throw new TypeError(`A streamed body has more than ${limit} bytes, but all of it is needed.`)
    parts.push(part)
  }
  return Buffer.concat(parts)
}

/** Not a generator, because `return` of one that was not started runs none of its code. */
class WatchedBody implements AsyncIterableIterator<Uint8Array> {
  readonly #source: AsyncIterator<Uint8Array>
  readonly #events: BodyEvents
  #bytes = 0
  #hasEnded = false
  #resume: (() => void) | undefined

  constructor(source: BodyStream, events: BodyEvents) {
    this.#source = source[Symbol.asyncIterator]()
    this.#events = events
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  async next(): Promise<IteratorResult<Uint8Array>> {
    this.#resume?.()
    this.#resume = undefined
    try {
      const result = await this.#source.next()
      if (result.done === true) this.#end(true, null)
      else {
        this.#bytes += result.value.byteLength
        if (!this.#hasEnded) this.#resume = this.#events.waiting?.()
      }
      return result
    } catch (thrown) {
      this.#end(false, { thrown })
      throw thrown
    }
  }

  async return(): Promise<IteratorResult<Uint8Array>> {
    try {
      await this.#source.return?.()
    } finally {
      this.#end(false, null)
    }
    return { done: true, value: undefined }
  }

  #end(isWhole: boolean, failure: SentBody['failure']): void {
    if (this.#hasEnded) return
    this.#hasEnded = true
    this.#resume?.()
    this.#events.ended({ bytes: this.#bytes, isWhole, failure })
  }
}
