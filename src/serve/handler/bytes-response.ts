import { acceptedAmong, isActiveContent, isAmong } from '../../core/document/accepted-types.js'
import { NO_SNIFF } from '../../core/document/media-type.js'
import { checkHeaders } from '../../core/errors/checked-reply.js'
import { fail } from '../../core/errors/json-api-error.js'
import { isBodyStream } from '../../core/http/body-stream.js'
import { contentDisposition } from '../../core/http/content-disposition.js'
import type { CompiledAction } from '../../declare/resource/actions/compiled-action.js'
import { sentMediaTypes } from '../../declare/resource/actions/compiled-action.js'
import type { BytesReply } from '../../declare/resource/replies/reply.js'
import type { RequestContext } from '../../declare/resource/request/request-context.js'
import { refuseBodyType } from '../negotiate/body-type.js'
import type { ActionCall } from '../operation/action-call.js'
import type { ResponseValue } from '../operation/response-value.js'
import type { ReadContext } from '../read/read-context.js'

/** Returns the declared media types of an action that the client accepts, the preferred one first. */
export function acceptedTypes(action: CompiledAction, { request }: RequestContext): readonly string[] {
  return acceptedAmong(request?.header('accept'), sentMediaTypes(action) ?? [])
}

/** Returns the media type of the bytes of a call, which a program may leave out if there is only one. Fails with 415 if it is not declared. */
export function inputTypeOf(declared: readonly string[], { mediaType, context: { request } }: ActionCall): string {
  const [only = ''] = declared
  const isLeftOut = mediaType === undefined && request === null && declared.length === 1 && !only.endsWith('*')
  const sent = isLeftOut ? only : (mediaType ?? '').toLowerCase()
  return isAmong(sent, declared) ? sent : refuseBodyType(mediaType, declared)
}

/** Fails with 406 if a client accepts none of the media types that an action responds with. */
export function refuseAccept(accept: string | undefined, offered: readonly string[]): never {
  const context = { header: 'Accept', mediaType: accept ?? '', offered: offered.join(', ') }
  return fail('RESPONSE_TYPE_UNACCEPTABLE', context, { source: { header: 'Accept' } })
}

/**
 * Converts a reply with bytes to a response. Throws a `TypeError` if it is not as declared, and fails with 406 if the client does not accept
 * its media type.
 */
export function bytesResponse(reply: BytesReply, action: CompiledAction, { context }: ReadContext): ResponseValue {
  const name = `The action '${action.path}' of '${context.type}'`
  const { content } = reply
  if (!(content instanceof Uint8Array || isBodyStream(content))) {
    throw new TypeError(`${name} returned reply.bytes() without bytes: give a Uint8Array, or a stream of them.`)
  }
  const mediaType = typeOf(reply, action, name)
  if (!acceptedTypes(action, context).includes(mediaType)) {
    refuseAccept(context.request?.header('accept'), sentMediaTypes(action) ?? [])
  }
  const headers = [...headersOf(reply, mediaType), ...lengthOf(reply, name)]
  checkHeaders(headers)
  return { kind: 'bytes', status: 200, headers, content }
}

function typeOf({ mediaType }: BytesReply, action: CompiledAction, name: string): string {
  const declared = sentMediaTypes(action) ?? []
  const [only, ...others] = declared
  if (mediaType === undefined && only !== undefined && others.length === 0) return only
  const given = mediaType?.toLowerCase()
  if (given !== undefined && declared.includes(given)) return given
  const problem = mediaType === undefined ? 'without mediaType' : `with the media type '${mediaType}'`
  throw new TypeError(
    `${name} returned reply.bytes() ${problem}: give one that bytes() declares, ${declared.join(', ')}.`,
  )
}

function headersOf(
  { fileName, inline, etag, lastModified, cacheControl }: BytesReply,
  mediaType: string,
): readonly string[] {
  return [
    'Content-Type',
    mediaType.startsWith('text/') ? `${mediaType}; charset=utf-8` : mediaType,
    ...NO_SNIFF,
    'Accept-Ranges',
    'none',
    ...(fileName === undefined ? [] : ['Content-Disposition', contentDisposition(fileName, inline === true)]),
    ...(isActiveContent(mediaType) ? ['Content-Security-Policy', 'sandbox'] : []),
    ...(etag === undefined ? [] : ['ETag', `"${etag}"`]),
    ...(lastModified === undefined ? [] : ['Last-Modified', lastModified.toUTCString()]),
    ...(cacheControl === undefined ? [] : ['Cache-Control', cacheControl]),
  ]
}

/** Adapters know the length of all bodies but streams. */
function lengthOf({ content, length }: BytesReply, name: string): readonly string[] {
  if (length === undefined || content instanceof Uint8Array) return []
  if (Number.isSafeInteger(length) && length >= 0) return ['Content-Length', String(length)]
  throw new TypeError(`${name} returned reply.bytes() with the length ${length}: give a whole number of bytes.`)
}
