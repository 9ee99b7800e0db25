import { VARY_ACCEPT } from '../document/media-type.js'
import type { ErrorAnswer } from '../errors/checked-answer.js'
import { checkedAnswer, checkHeaders } from '../errors/checked-answer.js'
import type { HttpResponse } from '../http/response.js'
import type { ResourceNode, ResponseValue, ResultsValue } from '../operation/response-value.js'
import type { PageLinks } from '../pagination/page-description.js'
import { pageQuery } from '../pagination/page-url.js'
import { idReader } from '../resource/reading/identifier.js'
import type { RequestContext } from '../resource/request-context.js'
import type { DocumentFrame } from './document-frame.js'
import { DocumentText } from './document-text.js'
import { json } from './json.js'
import { linkageWriter } from './linkage-writer.js'
import { resourceUrl } from './resource-writer.js'
import { writeResources } from './resources-writer.js'
import { writeResults } from './results-writer.js'

/** What a document says besides the handler's answer. */
export interface Rendering {
  /** What stands before `/{uriType}`: the base URI and the server's prefix. */
  readonly base: string
  /** The request's own address, `null` when no request was made. */
  readonly self: string | null
  /** The same without its query, and the query as it was sent, both fit for a URI; other pages lie there. */
  readonly address: string
  readonly query: string
  /** What every document of the server says of itself. */
  readonly frame: DocumentFrame
  /** What the client negotiated. */
  readonly profiles: readonly string[]
  readonly extensions: readonly string[]
}

/** The answer as text. Every document is one string, written once. */
export function renderResponse(value: ResponseValue | ResultsValue, rendering: Rendering): HttpResponse {
  switch (value.kind) {
    case 'data':
    case 'related':
      return renderResources(value, rendering)
    case 'identifier': {
      const related = value.related === null ? null : { related: urlUnder(rendering.base, value.related) }
      const links = { ...related, ...(value.page === null ? null : pageLinks(value.page, rendering)), ...value.links }
      return renderDocument({ ...value, links }, started(linkageWriter([])('{"data":', value.data)), rendering)
    }
    case 'meta':
      return renderDocument({ ...value, meta: null }, started(`{"meta":${json(value.meta ?? {})}`), rendering)
    case 'noContent': {
      const { status, location = null, headers } = value
      const there = location === null ? [] : ['Location', resourceUrl(location, location.id, rendering.base)]
      return { status, headers: [...VARY_ACCEPT, ...there, ...checkedHeaders(headers)], body: null }
    }
    case 'results': {
      const profiles = value.results.flatMap((result) => ('profiles' in result ? result.profiles : []))
      const whole = new DocumentText()
      const text = writeResults(`{${json(value.member)}:`, value.results, { base: rendering.base, whole })
      // What a POST did has no address of its own: there is nothing to link to.
      const document = { ...value, profiles, meta: null, links: null }
      return renderDocument(document, { text, whole }, { ...rendering, self: null })
    }
    case 'error':
      return renderError(checkedAnswer(value.answer), rendering)
  }
}

/** An error document has no `self`: it is about the request, not at its address. */
export function renderError(answer: ErrorAnswer, { frame, extensions, profiles }: Rendering): HttpResponse {
  const { headers, jsonapi } = frame(extensions, profiles)
  return {
    status: answer.status,
    headers: withHeaders(headers, answer.headers),
    body: `{"errors":${json(answer.errors)}${jsonapi}}`,
  }
}

type ResourceDocument = Extract<ResponseValue, { readonly resources: unknown }>

function renderResources(value: ResourceDocument, rendering: Rendering): HttpResponse {
  const { resources, page } = value
  const isPlaced = value.kind === 'data' && (value.location !== null || value.contentLocation !== null)
  const headers = isPlaced ? [...locationHeaders(value, rendering), ...value.headers] : value.headers
  const meta = page === null ? value.meta : { page: page.meta, ...value.meta }
  const links = page === null ? value.links : { ...pageLinks(page.links, rendering), ...value.links }
  const { status, profiles } = value
  const whole = new DocumentText()
  const text = writeResources('{', resources, { base: rendering.base, whole })
  return renderDocument({ status, profiles, headers, meta, links }, { text, whole }, rendering)
}

type Document = Pick<
  Extract<ResponseValue, { readonly links: unknown }>,
  'status' | 'headers' | 'meta' | 'links' | 'profiles'
>

/** A document as far as its first members go. */
interface Started {
  readonly text: string
  /** What is finished of it. */
  readonly whole: DocumentText | null
}

function renderDocument(document: Document, { text, whole }: Started, rendering: Rendering): HttpResponse {
  const { status, meta, links } = document
  const { self, extensions, frame } = rendering
  const { headers, jsonapi } = frame(extensions, applied(document.profiles, rendering.profiles))
  let body = text
  if (meta !== null && !isEmpty(meta)) body += `,"meta":${json(meta)}`
  if (links !== null && !isEmpty(links)) body += `,"links":${json(self === null ? links : { self, ...links })}`
  else if (self !== null) body += `,"links":{"self":${json(self)}}`
  body += `${jsonapi}}`
  return {
    status,
    headers: withHeaders(headers, checkedHeaders(document.headers)),
    body: whole === null ? body : whole.end(body),
  }
}

function started(text: string): Started {
  return { text, whole: null }
}

function isEmpty(members: object): boolean {
  return Object.keys(members).length === 0
}

/** The other pages of the request's own address. A page's own `self` wins over that of the request. */
function pageLinks(links: PageLinks, { self, address, query }: Rendering): Readonly<Record<string, string>> {
  const urls: Record<string, string> = {}
  if (self === null) return urls
  for (const [name, parameters] of links) {
    const pairs = pageQuery(query, parameters)
    urls[name] = pairs === '' ? address : `${address}?${pairs}`
  }
  return urls
}

function locationHeaders(
  { location, contentLocation, resources }: Extract<ResponseValue, { kind: 'data' }>,
  { base }: Rendering,
): readonly string[] {
  const { context } = resources
  return [
    ...(location === null ? [] : ['Location', addressOf(location, context, base)]),
    ...(contentLocation === null ? [] : ['Content-Location', addressOf(contentLocation, context, base)]),
  ]
}

function addressOf({ rows, row }: ResourceNode, context: RequestContext, base: string): string {
  const { served, columns } = rows
  return resourceUrl(served.type, idReader(served, columns)(row, context), base)
}

function urlUnder(base: string, segments: readonly string[]): string {
  return [base, ...segments.map((segment) => encodeURIComponent(segment.toWellFormed()))].join('/')
}

/** What the answer applies of itself comes first. */
function applied(own: readonly string[], negotiated: readonly string[]): readonly string[] {
  if (own.length === 0) return negotiated
  return negotiated.length === 0 ? own : [...new Set([...own, ...negotiated])]
}

/** A handler's own headers, before anything of the answer has left: a line break in one would break it in two. */
function checkedHeaders(headers: readonly string[]): readonly string[] {
  if (headers.length > 0) checkHeaders(headers)
  return headers
}

function withHeaders(usual: readonly string[], further: readonly string[]): readonly string[] {
  return further.length === 0 ? usual : [...usual, ...further]
}
