import type { BodyStream } from '../../core/http/response.js'
import type { ErrorReply } from '../../core/errors/checked-reply.js'
import type { PageDescription, PageLinks } from '../../declare/pagination/page-description.js'
import type { ServedType } from '../../declare/resource/capabilities/served-type.js'
import type { Identifier } from '../../declare/resource/parts/identifier.js'
import type { RequestContext } from '../../declare/resource/request/request-context.js'
import type { Row } from '../../core/rows/row-set.js'
import type { JsonValue } from '../../core/util/types.js'
import type { QueryParameters } from './query-parameters.js'

/** The fields that every response has. */
interface ResponseFields {
  readonly status: number
  /** A flat list: name, value, name, value. */
  readonly headers: readonly string[]
}

/** The fields of a response with a document. */
interface DocumentFields extends ResponseFields {
  readonly meta: Readonly<Record<string, unknown>> | null
  readonly links: Readonly<Record<string, JsonValue>> | null
  /** URIs of registered profiles that the response applies although the client did not negotiate them. */
  readonly profiles: readonly string[]
}

/** The type and the columns of a set of rows. The nodes of all its rows share one object: see {@link ResourceNode}. */
export interface ResourceRows {
  readonly served: ServedType
  readonly columns: readonly string[]
}

/** The data of one relationship of one resource that were read. See {@link ResourceNode}. */
export interface LoadedRelationship {
  /** The linkage; `undefined` if only the count was read. */
  readonly data: readonly Identifier[] | Identifier | null | undefined
  readonly total: number | null
  /** Links to the other pages of the linkage; `null` if the linkage is not paginated. */
  readonly page: RelationshipPage | null
}

/** The links between the pages of a paginated relationship. See {@link ResourceNode}. */
export interface RelationshipPage {
  readonly links: PageLinks
  /** The query parameters of the links besides `page[...]`, by name and value. */
  readonly query: readonly (readonly [name: string, value: string])[]
}

/** One resource of a document. */
export interface ResourceNode {
  readonly rows: ResourceRows
  readonly row: Row
  /** By the name of the relation. A relation without an entry was not read. */
  readonly relationships: ReadonlyMap<string, LoadedRelationship> | null
  /** Meta that the relation to the resource adds, such as `pivot`. */
  readonly meta: Readonly<Record<string, unknown>> | null
}

/** The resources of a document, and the query parameters that determine how to render them. */
export interface Resources {
  readonly primary: readonly ResourceNode[]
  /** Whether `data` is a list. If not, `data` is the first resource, or `null` if there is none. */
  readonly many: boolean
  /** `null` if nothing was requested to be included: the document then has no member `included`. */
  readonly included: readonly ResourceNode[] | null
  readonly query: QueryParameters
  readonly context: RequestContext
  /** Whether the rows of the primary resources contain their versions. The document of one resource then has an `ETag`. */
  readonly isVersioned?: boolean
  /** Whether everything that the document shows is in the rows of the primary resources. It may then have `Last-Modified`. */
  readonly isInRows?: boolean
}

/** The URL parts of a resource, for a response that links to it without reading it. See {@link ResponseValue}. */
export interface ResourceAddress {
  readonly uriType: string
  readonly id: string
}

interface ResourceDocument extends DocumentFields {
  readonly resources: Resources
  /** `null` if the document is not a page of a collection. */
  readonly page: PageDescription | null
}

/** The result of one operation of a batch: resources, linkage, meta, or no content. See {@link ResultsValue}. */
export type ResultValue = Extract<ResponseValue, { readonly kind: 'data' | 'identifier' | 'meta' | 'noContent' }>

/** The response of an extension that runs several operations: their results. */
export interface ResultsValue extends ResponseFields {
  readonly kind: 'results'
  /** The top-level member of the document that holds the results. */
  readonly member: string
  /** The document contains only the data and the meta of each result. */
  readonly results: readonly ResultValue[]
}

/**
 * The response of a handler before it is rendered: one of seven kinds.
 *
 * @example
 * ```ts
 * const statusOf = (response: ResponseValue) => (response.kind === 'error' ? response.reply.status : response.status)
 * ```
 */
export type ResponseValue =
  | (ResourceDocument & {
      readonly kind: 'data'
      /** The resource whose URL is the `Location` header. */
      readonly location: ResourceNode | null
      /**
       * The resource whose URL is the `Content-Location` header, if the document shows another resource than the
       * requested one.
       */
      readonly contentLocation: ResourceNode | null
    })
  | (DocumentFields & { readonly kind: 'meta' })
  | (ResourceDocument & { readonly kind: 'related' })
  | (DocumentFields & {
      readonly kind: 'identifier'
      readonly data: readonly Identifier[] | Identifier | null
      /** The path segments of the related URL after the base URL; `null` if there is no such endpoint. */
      readonly related: readonly string[] | null
      readonly page: PageLinks | null
    })
  | (ResponseFields & {
      readonly kind: 'noContent'
      /** The resource whose URL is the `Location` header. */
      readonly location?: ResourceAddress | null
      /** The written resource, which is not rendered. Later operations of an atomic batch refer to it. */
      readonly written?: ResourceNode
    })
  /** The bytes of an action, with the header `Content-Type`. */
  | (ResponseFields & { readonly kind: 'bytes'; readonly content: Uint8Array | BodyStream })
  | { readonly kind: 'error'; readonly reply: ErrorReply }

/** The fields of a response that have defaults. */
type OptionalFields<Kind extends 'data' | 'related' | 'identifier'> = Partial<
  Omit<Extract<ResponseValue, { kind: Kind }>, 'kind' | 'resources' | 'data'>
>

const noStrings: readonly string[] = Object.freeze([])
const defaults = Object.freeze({ status: 200, headers: [], meta: null, links: null, profiles: [], page: null })

/** Returns a response with a document of resources; the default status is 200. */
export function dataResponse(
  resources: Resources,
  options: OptionalFields<'data'> = {},
): Extract<ResponseValue, { kind: 'data' }> {
  const { status = 200, headers = noStrings, meta = null, links = null, profiles = noStrings, page = null } = options
  const { location = null, contentLocation = null } = options
  return { kind: 'data', status, headers, meta, links, profiles, page, location, contentLocation, resources }
}

/** Returns a response with a document of the related resources of a relationship. */
export function relatedResponse(
  resources: Resources,
  options: OptionalFields<'related'> = {},
): Extract<ResponseValue, { kind: 'related' }> {
  return { kind: 'related', ...defaults, ...options, resources }
}

/** Returns a response with a document of linkage. */
export function identifierResponse(
  data: readonly Identifier[] | Identifier | null,
  options: OptionalFields<'identifier'> = {},
): Extract<ResponseValue, { kind: 'identifier' }> {
  return { kind: 'identifier', ...defaults, related: null, ...options, data }
}

/** Returns a response with a document that contains only meta. */
export function metaResponse(
  meta: Readonly<Record<string, unknown>>,
  options: Partial<ResponseFields> = {},
): Extract<ResponseValue, { kind: 'meta' }> {
  return { kind: 'meta', status: 200, headers: [], links: null, profiles: [], ...options, meta }
}

/** Returns a 204 response. */
export function noContentResponse(
  options?: Partial<Omit<Extract<ResponseValue, { kind: 'noContent' }>, 'kind' | 'status'>>,
): Extract<ResponseValue, { kind: 'noContent' }> {
  return options === undefined
    ? { kind: 'noContent', status: 204, headers: noStrings }
    : { kind: 'noContent', status: 204, headers: noStrings, ...options }
}

/** Returns a response with a document of the results of several operations. */
export function resultsResponse(member: string, results: readonly ResultValue[]): ResultsValue {
  return { kind: 'results', status: 200, headers: [], member, results }
}

/** Returns a 303 response that redirects to a URL, used unchanged, or to a resource. */
export function seeOtherResponse(target: string | ResourceAddress): Extract<ResponseValue, { kind: 'noContent' }> {
  const [headers, location] = typeof target === 'string' ? [['Location', target], null] : [[], target]
  return { kind: 'noContent', status: 303, headers, location }
}
