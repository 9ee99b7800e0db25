import type { AnyPaginator } from '../pagination/paginator.js'
import type { JsonValue } from '../util/types.js'
import type { Abilities } from './abilities.js'
import type { CacheHeaders } from './cache-headers.js'
import type { Hydrator } from './capabilities/hydrator.js'
import type { Persister } from './capabilities/persister.js'
import type { Provider } from './capabilities/provider.js'
import type { Serializer } from './capabilities/serializer.js'
import type { Refusal } from './fields/refusals.js'
import type { RequestContext } from './request-context.js'
import type { ResourceOperation, SuccessResponse } from './responses.js'

type OneOrMore<T> = T | readonly T[]

type Responses<Kind extends SuccessResponse['kind']> = OneOrMore<Extract<SuccessResponse, { kind: Kind }>>

/** What is said of a type besides its fields: where and how it is served. */
export interface ResourceMetadata {
  /** A server's name, a list of names, or `null` for the `default` server. */
  readonly server?: OneOrMore<string> | null
  /** The URL segment, where it is not the type. */
  readonly uriType?: string
  /** The operations that are served; empty means all five (none for a type made of a serializer). */
  readonly operations?: readonly ResourceOperation[]
  /** Short for `operations: ['FetchCollection', 'FetchOne']`. */
  readonly readOnly?: boolean

  /** The success responses of each operation. */
  readonly create?: Responses<'created' | 'noContent' | 'accepted'>
  readonly update?: Responses<'ok' | 'noContent' | 'accepted'>
  readonly delete?: Responses<'noContent' | 'metaResult'>
  readonly fetchOne?: Responses<'ok' | 'seeOther'>
  readonly fetchCollection?: Responses<'ok'>

  /** Override services: given themselves, or by the name under which the server registers them. */
  readonly serializer?: Serializer | string
  readonly hydrator?: Hydrator | string
  readonly provider?: Provider
  readonly persister?: Persister

  readonly policy?: object | string
  readonly abilities?: Abilities

  readonly cacheHeaders?: CacheHeaders
  readonly deprecation?: boolean | string
  readonly sunset?: string
  readonly sunsetLink?: string
  readonly tags?: readonly string[]
  readonly description?: string
}

/** The names themselves where each is a relation called `Rel`, a sentence where one is not. */
type RelationNames<Names extends readonly string[], Rel extends string> = Names & {
  readonly [Index in keyof Names]: Names[Index] extends Rel
    ? Names[Index]
    : Refusal<`'${Names[Index]}' is no relation of this type: name one that 'relations' declares.`>
}

/** What is said of a type's documents, over rows `R`, relations called `Rel`, and default includes `Names`. */
export interface DocumentSettings<R, Rel extends string, Names extends readonly string[]> {
  /** The relationships that are included when a request does not say. */
  readonly defaultIncludes?: RelationNames<Names, Rel> | ((row: R) => RelationNames<Names, Rel>)
  /** `null`, 0 or less for no limit. */
  readonly maxIncludeDepth?: number | null
  /** Dotted paths; `null` allows all, an empty list none. */
  readonly allowedIncludePaths?: readonly string[] | null
  /** A paginator, `null` for none, or a function of the server's default. */
  readonly pagination?: AnyPaginator | null | ((serverDefault: AnyPaginator | null) => AnyPaginator | null)
  /** Lets clients ask for the total with `withCount=_self_`. */
  readonly countable?: boolean
  /** `false` leaves `links.self` out of the type's resources. */
  readonly selfLink?: boolean
  /** The type of an object, for a member of polymorphic relations that shares its model; `null` when it is none of ours. */
  readonly objectType?: (row: R) => string | null
  /** Meta of each resource. */
  readonly meta?: (row: R, context: RequestContext) => Readonly<Record<string, unknown>>
  /** Links of each resource. */
  readonly links?: (row: R, context: RequestContext) => Readonly<Record<string, JsonValue>>
}
