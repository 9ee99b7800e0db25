import type { AnyQuery } from './query-string.js'
import { readData, readLinkage } from './read-document.js'
import { type SuccessResponse, retryAfter } from './send-request.js'

/** Returns the result of a verb for a document with a resource, with a job or with only meta, or without a document. */
export function resourceResult(success: SuccessResponse, { include }: AnyQuery): object {
  const { status, headers, bytes } = success
  if (bytes !== null)
    return { status, data: bytes, mediaType: bytes.type.replace(/;.*/, ''), etag: headers.get('ETag') }
  const data = readData(success.document, include)
  if (success.status !== 202) return { ...partsOf(success), data }
  return { ...partsOf(success), job: data, retryAfter: retryAfter(success.headers) }
}

/** Returns the result of a verb for a document with linkage, or without a document. */
export function linkageResult(success: SuccessResponse): object {
  return { ...partsOf(success), data: readLinkage(success.document) }
}

function partsOf({ status, headers, document: { meta = {}, links = {} } }: SuccessResponse): object {
  return { status, meta, links, etag: headers.get('ETag') }
}
