import type { AnyPaginator } from '../pagination/paginator.js'
import type { Awaitable, JsonValue } from '../util/types.js'
import type { Abilities } from './abilities.js'
import type { Place } from './answer.js'
import type { CacheHeaders } from './cache-headers.js'
import type { Hydrator } from './capabilities/hydrator.js'
import type { Persister } from './capabilities/persister.js'
import type { Provider } from './capabilities/provider.js'
import type { Serializer } from './capabilities/serializer.js'
import type { Refusal } from './fields/refusals.js'
import type { FilterDeclaration } from './filters/filter-declaration.js'
import type { FilterKit } from './filters/filter-kit.js'
import type { RequestContext } from './request-context.js'
import type { ResourceOperation, SuccessResponse } from './responses.js'

type OneOrMore<T> = T | readonly T[]

type ResponseKind = SuccessResponse['kind']

/** One or more responses of the kinds that fit, a sentence for those that do not. */
export type Responses<Kind extends ResponseKind, Sentence extends string> = OneOrMore<
  Extract<SuccessResponse, { kind: Kind }> | Misplaced<Exclude<ResponseKind, Kind>, Sentence>
>

/** Told apart by its kind, so that the compiler names it where such a response stands. */
interface Misplaced<Kind extends ResponseKind, Sentence extends string> extends Refusal<Sentence> {
  readonly kind: Kind
}

/** What is said of a type besides its fields: where and how it is served. */
export interface ResourceMetadata {
  /** A server's name, a list of names, or `null` for the `default` server. */
  readonly server?: OneOrMore<string> | null
  /** The URL segment, where it is not the type. */
  readonly uriType?: string
  /** The operations that are served; empty means all five (none for a type made of a serializer). */
  readonly operations?: readonly (
    | ResourceOperation
    | Refusal<'The operations are FetchCollection, FetchOne, Create, Update and Delete.'>
  )[]
  /** Short for `operations: ['FetchCollection', 'FetchOne']`. */
  readonly readOnly?: boolean

  /** The success responses of each operation. */
  readonly create?: Responses<
    'created' | 'noContent' | 'accepted',
    'create answers with created(), noContent() or accepted().'
  >
  readonly update?: Responses<'ok' | 'noContent' | 'accepted', 'update answers with ok(), noContent() or accepted().'>
  readonly delete?: Responses<'noContent' | 'metaResult', 'delete answers with noContent() or metaResult().'>
  readonly fetchOne?: Responses<'ok' | 'seeOther', 'fetchOne answers with ok() or seeOther().'>
  readonly fetchCollection?: Responses<'ok', 'fetchCollection answers with ok().'>

  /** Override services: given themselves, or by the name under which the server registers them. */
  readonly serializer?: Serializer | string
  readonly hydrator?: Hydrator | string
  /**
   * Reads and writes of the type's own: given themselves, or made of those of the store, whose transactions and reads
   * stay behind them.
   *
   * @example
   * ```ts
   * const reports = defineResource('reports', {
   *   model: model<{ id: number; title: string }>('reports'),
   *   id: id(),
   *   attributes: (a) => ({ title: a.string().required() }),
   *   persister: (store) => ({
   *     ...store,
   *     create: (type, values, write) => store.create(type, { ...values, title: String(values['title']).trim() }, write),
   *   }),
   * })
   * ```
   */
  readonly provider?: Provider | ((store: Provider) => Provider)
  readonly persister?: Persister | ((store: Persister) => Persister)

  readonly policy?: object | string
  readonly abilities?: Abilities

  readonly cacheHeaders?: CacheHeaders
  readonly deprecation?: boolean | string
  readonly sunset?: string
  readonly sunsetLink?: string
  readonly tags?: readonly string[]
  readonly description?: string
}

/**
 * A relation called `Rel`, a sentence for any other name. Any name while no relation is known: the compiler looks at
 * lists before it has called the functions.
 */
type RelationName<Name extends string, Rel extends string> = [Rel] extends [never]
  ? Name
  : Name extends Rel
    ? Name
    : Refusal<`'${Name}' is no relation of this type: name one that 'relations' declares.`>

/**
 * What is said of a type's documents, over rows `R`, relations called `Rel`, default includes called `Name`, and
 * attributes and columns called `Target`.
 */
export interface DocumentSettings<R, Rel extends string, Name extends string, Target extends string> {
  /** The relationships that are included when a request does not say. */
  readonly defaultIncludes?:
    | readonly RelationName<Name, NoInfer<Rel>>[]
    | ((row: R) => readonly RelationName<Name, NoInfer<Rel>>[])
  /** `null`, 0 or less for no limit. */
  readonly maxIncludeDepth?: number | null
  /** Dotted paths; `null` allows all, an empty list none. */
  readonly allowedIncludePaths?: readonly string[] | null
  /** A paginator, `null` for none, or a function of the server's default. */
  readonly pagination?: AnyPaginator | null | ((serverDefault: AnyPaginator | null) => AnyPaginator | null)
  /**
   * The rows that are there at all for a request, as a filter that brings its own values; `null` for all of them. A row
   * outside is nowhere: not in collections and counts, not behind its own address, not as a related or included one, not
   * on the path of a filter, and no write reaches it.
   *
   * @example
   * ```ts
   * const playlists = defineResource('playlists', {
   *   model: model<{ id: number; title: string; public: boolean }>('playlists'),
   *   id: id(),
   *   attributes: (a) => ({ title: a.string(), public: a.boolean() }),
   *   scope: (context, f) => (context.request?.header('x-staff') === 'yes' ? null : f.where('public').fixed(true)),
   * })
   * ```
   */
  readonly scope?: (context: RequestContext, filter: FilterKit<Target>) => FilterDeclaration | null
  /** Lets clients ask for the total with `withCount=_self_`. */
  readonly countable?: boolean
  /** `false` leaves `links.self` out of the type's resources. */
  readonly selfLink?: boolean
  /** The type of an object, for a member of polymorphic relations that shares its model; `null` when it is none of ours. */
  readonly objectType?: (row: R) => string | null
  /** Meta of each resource. */
  readonly meta?: (row: R, context: RequestContext) => Readonly<Record<string, unknown>>
  /**
   * Where the work of a job has led: asked when one is fetched. `null` while it goes on. With `fetchOne: [ok(), seeOther()]`,
   * the answer is 303 then.
   *
   * @example
   * ```ts
   * const jobs = defineResource('jobs', {
   *   model: model<{ id: number; status: string; albumId: number | null }>('jobs'),
   *   id: id(),
   *   attributes: (a) => ({ status: a.string() }),
   *   fetchOne: [ok(), seeOther()],
   *   completionLocation: ({ albumId }) => (albumId === null ? null : { type: 'albums', id: String(albumId) }),
   *   readOnly: true,
   * })
   * ```
   */
  readonly completionLocation?: (row: R, context: RequestContext) => Awaitable<Place | null>
  /** Links of each resource. */
  readonly links?: (row: R, context: RequestContext) => Readonly<Record<string, JsonValue>>
}
