import type { HttpRequest } from '../http/request.js'
import { type Negotiated, negotiateAccept } from './accept.js'
import { checkContentType } from './content-type.js'
import type { SupportedExtensions } from './supported-extensions.js'

export interface NegotiatorOptions {
  /** URIs of the registered profiles. */
  readonly profiles: readonly string[]
  /** URIs of the extensions that the routes of this negotiator speak; none by default. */
  readonly extensions?: readonly string[]
  /** The extension that every request to these routes must name in `Accept` and, with a body, in `Content-Type`. */
  readonly requiredExtension?: string
}

export interface Negotiator {
  /** 415 for a body that is not a JSON:API document by its `Content-Type`. Actions with raw input skip this. */
  checkContentType(request: HttpRequest): void
  /** 406 when no JSON:API document would be acceptable; otherwise what the response may apply. */
  negotiate(request: HttpRequest): Negotiated
}

/** Most clients send one and the same header for ever; the bound keeps the others from filling the memory. */
const REMEMBERED_HEADERS = 128
const LONGEST_REMEMBERED_HEADER = 1024

/** One per server and kind of route: it owns the memory of `Accept` headers it has read. */
export function createNegotiator(options: NegotiatorOptions): Negotiator {
  const extensions: SupportedExtensions = {
    supported: options.extensions ?? [],
    ...(options.requiredExtension === undefined ? {} : { required: options.requiredExtension }),
  }
  const remembered = new Map<string | undefined, Negotiated>()

  return Object.freeze({
    checkContentType(request: HttpRequest): void {
      if (request.hasBody) checkContentType(request.header('content-type'), extensions)
    },

    negotiate(request: HttpRequest): Negotiated {
      const header = request.header('accept')
      const known = remembered.get(header)
      if (known !== undefined) return known
      const negotiated = negotiateAccept(header, options.profiles, extensions)
      if (header === undefined || header.length <= LONGEST_REMEMBERED_HEADER) {
        if (remembered.size >= REMEMBERED_HEADERS) remembered.delete(remembered.keys().next().value)
        remembered.set(header, negotiated)
      }
      return negotiated
    },
  })
}
