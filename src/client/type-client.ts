import type {
  ActionOf,
  AggregateName,
  Contract,
  GroupsOf,
  RelationOf,
  RelationsThatAre,
  TargetOf,
  ToManyThatAre,
  TypeName,
} from './contract.js'
import type {
  ColumnsOf,
  ExportQuery,
  FieldsetsOf,
  FirstQuery,
  LinkageQuery,
  ListQuery,
  OneQuery,
  PageParameters,
  RelatedPage,
  RelatedQuery,
  RequestOptions,
} from './queries.js'
import type { Counted, ExportedRow, IdentifierOf, NoFieldsets, ResourceOf, WithPivot } from './resource.js'
import type { Done, Found, Minimal, Outcome, Page } from './results.js'
import type {
  ActionArguments,
  ActionName,
  ActionQuery,
  AddedInput,
  Changes,
  LinkageInput,
  LinkedInput,
  NewResource,
  Preference,
  ResourceWriteOptions,
  UpsertedResource,
  UpsertOptions,
  WriteOptions,
} from './writes.js'

/** Reads of a collection. */
export interface CollectionReads<Api extends Contract, T extends TypeName<Api>> {
  /** Reads one page of the collection. */
  list<const P extends string = never, const F extends FieldsetsOf<Api> = NoFieldsets, const C extends string = never>(
    query?: ListQuery<Api, T, P, F, C>,
  ): Promise<Page<Counted<ResourceOf<Api, T, P, F>, C>, PageParameters<Api, T>>>
  /** Reads the resources of all pages, one after the other: `for await (const track of tracks.each()) …`. */
  each<const P extends string = never, const F extends FieldsetsOf<Api> = NoFieldsets, const C extends string = never>(
    query?: ListQuery<Api, T, P, F, C>,
  ): AsyncIterable<Counted<ResourceOf<Api, T, P, F>, C>>
  /** Reads all pages, one after the other. */
  pages<const P extends string = never, const F extends FieldsetsOf<Api> = NoFieldsets, const C extends string = never>(
    query?: ListQuery<Api, T, P, F, C>,
  ): AsyncIterable<Page<Counted<ResourceOf<Api, T, P, F>, C>, PageParameters<Api, T>>>
}

/** The export of a collection. */
export interface Exports<Api extends Contract, T extends TypeName<Api>> {
  /**
   * Reads all rows of the collection in one response, while they arrive: `for await (const row of tracks.export()) …`. Throws if the export is cut
   * off. Leaving the loop ends the request.
   */
  export<const F extends ColumnsOf<Api, T> = NoFieldsets>(
    query?: ExportQuery<Api, T, F>,
  ): AsyncIterable<ExportedRow<Api, T, F>>
}

/** Reads of aggregates. */
export interface AggregateReads<Api extends Contract, T extends TypeName<Api>> {
  /** Reads one page of the groups of an aggregate. */
  aggregate<
    const N extends AggregateName<Api, T>,
    const P extends string = never,
    const F extends FieldsetsOf<Api> = NoFieldsets,
    const C extends string = never,
  >(
    name: N,
    query?: ListQuery<Api, GroupsOf<Api, T, N>, P, F, C>,
  ): Promise<Page<ResourceOf<Api, GroupsOf<Api, T, N>, P, F>, PageParameters<Api, GroupsOf<Api, T, N>>>>
  /** Reads the groups of all pages of an aggregate, one after the other. */
  eachGroup<
    const N extends AggregateName<Api, T>,
    const P extends string = never,
    const F extends FieldsetsOf<Api> = NoFieldsets,
    const C extends string = never,
  >(
    name: N,
    query?: ListQuery<Api, GroupsOf<Api, T, N>, P, F, C>,
  ): AsyncIterable<ResourceOf<Api, GroupsOf<Api, T, N>, P, F>>
}

/** The read by a singular filter. */
export interface SingularReads<Api extends Contract, T extends TypeName<Api>> {
  /** Reads the resource that a singular filter finds; `null` if there is none. */
  first<const P extends string = never, const F extends FieldsetsOf<Api> = NoFieldsets>(
    query: FirstQuery<Api, T, P, F>,
  ): Promise<ResourceOf<Api, T, P, F> | null>
}

/** Reads of one resource and of its related resources. */
export interface ResourceReads<Api extends Contract, T extends TypeName<Api>> {
  /** Reads one resource. A job that is finished redirects to its result, which may have any type. */
  get<const P extends string = never, const F extends FieldsetsOf<Api> = NoFieldsets, const C extends string = never>(
    id: string,
    query?: OneQuery<Api, T, P, F, C>,
  ): Promise<Found<Counted<ResourceOf<Api, T, P, F>, C> | JobResult<Api, T>>>
  /** Reads one resource, unless the client has the same document: the result is `null` if the ETag is unchanged. Without an ETag it is always read. */
  getIfChanged<
    const P extends string = never,
    const F extends FieldsetsOf<Api> = NoFieldsets,
    const C extends string = never,
  >(
    id: string,
    etag: string | null,
    query?: OneQuery<Api, T, P, F, C>,
  ): Promise<Found<Counted<ResourceOf<Api, T, P, F>, C> | JobResult<Api, T>> | null>
  /** Reads the members of a relation: one page of a to-many relation, or the resource of a to-one relation, or `null`. */
  related<
    const N extends RelationsThatAre<Api, T, 'related'>,
    const P extends string = never,
    const F extends FieldsetsOf<Api> = NoFieldsets,
    const C extends string = never,
  >(id: string, relation: N, query?: RelatedQuery<Api, T, N, P, F, C>): Promise<Related<Api, T, N, P, F, C>>
  /** Reads all pages of a to-many relation, one after the other. */
  relatedPages<
    const N extends ToManyThatAre<Api, T, 'related'>,
    const P extends string = never,
    const F extends FieldsetsOf<Api> = NoFieldsets,
    const C extends string = never,
  >(
    id: string,
    relation: N,
    query?: RelatedQuery<Api, T, N, P, F, C>,
  ): AsyncIterable<Page<Counted<RelatedResource<Api, T, N, P, F>, C>, RelatedPage<Api, T, N>>>
  /** Reads the members of a to-many relation on all pages, one after the other. */
  eachRelated<
    const N extends ToManyThatAre<Api, T, 'related'>,
    const P extends string = never,
    const F extends FieldsetsOf<Api> = NoFieldsets,
    const C extends string = never,
  >(
    id: string,
    relation: N,
    query?: RelatedQuery<Api, T, N, P, F, C>,
  ): AsyncIterable<Counted<RelatedResource<Api, T, N, P, F>, C>>
  /** Reads the identifiers of the members of a relation: one page of a to-many relation, or the identifier of a to-one relation, or `null`. */
  linkage<const N extends RelationsThatAre<Api, T, 'relationship'>>(
    id: string,
    relation: N,
    query?: LinkageQuery<Api, T, N>,
  ): Promise<
    RelationOf<Api, T, N>['many'] extends true
      ? Page<Linked<Api, T, N>, RelatedPage<Api, T, N>>
      : Found<Linked<Api, T, N> | null>
  >
  /** Reads the identifiers of the members of a to-many relation on all pages, one after the other. */
  eachLinked<const N extends ToManyThatAre<Api, T, 'relationship'>>(
    id: string,
    relation: N,
    query?: LinkageQuery<Api, T, N>,
  ): AsyncIterable<Linked<Api, T, N>>
}

/** The results that reads of a resource may be redirected to: none, unless the type is a job. */
export type JobResult<
  Api extends Contract,
  T extends TypeName<Api>,
> = 'redirect' extends Api['types'][T]['results']['fetchOne'] ? ResourceOf<Api, Exclude<TypeName<Api>, T>> : never

/** The identifier of a member of a relation, with the fields of its join row. */
export type Linked<Api extends Contract, T extends TypeName<Api>, N> = WithPivot<
  Api,
  T,
  N,
  IdentifierOf<RelationOf<Api, T, N>['type']>
>

/** The response to a change of a relationship: of `add`, `remove` and `replace` of {@link createClient}. */
export type ChangedLinkage<Api extends Contract, T extends TypeName<Api>, N> =
  | Found<RelationOf<Api, T, N>['many'] extends true ? readonly Linked<Api, T, N>[] : Linked<Api, T, N> | null>
  | Done

type Related<Api extends Contract, T extends TypeName<Api>, N, P, F, C> = RelationOf<Api, T, N>['many'] extends true
  ? Page<Counted<RelatedResource<Api, T, N, P, F>, C>, RelatedPage<Api, T, N>>
  : Found<Counted<RelatedResource<Api, T, N, P, F>, C> | null>

/** A member of a relation, with the fields of its join row. */
export type RelatedResource<Api extends Contract, T extends TypeName<Api>, N, P, F> = WithPivot<
  Api,
  T,
  N,
  ResourceOf<Api, TargetOf<Api, T, N>, P, F>
>

export interface Creates<Api extends Contract, T extends TypeName<Api>> {
  /** Creates a resource. */
  create<
    const P extends string = never,
    const F extends FieldsetsOf<Api> = NoFieldsets,
    const M extends Preference = never,
  >(
    resource: NewResource<Api, T>,
    options?: ResourceWriteOptions<Api, T, P, F, M>,
  ): Promise<
    | Outcome<Api, Api['types'][T]['results']['create'], P, F>
    | (Api['types'][T]['clientIds'] extends 'never' ? never : Minimal<M>)
  >
}

export interface Updates<Api extends Contract, T extends TypeName<Api>> {
  /** Changes a resource. */
  update<
    const P extends string = never,
    const F extends FieldsetsOf<Api> = NoFieldsets,
    const M extends Preference = never,
  >(
    id: string,
    changes: Changes<Api, T>,
    options?: ResourceWriteOptions<Api, T, P, F, M>,
  ): Promise<Outcome<Api, Api['types'][T]['results']['update'], P, F> | Minimal<M>>
  /** Adds members to a to-many relation. */
  add<const N extends RelationsThatAre<Api, T, 'addable'>>(
    id: string,
    relation: N,
    members: readonly AddedInput<Api, T, N>[],
    options?: WriteOptions<Api>,
  ): Promise<ChangedLinkage<Api, T, N>>
  /** Removes members from a to-many relation. */
  remove<const N extends RelationsThatAre<Api, T, 'removable'>>(
    id: string,
    relation: N,
    members: readonly LinkedInput<Api, T, N>[],
    options?: WriteOptions<Api>,
  ): Promise<ChangedLinkage<Api, T, N>>
  /** Replaces the members of a relation. */
  replace<const N extends RelationsThatAre<Api, T, 'replaceable'>>(
    id: string,
    relation: N,
    members: LinkageInput<Api, T, N>,
    options?: WriteOptions<Api>,
  ): Promise<ChangedLinkage<Api, T, N>>
}

export interface Upserts<Api extends Contract, T extends TypeName<Api>> {
  /** Changes a resource, or creates it if there is none with the id. Its `status` tells which: 200 or 201. */
  upsert<
    const P extends string = never,
    const F extends FieldsetsOf<Api> = NoFieldsets,
    const M extends Preference = never,
  >(
    id: string,
    resource: UpsertedResource<Api, T>,
    options?: UpsertOptions<Api, T, P, F, M>,
  ): Promise<Outcome<Api, Api['types'][T]['results']['create' | 'update'], P, F> | Minimal<M>>
}

export interface Deletes<Api extends Contract, T extends TypeName<Api>> {
  /** Deletes a resource. */
  delete(id: string, options?: WriteOptions<Api>): Promise<Outcome<Api, Api['types'][T]['results']['delete']>>
}

export interface ResourceActions<Api extends Contract, T extends TypeName<Api>> {
  /** Calls an action on one resource. */
  act<
    const A extends ActionName<Api, T, 'resource'>,
    const P extends string = never,
    const F extends FieldsetsOf<Api> = NoFieldsets,
  >(
    id: string,
    action: A,
    ...given: ActionArguments<Api, T, A, ActionQuery<Api, T, A, P, F>>
  ): Promise<Outcome<Api, ActionOf<Api, T, A>['result'], P, F>>
}

export interface CollectionActions<Api extends Contract, T extends TypeName<Api>> {
  /** Calls an action on the collection. */
  run<
    const A extends ActionName<Api, T, 'collection'>,
    const P extends string = never,
    const F extends FieldsetsOf<Api> = NoFieldsets,
  >(
    action: A,
    ...given: ActionArguments<Api, T, A, ActionQuery<Api, T, A, P, F>>
  ): Promise<Outcome<Api, ActionOf<Api, T, A>['result'], P, F>>
}

/** The wait for the result of a job. */
export interface JobReads<Api extends Contract, T extends TypeName<Api>> {
  /**
   * Polls a job until it is finished, and returns its result, which has one of the types of the server. The signal aborts
   * the wait.
   */
  wait(job: { readonly id: string }, options?: WaitOptions<Api, T>): Promise<Found<ResourceOf<Api, TypeName<Api>>>>
}

export interface WaitOptions<Api extends Contract, T extends TypeName<Api>> extends RequestOptions {
  /** Milliseconds between two reads, if the server sends no `Retry-After`. Default: 1,000. */
  readonly interval?: number | undefined
  /** Called with the job each time it was read. */
  readonly onProgress?: ((job: ResourceOf<Api, T>) => void) | undefined
}

/** A type without operations, which is only the target of relations. It has a name for compiler messages. */
interface NoVerbs {}

/** The verbs of a type, depending on its operations. See {@link createClient}. */
export type TypeClient<Api extends Contract, T extends TypeName<Api>> = ([Api['types'][T]['operations']] extends [never]
  ? NoVerbs
  : unknown) &
  Served<
    Api['types'][T]['operations'],
    'FetchCollection',
    CollectionReads<Api, T> & ([Api['types'][T]['singular']] extends [never] ? unknown : SingularReads<Api, T>)
  > &
  Served<
    Api['types'][T]['operations'],
    'FetchOne',
    ResourceReads<Api, T> & Jobs<Api, T, Api['types'][T]['results']['fetchOne']>
  > &
  Served<Api['types'][T]['operations'], 'Export', Exports<Api, T>> &
  Served<Api['types'][T]['operations'], 'Create', Creates<Api, T>> &
  Served<Api['types'][T]['operations'], 'Update', Updates<Api, T>> &
  Served<Api['types'][T]['operations'], 'Upsert', Upserts<Api, T>> &
  Served<Api['types'][T]['operations'], 'Delete', Deletes<Api, T>> &
  ([AggregateName<Api, T>] extends [never] ? unknown : AggregateReads<Api, T>) &
  ([ActionName<Api, T, 'resource'>] extends [never] ? unknown : ResourceActions<Api, T>) &
  ([ActionName<Api, T, 'collection'>] extends [never] ? unknown : CollectionActions<Api, T>)

/** The verbs of an operation, if the server offers it. */
export type Served<Operations, Operation, Verbs> = Operation extends Operations ? Verbs : unknown

type Jobs<Api extends Contract, T extends TypeName<Api>, Result> = 'redirect' extends Result
  ? JobReads<Api, T>
  : unknown
