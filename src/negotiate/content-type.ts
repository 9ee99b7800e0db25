import { MEDIA_TYPE, parseMediaTypes, uriList } from '../document/media-type.js'
import { fail } from '../errors/json-api-error.js'
import type { SupportedExtensions } from './supported-extensions.js'
import { expectedExtensions } from './supported-extensions.js'

/**
 * Refuses a body whose media type is not JSON:API's, has a parameter other than `ext` and `profile`, names an extension
 * that is not supported here, or lacks the one that is required. A profile in `Content-Type` is legal and turns nothing on.
 *
 * https://jsonapi.org/format/1.1/#content-negotiation-servers
 */
export function checkContentType(header: string | undefined, extensions: SupportedExtensions): void {
  if (header === MEDIA_TYPE && extensions.required === undefined) return
  const [mediaType, ...others] = parseMediaTypes(header ?? '')
  const clean =
    mediaType !== undefined &&
    others.length === 0 &&
    mediaType.name === MEDIA_TYPE &&
    !mediaType.malformed &&
    mediaType.parameters.every(({ name }) => name === 'ext' || name === 'profile')
  if (!clean) refuse(header, extensions)
  const sent = uriList(mediaType, 'ext')
  if (!sent.every((uri) => extensions.supported.includes(uri))) refuse(header, extensions)
  if (extensions.required !== undefined && !sent.includes(extensions.required)) refuse(header, extensions)
}

function refuse(header: string | undefined, extensions: SupportedExtensions): never {
  fail(
    'MEDIA_TYPE_UNSUPPORTED',
    { mediaType: header ?? '', header: 'Content-Type', extensions: expectedExtensions(extensions) },
    { source: { header: 'Content-Type' } },
  )
}
