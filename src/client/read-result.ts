import type { AnyQuery } from './query-string.js'
import { type RawDocument, readData, readLinkage } from './read-document.js'
import { type Answer, retryAfter } from './send-request.js'

/** Returns what a verb returns for a document with a resource, a job, only meta, or for none. */
export function resourceResult(answer: Answer, { include }: AnyQuery): object {
  const data = dataOf(answer.document, (document) => readData(document, include))
  if (answer.status !== 202) return { ...partsOf(answer), data }
  return { ...partsOf(answer), job: data, retryAfter: retryAfter(answer.headers) }
}

/** Returns what a verb returns for a document with linkage, or for none. */
export function linkageResult(answer: Answer): object {
  return { ...partsOf(answer), data: dataOf(answer.document, readLinkage) }
}

function partsOf({ status, headers, document: { meta = {}, links = {} } }: Answer): object {
  return { status, meta, links, etag: headers.get('ETag') }
}

function dataOf(document: RawDocument, read: (document: RawDocument) => unknown): unknown {
  return document.data === undefined ? null : read(document)
}
