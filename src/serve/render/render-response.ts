import { VARY_ACCEPT, VARY_ACCEPT_PREFER } from '../../core/document/media-type.js'
import type { ErrorReply } from '../../core/errors/checked-reply.js'
import { checkedReply, checkHeaders } from '../../core/errors/checked-reply.js'
import type { HttpResponse } from '../../core/http/response.js'
import type { ResourceNode, ResponseValue, ResultsValue } from '../operation/response-value.js'
import { isPlainObject } from '../../core/util/deep-freeze.js'
import type { PageLinkName, PageLinks } from '../../declare/pagination/page-description.js'
import type { PageParameters } from '../../declare/pagination/page-request.js'
import type { PageQuery } from '../../declare/pagination/page-url.js'
import { idReader } from '../../declare/resource/reading/row-linkage.js'
import type { RequestContext } from '../../declare/resource/request/request-context.js'
import type { Awaitable } from '../../core/util/types.js'
import type { DocumentFrame } from './document-frame.js'
import type { DocumentBuffer } from './document-text.js'
import { DocumentText } from './document-text.js'
import { renderExport } from './export-writer.js'
import { json } from './json.js'
import { linkageWriter } from './linkage-writer.js'
import { withLoggedStream } from './logged-stream.js'
import { resourceUrl } from '../../core/http/encoded-uri.js'
import { writeResources } from './resources-writer.js'
import { writeResults } from './results-writer.js'
import type { Validators } from './validators.js'
import { validatorsOf } from './validators.js'

/** The values that rendering needs besides the response value of the handler. Its URLs are encoded, so JSON needs no escapes in them. */
export interface RenderOptions {
  /** The URL before `/{uriType}`: the base URI and the prefix of the server. */
  readonly base: string
  /** The URL of the request, or of the GET request with the same response; `null` if there is none, or if it is too long. */
  readonly self: string | null
  /** The URL of the request without its query, valid as a URI. Links to other pages use it. */
  readonly address: string
  /** The URL of the OpenAPI document; `null` if documents do not link to it. */
  readonly describedby: string | null
  /** The query string of the request, valid as a URI; `null` if no URL has room for it. */
  readonly query: string | null
  /** The maximum length of a query string in a URL of this path. */
  readonly maxQuery: number
  readonly buffer: DocumentBuffer
  readonly pageQuery: PageQuery
  /** Returns the parts that all documents of the server have in common. */
  readonly frame: DocumentFrame
  /** The profiles and extensions that the client negotiated. */
  readonly profiles: readonly string[]
  readonly extensions: readonly string[]
  /** The maximum size of the document. */
  readonly maxBytes: number
  /** Logs what the client cannot be told: that an attribute was left out, or why a stream was cut. */
  readonly log: (thrown: unknown) => void
  /** Whether a successful response depends on the header `Prefer`. */
  readonly dependsOnPrefer: boolean
}

/** Renders the HTTP response. A document is written once, from start to end. Returns a promise if it is long. */
export function renderResponse(value: ResponseValue | ResultsValue, rendering: RenderOptions): Awaitable<HttpResponse> {
  switch (value.kind) {
    case 'data':
    case 'related':
      return renderResources(value, rendering)
    case 'identifier': {
      const related = value.related === null ? null : { related: urlUnder(rendering.base, value.related) }
      const { urls, unlinked } = pageUrls(value.page, rendering)
      const links = { ...related, ...Object.fromEntries(urls), ...value.links }
      return renderDocument(
        { ...value, meta: withPages(value.meta, unlinked), links, pages: null },
        partialDocument(
          linkageWriter([])('{"data":', value.data),
          rendering,
          Array.isArray(value.data) ? 'page' : null,
        ),
        rendering,
      )
    }
    case 'meta':
      return renderDocument(
        { ...value, meta: null, pages: null },
        partialDocument(`{"meta":${json(value.meta ?? {})}`, rendering, null),
        rendering,
      )
    case 'noContent': {
      const { status, location = null, headers } = value
      const locationHeader = location === null ? [] : ['Location', resourceUrl(location, location.id, rendering.base)]
      const vary = rendering.dependsOnPrefer ? VARY_ACCEPT_PREFER : VARY_ACCEPT
      return { status, headers: [...vary, ...locationHeader, ...checkedHeaders(headers)], body: null }
    }
    case 'export':
      return withLoggedStream(renderExport(value, rendering.log), rendering.log)
    case 'bytes': {
      const headers = [...VARY_ACCEPT, ...checkedHeaders(value.headers)]
      return withLoggedStream({ status: value.status, headers, body: value.content }, rendering.log)
    }
    case 'results': {
      const profiles = value.results.flatMap((result) => ('profiles' in result ? result.profiles : []))
      const whole = documentText(rendering, null)
      const writing = { base: rendering.base, output: whole, onUnshown: rendering.log }
      const written = writeResults(`{${json(value.member)}:`, value.results, writing)
      // The results of a POST have no URL, so the document has no `self` link.
      const { status, headers } = value
      const document = { status, headers, profiles, meta: null, links: null, pages: null }
      return written.then((text) => renderDocument(document, { text, whole }, { ...rendering, self: null }))
    }
    case 'error':
      return renderError(checkedReply(value.reply), rendering)
  }
}

/** Renders an error document. It has no `self` link, because the URL of the request does not return this document. */
export function renderError(reply: ErrorReply, { frame, extensions, profiles }: RenderOptions): HttpResponse {
  const { headers, jsonapi } = frame(extensions, profiles)
  return {
    status: reply.status,
    headers: withHeaders(headers, reply.headers),
    body: `{"errors":${json(reply.errors)}${jsonapi}}`,
  }
}

type ResourceDocument = Extract<ResponseValue, { readonly resources: unknown }>

function renderResources(value: ResourceDocument, rendering: RenderOptions): Awaitable<HttpResponse> {
  const { resources, page } = value
  const hasLocation = value.kind === 'data' && (value.location !== null || value.contentLocation !== null)
  const locations = hasLocation ? locationHeaders(value, rendering) : none
  const pages = page === null ? null : pageUrls(page.links, rendering)
  const meta = pages === null ? value.meta : withPages({ page: page?.meta, ...value.meta }, pages.unlinked)
  const { status, profiles, headers, links } = value
  const isCompound = resources.included !== null && resources.included.length > 0
  const whole = documentText(rendering, isCompound ? 'include' : resources.many ? 'page' : null)
  const { base, log } = rendering
  const written = writeResources('{', resources, { base, output: whole, onUnshown: log })
  const validators = resources.isVersioned === true && !resources.many ? validatorsOf(resources) : null
  const document = { status, profiles, locations, headers, meta, links, pages: pages?.urls ?? null, validators }
  if (typeof written === 'string') return renderDocument(document, { text: written, whole }, rendering)
  return written.then((text) => renderDocument(document, { text, whole }, rendering))
}

interface Document
  extends Pick<
    Extract<ResponseValue, { readonly links: unknown }>,
    'status' | 'headers' | 'meta' | 'links' | 'profiles'
  > {
  /** `Location` and `Content-Location`. They need no check, because URLs are encoded. */
  readonly locations?: readonly string[]
  /** The links to the other pages of the requested collection. */
  readonly pages: readonly PageUrl[] | null
  /** Returns the headers that identify the state of the resource; `null` if there are none. */
  readonly validators?: Validators | null
}

/** The first members of a document, before `meta`, `links` and `jsonapi` are written. */
interface PartialDocument {
  /** The text that is not yet converted to bytes. */
  readonly text: string
  /** The part that is already converted to bytes. */
  readonly whole: DocumentText
}

function renderDocument(document: Document, { text, whole }: PartialDocument, rendering: RenderOptions): HttpResponse {
  const { status, meta } = document
  const { extensions, frame, dependsOnPrefer } = rendering
  const { headers, preferHeaders, jsonapi } = frame(extensions, appliedProfiles(document.profiles, rendering.profiles))
  let body = text
  if (meta !== null && !isEmpty(meta)) body += `,"meta":${json(meta)}`
  body += `${linksMember(document, rendering)}${jsonapi}}`
  const written = whole.end(body)
  const { locations = none, validators = null } = document
  const additional = withHeaders(locations, checkedHeaders(document.headers))
  const tagged = validators === null ? additional : [...additional, ...validators(written)]
  return { status, headers: withHeaders(dependsOnPrefer ? preferHeaders : headers, tagged), body: written }
}

const none: readonly string[] = Object.freeze([])

function partialDocument(text: string, rendering: RenderOptions, parameter: string | null): PartialDocument {
  return { text, whole: documentText(rendering, parameter) }
}

/** @param parameter the query parameter with which a client can make the document smaller */
function documentText({ maxBytes, buffer }: RenderOptions, parameter: string | null): DocumentText {
  return new DocumentText(maxBytes, parameter, buffer)
}

function isEmpty(members: object): boolean {
  return Object.keys(members).length === 0
}

/**
 * Writes the links of the document, with a leading comma: `self`, the other pages, and user-defined links, which
 * override both. The `self` link of a page overrides the URL of the request.
 */
function linksMember({ links: userDefined, pages }: Document, rendering: RenderOptions): string {
  const { self, describedby } = rendering
  if (userDefined !== null && !isEmpty(userDefined)) {
    const described = describedby === null ? null : { describedby }
    const links = {
      ...(self === null ? null : { self }),
      ...described,
      ...Object.fromEntries(pages ?? []),
      ...userDefined,
    }
    return `,"links":${json(links)}`
  }
  let text = self === null || pages?.some(([name]) => name === 'self') === true ? '' : `,"self":"${self}"`
  for (const [name, url] of pages ?? []) text += `,"${name}":"${url}"`
  if (describedby !== null) text += `,"describedby":"${describedby}"`
  return text === '' ? '' : `,"links":{${text.slice(1)}}`
}

type PageUrl = readonly [name: PageLinkName, url: string]

interface PageUrls {
  readonly urls: readonly PageUrl[]
  /** The pages whose URL would be too long. */
  readonly unlinked: readonly (readonly [name: PageLinkName, parameters: PageParameters])[]
}

const noPages: PageUrls = Object.freeze({ urls: Object.freeze([]), unlinked: Object.freeze([]) })

/** Returns the URLs of pages. A link that the server would refuse would be dead: such a page has no link. */
function pageUrls(pages: PageLinks | null, { address, query, maxQuery, pageQuery }: RenderOptions): PageUrls {
  if (pages === null) return noPages
  if (query === null) return { urls: noPages.urls, unlinked: [...pages] }
  const urls: PageUrl[] = []
  const unlinked: (readonly [PageLinkName, PageParameters])[] = []
  for (const [name, parameters] of pages) {
    const pairs = pageQuery(query, parameters)
    if (pairs.length > maxQuery) unlinked.push([name, parameters])
    else urls.push([name, pairs === '' ? address : `${address}?${pairs}`])
  }
  return { urls, unlinked }
}

type Meta = Readonly<Record<string, unknown>> | null

/** Adds the parameters of the pages that have no link: `{"page": {"unlinked": {"next": {"page[number]": "2"}}}}`. */
function withPages(meta: Meta, unlinked: PageUrls['unlinked']): Meta {
  const others = unlinked.filter(([name]) => name !== 'self')
  if (others.length === 0) return meta
  const pages = Object.fromEntries(others.map(([name, parameters]) => [name, namedParameters(parameters)]))
  const page: unknown = meta?.['page']
  return { ...meta, page: { ...(isPlainObject(page) ? page : null), unlinked: pages } }
}

function namedParameters(parameters: PageParameters): Readonly<Record<string, string>> {
  return Object.fromEntries([...parameters].map(([key, value]) => [`page[${key}]`, value]))
}

function locationHeaders(
  { location, contentLocation, resources }: Extract<ResponseValue, { kind: 'data' }>,
  { base }: RenderOptions,
): readonly string[] {
  const { context } = resources
  return [
    ...(location === null ? [] : ['Location', nodeUrl(location, context, base)]),
    ...(contentLocation === null ? [] : ['Content-Location', nodeUrl(contentLocation, context, base)]),
  ]
}

function nodeUrl({ rows, row }: ResourceNode, context: RequestContext, base: string): string {
  const { served, columns } = rows
  return resourceUrl(served.type, idReader(served, columns)(row, context), base)
}

function urlUnder(base: string, segments: readonly string[]): string {
  return [base, ...segments.map((segment) => encodeURIComponent(segment.toWellFormed()))].join('/')
}

/** Returns the profiles of the response: those that the response value names, then those that the client negotiated. */
function appliedProfiles(named: readonly string[], negotiated: readonly string[]): readonly string[] {
  if (named.length === 0) return negotiated
  return negotiated.length === 0 ? named : [...new Set([...named, ...negotiated])]
}

/**
 * Checks the headers of a handler before any part of the response is sent: a line break in a header could split the
 * response.
 */
function checkedHeaders(headers: readonly string[]): readonly string[] {
  if (headers.length > 0) checkHeaders(headers)
  return headers
}

function withHeaders(headers: readonly string[], additional: readonly string[]): readonly string[] {
  return additional.length === 0 ? headers : [...headers, ...additional]
}
