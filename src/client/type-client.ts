import type { ActionOf, Contract, RelationOf, RelationsThatAre, TargetOf, TypeName } from './contract.js'
import type { FieldsetsOf, FirstQuery, ListQuery, OneQuery, RelatedQuery, RequestOptions } from './queries.js'
import type { Counted, NoFieldsets, ResourceOf, WithPivot } from './resource.js'
import type { ActionOutcome, Done, Found, Outcome, Page } from './results.js'
import type {
  ActionArguments,
  ActionName,
  Changes,
  Linkage,
  Linked,
  NewResource,
  ResourceWriteOptions,
  WriteOptions,
} from './writes.js'

/** Reads of a collection. */
export interface CollectionReads<Api extends Contract, T extends TypeName<Api>> {
  /** Reads one page of the collection. */
  list<const P extends string = never, const F extends FieldsetsOf<Api> = NoFieldsets, const C extends string = never>(
    query?: ListQuery<Api, T, P, F, C>,
  ): Promise<Page<Counted<ResourceOf<Api, T, P, F>, C>>>
  /** Reads the resources of all pages, one after the other: `for await (const track of tracks.each()) …`. */
  each<const P extends string = never, const F extends FieldsetsOf<Api> = NoFieldsets, const C extends string = never>(
    query?: ListQuery<Api, T, P, F, C>,
  ): AsyncIterable<Counted<ResourceOf<Api, T, P, F>, C>>
  /** Reads all pages, one after the other. */
  pages<const P extends string = never, const F extends FieldsetsOf<Api> = NoFieldsets, const C extends string = never>(
    query?: ListQuery<Api, T, P, F, C>,
  ): AsyncIterable<Page<Counted<ResourceOf<Api, T, P, F>, C>>>
}

/** The read by a singular filter. */
export interface SingularReads<Api extends Contract, T extends TypeName<Api>> {
  /** Reads the resource that a singular filter finds; `null` if there is none. */
  first<const P extends string = never, const F extends FieldsetsOf<Api> = NoFieldsets>(
    query: FirstQuery<Api, T, P, F>,
  ): Promise<ResourceOf<Api, T, P, F> | null>
}

/** Reads of one resource and of what is related to it. */
export interface ResourceReads<Api extends Contract, T extends TypeName<Api>> {
  /** Reads one resource. */
  get<const P extends string = never, const F extends FieldsetsOf<Api> = NoFieldsets, const C extends string = never>(
    id: string,
    query?: OneQuery<Api, T, P, F, C>,
  ): Promise<Found<Counted<ResourceOf<Api, T, P, F>, C>>>
  /** Reads one resource, unless the client has the same document: the result is `null` if the ETag is still the same. */
  getIfChanged<
    const P extends string = never,
    const F extends FieldsetsOf<Api> = NoFieldsets,
    const C extends string = never,
  >(
    id: string,
    etag: string,
    query?: OneQuery<Api, T, P, F, C>,
  ): Promise<Found<Counted<ResourceOf<Api, T, P, F>, C>> | null>
  /** Reads what a relation leads to: one page of a to-many relation, or the resource of a to-one relation, or `null`. */
  related<
    const N extends RelationsThatAre<Api, T, 'related'>,
    const P extends string = never,
    const F extends FieldsetsOf<Api> = NoFieldsets,
    const C extends string = never,
  >(id: string, relation: N, query?: RelatedQuery<Api, T, N, P, F, C>): Promise<Related<Api, T, N, P, F, C>>
  /** Reads the identifiers of the members of a relation. */
  linkage<const N extends RelationsThatAre<Api, T, 'relationship'>>(
    id: string,
    relation: N,
    options?: RequestOptions,
  ): Promise<Found<Linkage<Api, T, N>>>
}

type Related<Api extends Contract, T extends TypeName<Api>, N, P, F, C> = RelationOf<Api, T, N>['many'] extends true
  ? Page<Counted<RelatedResource<Api, T, N, P, F>, C>>
  : Found<RelatedResource<Api, T, N, P, F> | null>

/** A member of a relation, with the fields of its join row. */
export type RelatedResource<Api extends Contract, T extends TypeName<Api>, N, P, F> = WithPivot<
  Api,
  T,
  N,
  ResourceOf<Api, TargetOf<Api, T, N>, P, F>
>

export interface Creates<Api extends Contract, T extends TypeName<Api>> {
  /** Creates a resource. */
  create<const P extends string = never, const F extends FieldsetsOf<Api> = NoFieldsets>(
    resource: NewResource<Api, T>,
    options?: ResourceWriteOptions<Api, T, P, F>,
  ): Promise<Outcome<Api, Api['types'][T]['results']['create'], P, F>>
}

export interface Updates<Api extends Contract, T extends TypeName<Api>> {
  /** Changes a resource. */
  update<const P extends string = never, const F extends FieldsetsOf<Api> = NoFieldsets>(
    id: string,
    changes: Changes<Api, T>,
    options?: ResourceWriteOptions<Api, T, P, F>,
  ): Promise<Outcome<Api, Api['types'][T]['results']['update'], P, F>>
  /** Adds members to a to-many relation. */
  add<const N extends RelationsThatAre<Api, T, 'addable'>>(
    id: string,
    relation: N,
    members: readonly Linked<Api, T, N>[],
    options?: WriteOptions<Api>,
  ): Promise<Found<Linkage<Api, T, N>> | Done>
  /** Removes members from a to-many relation. */
  remove<const N extends RelationsThatAre<Api, T, 'removable'>>(
    id: string,
    relation: N,
    members: readonly Linked<Api, T, N>[],
    options?: WriteOptions<Api>,
  ): Promise<Found<Linkage<Api, T, N>> | Done>
  /** Replaces the members of a relation. */
  replace<const N extends RelationsThatAre<Api, T, 'replaceable'>>(
    id: string,
    relation: N,
    members: Linkage<Api, T, N>,
    options?: WriteOptions<Api>,
  ): Promise<Found<Linkage<Api, T, N>> | Done>
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
    ...given: ActionArguments<Api, T, A, ResourceWriteOptions<Api, T, P, F>>
  ): Promise<ActionOutcome<Api, ActionOf<Api, T, A>['result'], P, F>>
}

export interface CollectionActions<Api extends Contract, T extends TypeName<Api>> {
  /** Calls an action on the collection. */
  run<
    const A extends ActionName<Api, T, 'collection'>,
    const P extends string = never,
    const F extends FieldsetsOf<Api> = NoFieldsets,
  >(
    action: A,
    ...given: ActionArguments<Api, T, A, ResourceWriteOptions<Api, T, P, F>>
  ): Promise<ActionOutcome<Api, ActionOf<Api, T, A>['result'], P, F>>
}

/** The wait for the result of a job. */
export interface JobReads<Api extends Contract, T extends TypeName<Api>> {
  /**
   * Reads a job again and again until it is finished, and returns its result, which has one of the types of the server. The signal ends
   * the wait.
   */
  wait(job: { readonly id: string }, options?: WaitOptions<Api, T>): Promise<Found<ResourceOf<Api, TypeName<Api>>>>
}

export interface WaitOptions<Api extends Contract, T extends TypeName<Api>> extends RequestOptions {
  /** Milliseconds between two reads, if the server does not say by `Retry-After`. Default: 1,000. */
  readonly interval?: number
  /** Called with the job each time it was read. */
  readonly onProgress?: (job: ResourceOf<Api, T>) => void
}

/** The verbs that a type has, by what the server offers. */
export type TypeClient<Api extends Contract, T extends TypeName<Api>> = Served<
  Api['types'][T]['operations'],
  'FetchCollection',
  CollectionReads<Api, T> & ([Api['types'][T]['singular']] extends [never] ? unknown : SingularReads<Api, T>)
> &
  Served<
    Api['types'][T]['operations'],
    'FetchOne',
    ResourceReads<Api, T> & Jobs<Api, T, Api['types'][T]['results']['fetchOne']>
  > &
  Served<Api['types'][T]['operations'], 'Create', Creates<Api, T>> &
  Served<Api['types'][T]['operations'], 'Update', Updates<Api, T>> &
  Served<Api['types'][T]['operations'], 'Delete', Deletes<Api, T>> &
  ([ActionName<Api, T, 'resource'>] extends [never] ? unknown : ResourceActions<Api, T>) &
  ([ActionName<Api, T, 'collection'>] extends [never] ? unknown : CollectionActions<Api, T>)

/** The verbs of an operation, if the server offers it. */
export type Served<Operations, Operation, Verbs> = Operation extends Operations ? Verbs : unknown

type Jobs<Api extends Contract, T extends TypeName<Api>, Result> = 'redirect' extends Result
  ? JobReads<Api, T>
  : unknown
