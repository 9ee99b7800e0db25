import { VARY_ACCEPT } from '../document/media-type.js'
import type { ErrorAnswer } from '../errors/checked-answer.js'
import { checkedAnswer, checkHeaders } from '../errors/checked-answer.js'
import type { HttpResponse } from '../http/response.js'
import type { ResourceNode, ResponseValue, ResultsValue } from '../operation/response-value.js'
import type { PageLinks } from '../pagination/page-description.js'
import type { PageParameters } from '../pagination/page-request.js'
import { pageQuery } from '../pagination/page-url.js'
import { idReader } from '../resource/reading/identifier.js'
import type { RequestContext } from '../resource/request-context.js'
import type { DocumentFrame } from './document-frame.js'
import { DocumentText } from './document-text.js'
import { json, jsonText } from './json.js'
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

/** The answer as it is sent. Every document is written once, from its beginning to its end. */
export function renderResponse(value: ResponseValue | ResultsValue, rendering: Rendering): HttpResponse {
  switch (value.kind) {
    case 'data':
    case 'related':
      return renderResources(value, rendering)
    case 'identifier': {
      const related = value.related === null ? null : { related: urlUnder(rendering.base, value.related) }
      const links = { ...related, ...pageUrls(value.page, rendering), ...value.links }
      return renderDocument(
        { ...value, links, pages: null },
        started(linkageWriter([])('{"data":', value.data)),
        rendering,
      )
    }
    case 'meta':
      return renderDocument(
        { ...value, meta: null, pages: null },
        started(`{"meta":${json(value.meta ?? {})}`),
        rendering,
      )
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
      const document = { ...value, profiles, meta: null, links: null, pages: null }
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
  const { status, profiles, links } = value
  const whole = new DocumentText()
  const text = writeResources('{', resources, { base: rendering.base, whole })
  const pages = page?.links ?? null
  return renderDocument({ status, profiles, headers, meta, links, pages }, { text, whole }, rendering)
}

interface Document
  extends Pick<
    Extract<ResponseValue, { readonly links: unknown }>,
    'status' | 'headers' | 'meta' | 'links' | 'profiles'
  > {
  /** The other pages of the request's own address. */
  readonly pages: PageLinks | null
}

/** A document as far as its first members go. */
interface Started {
  readonly text: string
  /** What is finished of it. */
  readonly whole: DocumentText | null
}

function renderDocument(document: Document, { text, whole }: Started, rendering: Rendering): HttpResponse {
  const { status, meta } = document
  const { extensions, frame } = rendering
  const { headers, jsonapi } = frame(extensions, applied(document.profiles, rendering.profiles))
  let body = text
  if (meta !== null && !isEmpty(meta)) body += `,"meta":${json(meta)}`
  body += `${linksMember(document, rendering)}${jsonapi}}`
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

/**
 * The links of the document, with the comma before them: its own address, those of the other pages, and an author's own, which win
 * over both. A page's own `self` wins over that of the request.
 */
function linksMember({ links: own, pages }: Document, rendering: Rendering): string {
  const { self } = rendering
  if (own !== null && !isEmpty(own)) {
    const named = { ...(self === null ? null : { self }), ...pageUrls(pages, rendering), ...own }
    return `,"links":${json(named)}`
  }
  if (self === null) return ''
  if (pages === null) return `,"links":{"self":${jsonText(self)}}`
  let text = pages.has('self') ? '' : `,"self":${jsonText(self)}`
  for (const [name, parameters] of pages) text += `,"${name}":${jsonText(pageUrl(parameters, rendering))}`
  return `,"links":{${text.slice(1)}}`
}

function pageUrls(pages: PageLinks | null, rendering: Rendering): Readonly<Record<string, string>> {
  if (pages === null || rendering.self === null) return {}
  return Object.fromEntries(Array.from(pages, ([name, parameters]) => [name, pageUrl(parameters, rendering)]))
}

function pageUrl(parameters: PageParameters, { address, query }: Rendering): string {
  const pairs = pageQuery(query, parameters)
  return pairs === '' ? address : `${address}?${pairs}`
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
