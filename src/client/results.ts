import type { Contract, TypeName } from './contract.js'
import type { NoFieldsets, ResourceOf } from './resource.js'

/** The members that all results have. */
interface DocumentParts {
  readonly meta: Readonly<Record<string, unknown>>
  readonly links: Readonly<Record<string, unknown>>
  /** The header `ETag` of the response, for `ifMatch`; `null` if it has none. */
  readonly etag: string | null
}

/** One resource. See {@link createClient}. */
export interface Found<Data> extends DocumentParts {
  readonly status: 200 | 201
  readonly data: Data
}

/** How many resources a collection has, as far as the server knows. See {@link createClient}. */
export interface EstimatedTotal {
  readonly bestGuess: number
  /** The collection certainly has so many. */
  readonly atLeast: number
  readonly isExact: boolean
}

/** A page of a collection. `Parameters` are the `page` parameters of a query. See {@link createClient}. */
export interface Page<Item, Parameters = unknown> extends DocumentParts {
  readonly status: 200
  readonly data: readonly Item[]
  /** The number of resources on all pages; `null` if they were not counted, which is always the case for cursor pagination. */
  readonly total: number | null
  /** The estimate that `page: { count: 'estimate' }` requests; `null` if the response has none. */
  readonly estimatedTotal: EstimatedTotal | null
  /** The `page` of the same query for the next page, as plain data for an address or a cache; `null` if this is the last page. */
  readonly nextPage: Parameters | null
  /** The `page` of the same query for the previous page; `null` if this is the first page. */
  readonly previousPage: Parameters | null
  /** Reads the next page; `null` if this is the last one. */
  next(): Promise<Page<Item, Parameters> | null>
  /** Reads the previous page; `null` if this is the first one. */
  previous(): Promise<Page<Item, Parameters> | null>
}

/** Work that continues after the response. `wait()` of the type of the job waits for its result. See {@link createClient}. */
export interface Accepted<Job> extends DocumentParts {
  readonly status: 202
  /** `null` if the response has no document. */
  readonly job: Job
  /** Seconds before the next poll; `null` if the server does not send them. */
  readonly retryAfter: number | null
}

/** A response without a document. See {@link createClient}. */
export interface Done {
  readonly status: 204
  readonly data: null
  readonly etag: string | null
}

/** A response with a document that has only meta. See {@link createClient}. */
export interface MetaOnly extends DocumentParts {
  readonly status: 200
  readonly data: null
}

/** The bytes of an action. See {@link createClient}. */
export interface BytesResult<MediaType extends string = string> {
  readonly status: 200
  readonly data: Blob
  /** Without parameters. */
  readonly mediaType: MediaType
  readonly etag: string | null
}

/** The response of an operation, by its results in the contract. `P` and `F` are those of the request. */
export type Outcome<Api extends Contract, Result, P = never, F = NoFieldsets> = Result extends {
  resource: infer T extends TypeName<Api>
}
  ? Found<ResourceOf<Api, T, P, F>>
  : Result extends { job: infer T extends TypeName<Api> }
    ? Accepted<ResourceOf<Api, T>>
    : Result extends 'meta'
      ? MetaOnly
      : Result extends 'none'
        ? Done
        : Result extends { resourceOrNull: infer T extends TypeName<Api> }
          ? Found<ResourceOf<Api, T, P, F> | null>
          : Result extends { resources: infer T extends TypeName<Api> }
            ? Found<readonly ResourceOf<Api, T, P, F>[]>
            : Result extends { bytes: infer MediaType extends string }
              ? BytesResult<MediaType>
              : Found<unknown>

/** The response of a write that requests no document. */
export type Minimal<M> = string extends M ? Done : M extends `${string}return=minimal${string}` ? Done : never
