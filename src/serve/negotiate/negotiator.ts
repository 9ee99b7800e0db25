import type { HttpRequest } from '../../core/http/request.js'
import type { SupportedExtensions } from './accept.js'
import { type Negotiated, negotiateAccept, expectedExtensions } from './accept.js'
import { MEDIA_TYPE, parseMediaTypes, uriList } from '../../core/document/media-type.js'
import { fail } from '../../core/errors/json-api-error.js'
import { lruCache } from '../../core/util/lru-cache.js'

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
 * Most clients always send the same `Accept` header, so the result is cached by header. Without the cache, one resource
 * takes 10 % more CPU time (W1 on SQLite). The limits bound the memory.
 */
const MAX_CACHED_HEADERS = 128
const MAX_CACHED_HEADER_LENGTH = 1024

/** Creates a negotiator, one for each server and kind of route. It has its own cache of parsed `Accept` headers. */
export function createNegotiator(options: NegotiatorOptions): Negotiator {
  const extensions: SupportedExtensions = {
    supported: options.extensions ?? [],
    ...(options.requiredExtension === undefined ? {} : { required: options.requiredExtension }),
  }
  const cache = lruCache<string | undefined, Negotiated>(MAX_CACHED_HEADERS)

  return Object.freeze({
    checkContentType(request: HttpRequest): void {
      if (request.hasBody) checkContentType(request.header('content-type'), extensions)
    },

    negotiate(request: HttpRequest): Negotiated {
      const header = request.header('accept')
      const cached = cache.get(header)
      if (cached !== undefined) return cached
      const negotiated = negotiateAccept(header, options.profiles, extensions)
      if (header === undefined || header.length <= MAX_CACHED_HEADER_LENGTH) cache.set(header, negotiated)
      return negotiated
    },
  })
}

/**
 * Fails with 415 if the media type of a body is not the JSON:API media type, has a parameter other than `ext` and
 * `profile`, names an unsupported extension, or does not name the required extension. A profile in `Content-Type` is
 * allowed and has no effect.
 *
 * https://jsonapi.org/format/1.1/#content-negotiation-servers
 */
function checkContentType(header: string | undefined, extensions: SupportedExtensions): void {
  if (header === MEDIA_TYPE && extensions.required === undefined) return
  const [mediaType, ...others] = parseMediaTypes(header ?? '')
  const isJsonApi =
    mediaType !== undefined &&
    others.length === 0 &&
    mediaType.name === MEDIA_TYPE &&
    !mediaType.malformed &&
    mediaType.parameters.every(({ name }) => name === 'ext' || name === 'profile')
  if (!isJsonApi) failUnsupported(header, extensions)
  const named = uriList(mediaType, 'ext')
  if (!named.every((uri) => extensions.supported.includes(uri))) failUnsupported(header, extensions)
  if (extensions.required !== undefined && !named.includes(extensions.required)) failUnsupported(header, extensions)
}

function failUnsupported(header: string | undefined, extensions: SupportedExtensions): never {
  fail(
    'MEDIA_TYPE_UNSUPPORTED',
    { mediaType: header ?? '', header: 'Content-Type', extensions: expectedExtensions(extensions) },
    { source: { header: 'Content-Type' } },
  )
}
