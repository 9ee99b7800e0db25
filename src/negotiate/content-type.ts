import { MEDIA_TYPE, parseMediaTypes, uriList } from '../document/media-type.js'
import { fail } from '../errors/json-api-error.js'
import type { SupportedExtensions } from './supported-extensions.js'
import { expectedExtensions } from './supported-extensions.js'

/**
 * Fails with 415 if the media type of a body is not the JSON:API media type, has a parameter other than `ext` and
 * `profile`, names an unsupported extension, or does not name the required extension. A profile in `Content-Type` is
 * allowed and has no effect.
 *
 * https://jsonapi.org/format/1.1/#content-negotiation-servers
 */
export function checkContentType(header: string | undefined, extensions: SupportedExtensions): void {
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
