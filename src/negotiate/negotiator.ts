import type { HttpRequest } from '../http/request.js'
import { type Negotiated, negotiateAccept } from './accept.js'
import { checkContentType } from './content-type.js'
import type { SupportedExtensions } from './supported-extensions.js'

export interface NegotiatorOptions {
  /** URIs of the registered profiles. */
  readonly profiles: readonly string[]
  /** URIs of the extensions that the routes of this negotiator support. Default: none. */
  readonly extensions?: readonly string[]
  /** The extension that every request to these routes must name in `Accept` and, with a body, in `Content-Type`. */
  readonly requiredExtension?: string
}

export interface Negotiator {
  /**
   * Fails with 415 if the request has a body whose `Content-Type` is not JSON:API. Actions with raw input skip this
   * check.
   */
  checkContentType(request: HttpRequest): void
  /**
   * Returns the profiles and extensions that the response may apply. Fails with 406 if the client accepts no JSON:API
   * document.
   */
  negotiate(request: HttpRequest): Negotiated
}

/**
 * Most clients always send the same `Accept` header, so the result is cached by header. The limits bound the memory.
 */
const MAX_CACHED_HEADERS = 128
const MAX_CACHED_HEADER_LENGTH = 1024

/** Creates a negotiator, one for each server and kind of route. It has its own cache of parsed `Accept` headers. */
export function createNegotiator(options: NegotiatorOptions): Negotiator {
  const extensions: SupportedExtensions = {
    supported: options.extensions ?? [],
    ...(options.requiredExtension === undefined ? {} : { required: options.requiredExtension }),
  }
  const cache = new Map<string | undefined, Negotiated>()

  return Object.freeze({
    checkContentType(request: HttpRequest): void {
      if (request.hasBody) checkContentType(request.header('content-type'), extensions)
    },

    negotiate(request: HttpRequest): Negotiated {
      const header = request.header('accept')
      const cached = cache.get(header)
      if (cached !== undefined) return cached
      const negotiated = negotiateAccept(header, options.profiles, extensions)
      if (header === undefined || header.length <= MAX_CACHED_HEADER_LENGTH) {
        if (cache.size >= MAX_CACHED_HEADERS) cache.delete(cache.keys().next().value)
        cache.set(header, negotiated)
      }
      return negotiated
    },
  })
}
