import { MEDIA_TYPE, type MediaType, parseMediaTypes, uriList } from '../document/media-type.js'
import { fail } from '../errors/json-api-error.js'
import type { SupportedExtensions } from './supported-extensions.js'
import { expectedExtensions } from './supported-extensions.js'

/** What a response may apply, as far as the client's `Accept` goes. */
export interface Negotiated {
  /** Registered profiles that the client asked for, in its order, each once. */
  readonly profiles: readonly string[]
  readonly extensions: readonly string[]
}

/**
 * Reads `Accept`. An instance of the JSON:API media type is clean when it has no parameter but `ext`, `profile` and the
 * weight, and every extension it names is supported; one clean instance saves the header, none is a 406.
 * A header that does not name the media type is served JSON:API all the same: there is nothing else to serve.
 *
 * https://jsonapi.org/format/1.1/#content-negotiation-servers
 */
export function negotiateAccept(
  header: string | undefined,
  profiles: readonly string[],
  extensions: SupportedExtensions,
): Negotiated {
  const mediaTypes = parseMediaTypes(header ?? '')
  const instances = mediaTypes.filter(({ name }) => name === MEDIA_TYPE)
  const wanted = instances.filter((instance) => !weighsNothing(instance))
  const clean = wanted.filter((instance) => isClean(instance, extensions.supported))
  const refused = wanted.length > 0 ? clean.length === 0 : instances.length > 0 && !mediaTypes.some(isOpenWildcard)
  const requestedExtensions = distinct(clean.flatMap((instance) => uriList(instance, 'ext')))
  if (refused || (extensions.required !== undefined && !requestedExtensions.includes(extensions.required))) {
    const told = { mediaType: header ?? '', header: 'Accept', extensions: expectedExtensions(extensions) }
    fail('MEDIA_TYPE_UNACCEPTABLE', told, { source: { header: 'Accept' } })
  }
  const requestedProfiles = distinct(clean.flatMap((instance) => uriList(instance, 'profile')))
  return Object.freeze({
    profiles: Object.freeze(requestedProfiles.filter((uri) => profiles.includes(uri))),
    extensions: Object.freeze(requestedExtensions),
  })
}

function isClean(instance: MediaType, supported: readonly string[]): boolean {
  if (instance.malformed) return false
  if (!instance.parameters.every(({ name }) => name === 'ext' || name === 'profile' || name === 'q')) return false
  return uriList(instance, 'ext').every((uri) => supported.includes(uri))
}

/** `q=0` means "not acceptable" (RFC 9110, section 12.4.2). A weight that cannot be read counts as none given. */
function weighsNothing(mediaType: MediaType): boolean {
  return mediaType.parameters.some(({ name, value }) => name === 'q' && /^0(?:\.0{0,3})?$/.test(value))
}

function isOpenWildcard(mediaType: MediaType): boolean {
  return (mediaType.name === '*/*' || mediaType.name === 'application/*') && !weighsNothing(mediaType)
}

function distinct(uris: readonly string[]): string[] {
  return [...new Set(uris)]
}
