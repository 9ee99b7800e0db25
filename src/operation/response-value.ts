import type { ErrorAnswer } from '../errors/checked-answer.js'
import type { PageDescription, PageLinks } from '../pagination/page-description.js'
import type { ServedType } from '../resource/capabilities/served-type.js'
import type { Identifier } from '../resource/identifier.js'
import type { RequestContext } from '../resource/request-context.js'
import type { Row } from '../rows/row-set.js'
import type { JsonValue } from '../util/types.js'
import type { QueryParameters } from './query-parameters.js'

/** What every answer may carry. */
interface Extras {
  readonly status: number
  /** Name and value by turns. */
  readonly headers: readonly string[]
}

interface DocumentExtras extends Extras {
  readonly meta: Readonly<Record<string, unknown>> | null
  readonly links: Readonly<Record<string, JsonValue>> | null
  /** URIs of registered profiles that the answer applies although nobody asked for them. */
  readonly profiles: readonly string[]
}

/** Rows of one type as they were read: their columns are known once for all of them. */
export interface ResourceRows {
  readonly served: ServedType
  readonly columns: readonly string[]
}

/** What was read of one relationship of one resource. */
export interface LoadedRelationship {
  /** `undefined` where only the count was read. */
  readonly data: readonly Identifier[] | Identifier | null | undefined
  readonly total: number | null
  /** The other pages of the linkage, when `data` is one of them. */
  readonly page: RelationshipPage | null
}

export interface RelationshipPage {
  readonly links: PageLinks
  /** What the links carry besides `page[...]`: names and values of query parameters. */
  readonly query: readonly (readonly [name: string, value: string])[]
}

/** One resource of a document. */
export interface ResourceNode {
  readonly rows: ResourceRows
  readonly row: Row
  /** By the name of the relation; a relation that is not here was not read. */
  readonly relationships: ReadonlyMap<string, LoadedRelationship> | null
  /** Meta that the way to the resource adds, such as `pivot`. */
  readonly meta: Readonly<Record<string, unknown>> | null
}

/** The resources of a document, and the operation's query, which says how they are to be shown. */
export interface Resources {
  readonly primary: readonly ResourceNode[]
  /** Whether `data` is a list; otherwise it is the first resource, or `null` when there is none. */
  readonly many: boolean
  /** `null` when nothing was asked to be included: the document then has no such member. */
  readonly included: readonly ResourceNode[] | null
  readonly query: QueryParameters
  readonly context: RequestContext
}

/** A resource that need not be read to say where it is. */
export interface ResourceAddress {
  readonly uriType: string
  readonly id: string
}

interface ResourceDocument extends DocumentExtras {
  readonly resources: Resources
  /** `null` for what is no page of a collection. */
  readonly page: PageDescription | null
}

/** What became of one operation of several: a resource, linkage, meta, or nothing to tell. */
export type ResultValue = Extract<ResponseValue, { readonly kind: 'data' | 'identifier' | 'meta' | 'noContent' }>

/** What an extension answers besides: the results of several operations. */
export interface ResultsValue extends Extras {
  readonly kind: 'results'
  /** The member of the document that they stand in. */
  readonly member: string
  /** Of each its data and meta are shown, and nothing else. */
  readonly results: readonly ResultValue[]
}

/** What a handler answers, before anything is written: one of six kinds. */
export type ResponseValue =
  | (ResourceDocument & {
      readonly kind: 'data'
      /** The resource whose address is the `Location` of the answer. */
      readonly location: ResourceNode | null
      /** The same for the `Content-Location`: the resource that the document is of, when the request asked for another. */
      readonly contentLocation: ResourceNode | null
    })
  | (DocumentExtras & { readonly kind: 'meta' })
  | (ResourceDocument & { readonly kind: 'related' })
  | (DocumentExtras & {
      readonly kind: 'identifier'
      readonly data: readonly Identifier[] | Identifier | null
      /** The address of the related resources: path segments after the base, `null` where they have none. */
      readonly related: readonly string[] | null
      readonly page: PageLinks | null
    })
  | (Extras & {
      readonly kind: 'noContent'
      /** The resource that the answer leads to with its `Location`. */
      readonly location?: ResourceAddress | null
      /** The resource that was written, although the answer does not show it: for those who go on with it. */
      readonly written?: ResourceNode
    })
  | { readonly kind: 'error'; readonly answer: ErrorAnswer }

type Rest<Kind extends 'data' | 'related' | 'identifier'> = Partial<
  Omit<Extract<ResponseValue, { kind: Kind }>, 'kind' | 'resources' | 'data'>
>

const none: readonly string[] = []
const plain = Object.freeze({ status: 200, headers: [], meta: null, links: null, profiles: [], page: null })

/** A document of resources, 200 unless said otherwise. */
export function dataResponse(resources: Resources, rest: Rest<'data'> = {}): Extract<ResponseValue, { kind: 'data' }> {
  const { status = 200, headers = none, meta = null, links = null, profiles = none, page = null } = rest
  const { location = null, contentLocation = null } = rest
  return { kind: 'data', status, headers, meta, links, profiles, page, location, contentLocation, resources }
}

/** A document of the resources at the end of a relationship. */
export function relatedResponse(
  resources: Resources,
  rest: Rest<'related'> = {},
): Extract<ResponseValue, { kind: 'related' }> {
  return { kind: 'related', ...plain, ...rest, resources }
}

/** A document of linkage. */
export function identifierResponse(
  data: readonly Identifier[] | Identifier | null,
  rest: Rest<'identifier'> = {},
): Extract<ResponseValue, { kind: 'identifier' }> {
  return { kind: 'identifier', ...plain, related: null, ...rest, data }
}

/** A document of nothing but meta. */
export function metaResponse(
  meta: Readonly<Record<string, unknown>>,
  rest: Partial<Extras> = {},
): Extract<ResponseValue, { kind: 'meta' }> {
  return { kind: 'meta', status: 200, headers: [], links: null, profiles: [], ...rest, meta }
}

export function noContentResponse(
  rest: Pick<Extract<ResponseValue, { kind: 'noContent' }>, 'written'> = {},
): Extract<ResponseValue, { kind: 'noContent' }> {
  return { kind: 'noContent', status: 204, headers: [], ...rest }
}

/** A document of what became of several operations. */
export function resultsResponse(member: string, results: readonly ResultValue[]): ResultsValue {
  return { kind: 'results', status: 200, headers: [], member, results }
}

/** 303 to an address as it is, or to a resource. */
export function seeOtherResponse(place: string | ResourceAddress): Extract<ResponseValue, { kind: 'noContent' }> {
  const [headers, location] = typeof place === 'string' ? [['Location', place], null] : [[], place]
  return { kind: 'noContent', status: 303, headers, location }
}
