import { MEDIA_TYPE, type MediaType, parseMediaTypes, uriList } from '../../core/document/media-type.js'
import type { ExportFormat } from '../../declare/resource/parts/export.js'
import { fail } from '../../core/errors/json-api-error.js'

/** The profiles and extensions that a response may apply, according to the `Accept` header. */
export interface Negotiated {
  /** The registered profiles that the client requested, in the order of the header, without duplicates. */
  readonly profiles: readonly string[]
  readonly extensions: readonly string[]
  /** The format that the client prefers to a document, if the collection is exported in it. */
  readonly exportAs?: ExportFormat
}

/**
 * Parses `Accept`. An instance of the JSON:API media type is acceptable if it has no parameters except `ext`, `profile`
 * and `q`, and if the server supports every extension that it names. One acceptable instance is enough; none is a 406.
 * A header that does not name the media type gets JSON:API too, because the server has no other representation. At the
 * endpoint of an extension, a header must name the extension or accept everything. A missing header accepts everything.
 *
 * https://jsonapi.org/format/1.1/#content-negotiation-servers
 */
export function negotiateAccept(
  header: string | undefined,
  profiles: readonly string[],
  extensions: SupportedExtensions,
): Negotiated {
  const mediaTypes = parseMediaTypes(header ?? '*/*')
  const instances = mediaTypes.filter(({ name }) => name === MEDIA_TYPE)
  const weighted = instances.filter((instance) => !hasZeroWeight(instance))
  const acceptable = weighted.filter((instance) => isAcceptable(instance, extensions.supported))
  const refused =
    weighted.length > 0 ? acceptable.length === 0 : instances.length > 0 && !mediaTypes.some(isOpenWildcard)
  const named = distinct(acceptable.flatMap((instance) => uriList(instance, 'ext')))
  const { required } = extensions
  const isWildcardNeeded = required !== undefined && !named.includes(required)
  const isRefused = isWildcardNeeded ? !mediaTypes.some(isOpenWildcard) : refused
  const requestedExtensions = isWildcardNeeded ? [...named, required] : named
  if (isRefused) {
    const context = { mediaType: header ?? '', header: 'Accept', extensions: expectedExtensions(extensions) }
    fail('MEDIA_TYPE_UNACCEPTABLE', context, { source: { header: 'Accept' } })
  }
  const requestedProfiles = distinct(acceptable.flatMap((instance) => uriList(instance, 'profile')))
  return Object.freeze({
    profiles: Object.freeze(requestedProfiles.filter((uri) => profiles.includes(uri))),
    extensions: Object.freeze(requestedExtensions),
  })
}

function isAcceptable(instance: MediaType, supported: readonly string[]): boolean {
  if (instance.malformed) return false
  if (!instance.parameters.every(({ name }) => name === 'ext' || name === 'profile' || name === 'q')) return false
  return uriList(instance, 'ext').every((uri) => supported.includes(uri))
}

/** Returns whether the media type has `q=0`, "not acceptable" (RFC 9110, section 12.4.2). A malformed weight is ignored. */
function hasZeroWeight(mediaType: MediaType): boolean {
  return mediaType.parameters.some(({ name, value }) => name === 'q' && /^0(?:\.0{0,3})?$/.test(value))
}

function isOpenWildcard(mediaType: MediaType): boolean {
  return (mediaType.name === '*/*' || mediaType.name === 'application/*') && !hasZeroWeight(mediaType)
}

function distinct(uris: readonly string[]): string[] {
  return [...new Set(uris)]
}

/** The extensions that one kind of route supports: none on the resource routes, exactly one on the atomic route. */
export interface SupportedExtensions {
  readonly supported: readonly string[]
  /** The extension that every request to the route must name, in both headers. */
  readonly required?: string
}

/** Returns the part of an error message about the extensions that a client may name. */
export function expectedExtensions({ required }: SupportedExtensions): string {
  return required === undefined ? 'supported extensions only' : `the extension ${required}`
}
