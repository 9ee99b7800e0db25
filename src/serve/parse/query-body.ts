import { fail, failAll, problem } from '../../core/errors/json-api-error.js'
import { FORM, JSON_TYPE, parseMediaTypes } from '../../core/document/media-type.js'
import type { HttpRequest } from '../../core/http/request.js'
import type { BodyBounds } from './body.js'
import { readBody } from './body.js'
import { parseQueryString } from './query-string.js'

/** Returns the header that names the media types of QUERY requests: https://www.rfc-editor.org/rfc/rfc10008#name-the-accept-query-header-fie */
export function acceptQuery(mediaTypes: readonly string[]): readonly [name: string, value: string] {
  return ['Accept-Query', mediaTypes.join(', ')]
}

/** The query in the body of a QUERY request: a query string, or a JSON value, which is `undefined` if the body is empty. */
export type SentQuery =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'json'; readonly document: unknown }

/**
 * Returns the query in the body of a QUERY request. Fails with 415 for other content, and with 400 if the URL has parameters too:
 * they would be a second place for the same parameters, and caches and logs would see only a part of the query.
 */
export async function readQueryBody(
  request: HttpRequest,
  bounds: BodyBounds,
  { mediaTypes, maxParameters }: { readonly mediaTypes: readonly string[]; readonly maxParameters: number },
): Promise<SentQuery> {
  const mediaType = checkedMediaType(request.header('content-type'), mediaTypes)
  if (request.query !== '') refuseParameters(request.query)
  if (mediaType === JSON_TYPE)
    return { kind: 'json', document: (await readBody(request, 'extension', bounds)).document }
  const { bytes } = await readBody(request, 'bytes', bounds)
  const text = bytes === null ? '' : queryText(bytes)
  checkParameters(text, maxParameters)
  return { kind: 'text', text }
}

/** Returns how many parameters a body may have: two long lists, with one parameter for each value. */
export function parametersInBody(maxFilterValues: number): number {
  return Math.max(1000, 2 * maxFilterValues)
}

/** Limits the time of parsing: a body has room for many more parameters than a URL. */
export function requireParameters(count: number, limit: number, pointer?: string): void {
  if (count <= limit) return
  fail(
    'LIMIT_EXCEEDED',
    { limit, subject: 'parameters in a query' },
    pointer === undefined ? {} : { source: { pointer } },
  )
}

function checkParameters(text: string, limit: number): void {
  let count = 1
  for (let at = text.indexOf('&'); at !== -1 && count <= limit; at = text.indexOf('&', at + 1)) count += 1
  requireParameters(count, limit)
}

/** A request without content needs the header, too: https://www.rfc-editor.org/rfc/rfc10008#name-media-types-and-content-neg */
function checkedMediaType(header: string | undefined, mediaTypes: readonly string[]): string {
  if (header === FORM) return header
  const [mediaType, ...others] = parseMediaTypes(header ?? '')
  const isAccepted =
    mediaType !== undefined &&
    others.length === 0 &&
    mediaTypes.includes(mediaType.name) &&
    !mediaType.malformed &&
    mediaType.parameters.every(({ name, value }) => name === 'charset' && value.toLowerCase() === 'utf-8')
  if (isAccepted) return mediaType.name
  return fail(
    'QUERY_MEDIA_TYPE_UNSUPPORTED',
    { mediaType: header ?? '', header: 'Content-Type', accepted: mediaTypes.join(' or ') },
    { source: { header: 'Content-Type' }, headers: acceptQuery(mediaTypes) },
  )
}

function refuseParameters(query: string): void {
  const families = new Set(parseQueryString(query).map(({ path }) => path[0]))
  if (families.size === 0) return
  failAll([...families].map((param) => problem('QUERY_PARAM_IN_URL', { param }, { source: { parameter: param } })))
}

// Can be shared, because only streaming decodes keep state between calls.
const UTF8 = new TextDecoder('utf-8', { fatal: true })

function queryText(bytes: Uint8Array): string {
  try {
    return UTF8.decode(bytes).replaceAll(controlCharacters, encodeURIComponent)
  } catch {
    return fail('QUERY_BODY_MALFORMED')
  }
}

/** Characters that no URL contains: what is cached by query strings relies on it. */
// oxlint-disable-next-line no-control-regex
const controlCharacters = /[\u0000-\u001F\u007F]/g
