import type { ExportOptions } from '../parts/export.js'
import type { AnyPaginator } from '../../pagination/paginator.js'
import type { Awaitable, JsonValue } from '../../../core/util/types.js'
import type { Abilities } from '../policy/abilities.js'
import type { RedirectTarget } from '../replies/reply.js'
import type { CacheHeaders } from '../parts/cache-headers.js'
import type { Hydrator } from '../fields/hydrator.js'
import type { Persister } from '../capabilities/persister.js'
import type { Provider } from '../capabilities/provider.js'
import type { Serializer } from '../fields/serializer.js'
import type { CompileError } from '../parts/compile-error.js'
import type { FilterDeclaration } from '../filters/filter-declaration.js'
import type { FilterKit } from '../filters/filter-kit.js'
import type { Policy } from '../policy/policy.js'
import type { RuleKit } from '../policy/rule-kit.js'
import type { RequestContext } from '../request/request-context.js'
import type { ResourceOperation, SuccessResponse } from '../replies/responses.js'
import type { LinkagePolicy } from '../relations/relation-spec.js'
import type { UseCondition } from '../request/use-guard.js'

type OneOrMore<T> = T | readonly T[]

type ResponseKind = SuccessResponse['kind']

/** One or more responses of the allowed kinds, and a compiler message for the other kinds. */
export type Responses<Kind extends ResponseKind, Sentence extends string> = OneOrMore<
  Extract<SuccessResponse, { kind: Kind }> | Misplaced<Exclude<ResponseKind, Kind>, Sentence>
>

/** A compiler message for a response of the wrong kind. `kind` makes the compiler choose it for such a response. */
interface Misplaced<Kind extends ResponseKind, Sentence extends string> extends CompileError<Sentence> {
  readonly kind: Kind
}

/**
 * The settings of a type besides its fields: where and how it is served.
 *
 * @example
 * ```ts
 * const readOnly: ResourceMetadata = { server: 'public', readOnly: true, cacheHeaders: { max_age: 60 } }
 * const publicAlbums = albums.with(readOnly)
 * ```
 */
export interface ResourceMetadata {
  /** The name of a server, a list of names, or `null` for the `default` server. */
  readonly server?: OneOrMore<string> | null
  /** The URL segment. Default: the type. */
  readonly uriType?: string
  /** The served operations. An empty list means all five for `defineResource`, and none for `defineType`. */
  readonly operations?: readonly (
    | ResourceOperation
    | CompileError<'The operations are FetchCollection, FetchOne, Create, Update and Delete.'>
  )[]
  /** Short for `operations: ['FetchCollection', 'FetchOne']`. */
  readonly readOnly?: boolean
  /**
   * Lets clients create or update a resource by one request: `'id'` serves `PUT /{type}/{id}`, for a type that accepts ids of clients.
   * In batches, operations may create or update a resource by any of these keys: the id, and attributes with `unique()`.
   *
   * @example
   * ```ts
   * const genres = defineResource('genres', {
   *   model: model<{ id: string; name: string }>('genres'),
   *   id: id().pattern(/[a-z-]+/).requireClientId(),
   *   attributes: (a) => ({ name: a.string().required().unique() }),
   *   upsertBy: ['id', 'name'],
   * })
   * ```
   */
  readonly upsertBy?: OneOrMore<string>

  /** The success responses of each operation. */
  readonly create?: Responses<
    'created' | 'noContent' | 'accepted',
    'create responds with created(), noContent() or accepted().'
  >
  readonly update?: Responses<'ok' | 'noContent' | 'accepted', 'update responds with ok(), noContent() or accepted().'>
  readonly delete?: Responses<'noContent' | 'metaResult', 'delete responds with noContent() or metaResult().'>
  readonly fetchOne?: Responses<'ok' | 'seeOther', 'fetchOne responds with ok() or seeOther().'>
  readonly fetchCollection?: Responses<'ok', 'fetchCollection responds with ok().'>

  /** A user-defined service, or the name that the server registers it under. */
  readonly serializer?: Serializer | string
  readonly hydrator?: Hydrator | string
  /**
   * A user-defined provider or persister: an object, or a function that wraps the one of the store. The transactions
   * and the reads of the store remain available to it.
   *
   * @example
   * ```ts
   * const playlists = defineResource('playlists', {
   *   model: model<{ id: number; title: string }>('playlists'),
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

  readonly abilities?: Abilities

  readonly cacheHeaders?: CacheHeaders
  /**
   * Whether responses with the collection have a weak `ETag`, so that a client that has the same document gets 304.
   * Default: false.
   */
  readonly collectionTags?: boolean
  /**
   * Lets clients export the collection, with filters and sorts, as lines of JSON or as CSV. Default: false.
   *
   * @example
   * ```ts
   * const exported = albums.with({ export: { formats: ['csv'], maxRows: 1_000_000 } })
   * ```
   */
  readonly export?: boolean | ExportOptions
  readonly deprecation?: boolean | string
  readonly sunset?: string
  readonly sunsetLink?: string
  readonly tags?: readonly string[]
  readonly description?: string
}

/** An include path that only requests which meet the condition may name. */
interface ConditionalPath {
  readonly path: string
  readonly usableIf: UseCondition
}

/**
 * The name of a relation, or a compiler message for a name that is not in `Rel`. Any name while the relations are not
 * inferred: the compiler checks lists before it infers function return types.
 */
type RelationName<Name extends string, Rel extends string> = [Rel] extends [never]
  ? Name
  : Name extends Rel
    ? Name
    : CompileError<`'${Name}' is not a relation of this type: use a name from 'relations'.`>

/**
 * The settings for the documents of a type. `R` is the row type, `Rel` the names of the relations, `Name` the names of
 * the default includes, and `Target` the names of the attributes and columns.
 */
export interface DocumentSettings<R, Rel extends string, Name extends string, Target extends string> {
  /** The relationships to include if the request has no `include`. */
  readonly defaultIncludes?:
    | readonly RelationName<Name, NoInfer<Rel>>[]
    | ((row: R) => readonly RelationName<Name, NoInfer<Rel>>[])
  /** The maximum depth of include paths; `null`, 0 or less for no limit. By default that of the server. */
  readonly maxIncludeDepth?: number | null
  /**
   * Whether the relationships of the type show linkage in every response, or only if the related rows are read for it.
   * By default as the server.
   */
  readonly linkage?: LinkagePolicy
  /**
   * The include paths that a request may name, separated by dots. `null` allows all, an empty list none. A path with a
   * condition is in the list for requests that meet it.
   *
   * @example
   * ```ts
   * const reviews = defineResource('reviews', {
   *   model: model<{ id: number; albumId: number; authorId: number }>('reviews'),
   *   id: id(),
   *   relations: { album: belongsTo('albums'), author: belongsTo('artists') },
   *   allowedIncludePaths: ['album', { path: 'author', usableIf: ({ caller }) => caller !== null }],
   * })
   * ```
   */
  readonly allowedIncludePaths?: readonly (string | ConditionalPath)[] | null
  /** A paginator, `null` for none, or a function of the server's default. */
  readonly pagination?: AnyPaginator | null | ((serverDefault: AnyPaginator | null) => AnyPaginator | null)
  /**
   * Returns the rows that are visible in a request, as a filter with fixed values; `null` for all rows. Any other row
   * does not exist for the request: not in collections and counts, not at its own URL, not as a related or included
   * resource, not on the path of a filter, and not for writes.
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
  readonly scope?: (context: RequestContext, filter: FilterKit<Target, Rel>) => FilterDeclaration | null
  /**
   * Who may do what with resources of the type. Without a policy, or with `'public'`, everybody may do everything.
   *
   * @example
   * ```ts
   * const playlists = defineResource('playlists', {
   *   model: model<{ id: number; title: string; public: boolean; ownerId: number }>('playlists'),
   *   id: id(),
   *   attributes: (a) => ({ title: a.string(), public: a.boolean() }),
   *   policy(p) {
   *     const own = p.signedIn(({ caller }) => p.eq('ownerId', (caller as { id: number }).id))
   *     return {
   *       viewAny: true,
   *       view: (context) => p.any(p.eq('public', true), own(context)),
   *       create: own,
   *       update: own,
   *       delete: own,
   *     }
   *   },
   * })
   * ```
   */
  readonly policy?: 'public' | ((kit: RuleKit<R, Rel>) => Policy)
  /**
   * Returns columns that a new row gets, unless the client sends values for them.
   *
   * @example
   * ```ts
   * const notes = defineResource('notes', {
   *   model: model<{ id: number; text: string; ownerId: number }>('notes'),
   *   id: id(),
   *   attributes: (a) => ({ text: a.string() }),
   *   defaults: ({ caller }) => ({ ownerId: (caller as { id: number }).id }),
   * })
   * ```
   */
  readonly defaults?: (context: RequestContext) => Partial<R>
  /** Lets clients request the total with `withCount=_self_`. */
  readonly countable?: boolean
  /** How many rows a list of the type usually has, for the setting `queryCost`. A page never costs more than this. */
  readonly expectedRows?: number
  /** `false` omits `links.self` from the resources of the type. */
  readonly selfLink?: boolean
  /**
   * Returns the type of a row, for a target of polymorphic relations that shares its model with another type; `null` if
   * the row is not of this type.
   */
  readonly objectType?: (row: R) => string | null
  /**
   * The value by which the type columns of polymorphic relations name the type, as other programs have written it. Default: the type.
   *
   * @example
   * ```ts
   * const mergeRequests = defineResource('merge-requests', {
   *   model: model<{ id: number; title: string }>('merge_requests'),
   *   id: id(),
   *   attributes: (a) => ({ title: a.string() }),
   *   storedType: 'MergeRequest',
   * })
   * ```
   */
  readonly storedType?: string
  /** Returns the meta of a resource. */
  readonly meta?: (row: R, context: RequestContext) => Readonly<Record<string, unknown>>
  /**
   * Returns the location of the result when a finished job is fetched; `null` while the work continues. With
   * `fetchOne: [ok(), seeOther()]`, a finished job responds with 303.
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
  readonly completionLocation?: (row: R, context: RequestContext) => Awaitable<RedirectTarget | null>
  /** Returns the links of a resource. */
  readonly links?: (row: R, context: RequestContext) => Readonly<Record<string, JsonValue>>
}
