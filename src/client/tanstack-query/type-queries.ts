import type { ActionOf, Contract, RelationOf, RelationsThatAre, ToManyThatAre, TypeName } from '../contract.js'
import type {
  FieldsetsOf,
  FirstQuery,
  LinkageQuery,
  ListQuery,
  OneQuery,
  PageParameters,
  RelatedPage,
  RelatedQuery,
} from '../queries.js'
import type { Counted, NoFieldsets, ResourceOf } from '../resource.js'
import type { Found, Minimal, Outcome } from '../results.js'
import type { ChangedLinkage, JobResult, Linked, RelatedResource, Served } from '../type-client.js'
import type {
  ActionArguments,
  ActionName,
  ActionOptions,
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
} from '../writes.js'
import type { CachedPage, InfiniteOptions, ReadOptions, WriteMutation } from './options.js'

/** The options that a query cannot have, because its response is cached for other components too. */
interface CachedRequest {
  readonly headers?: "Set 'headers' of the client: they are not part of the query key."
  readonly signal?: 'TanStack Query has the signal: see queryClient.cancelQueries().'
}

/** Queries for a collection. */
export interface CollectionQueries<Api extends Contract, T extends TypeName<Api>> {
  /** One page of the collection. */
  list<const P extends string = never, const F extends FieldsetsOf<Api> = NoFieldsets, const C extends string = never>(
    query?: ListQuery<Api, T, P, F, C> & CachedRequest,
  ): ReadOptions<CachedPage<Counted<ResourceOf<Api, T, P, F>, C>, PageParameters<Api, T>>>
  /** All pages of the collection, for `useInfiniteQuery`. */
  infinite<
    const P extends string = never,
    const F extends FieldsetsOf<Api> = NoFieldsets,
    const C extends string = never,
  >(query?: ListQuery<Api, T, P, F, C> & CachedRequest): InfiniteOptions<Counted<ResourceOf<Api, T, P, F>, C>>
}

/** The query by a singular filter. */
export interface SingularQueries<Api extends Contract, T extends TypeName<Api>> {
  /** The resource that a singular filter finds; `null` if there is none. */
  first<const P extends string = never, const F extends FieldsetsOf<Api> = NoFieldsets>(
    query: FirstQuery<Api, T, P, F> & CachedRequest,
  ): ReadOptions<ResourceOf<Api, T, P, F> | null>
}

/** Queries for one resource and for its related resources. */
export interface ResourceQueries<Api extends Contract, T extends TypeName<Api>> {
  /** One resource. Its `etag` is the `ifMatch` of a later write. */
  get<const P extends string = never, const F extends FieldsetsOf<Api> = NoFieldsets, const C extends string = never>(
    id: string,
    query?: OneQuery<Api, T, P, F, C> & CachedRequest,
  ): ReadOptions<Found<Counted<ResourceOf<Api, T, P, F>, C> | JobResult<Api, T>>>
  /** The members of a relation: one page of a to-many relation, or the resource of a to-one relation, or `null`. */
  related<
    const N extends RelationsThatAre<Api, T, 'related'>,
    const P extends string = never,
    const F extends FieldsetsOf<Api> = NoFieldsets,
    const C extends string = never,
  >(
    id: string,
    relation: N,
    query?: RelatedQuery<Api, T, N, P, F, C> & CachedRequest,
  ): ReadOptions<CachedRelated<Api, T, N, P, F, C>>
  /** All pages of a to-many relation, for `useInfiniteQuery`. */
  infiniteRelated<
    const N extends ToManyThatAre<Api, T, 'related'>,
    const P extends string = never,
    const F extends FieldsetsOf<Api> = NoFieldsets,
    const C extends string = never,
  >(
    id: string,
    relation: N,
    query?: RelatedQuery<Api, T, N, P, F, C> & CachedRequest,
  ): InfiniteOptions<Counted<RelatedResource<Api, T, N, P, F>, C>>
  /** The identifiers of the members of a relation: one page of a to-many relation, or the identifier of a to-one relation, or `null`. */
  linkage<const N extends RelationsThatAre<Api, T, 'relationship'>>(
    id: string,
    relation: N,
    query?: LinkageQuery<Api, T, N> & CachedRequest,
  ): ReadOptions<
    RelationOf<Api, T, N>['many'] extends true
      ? CachedPage<Linked<Api, T, N>, RelatedPage<Api, T, N>>
      : Found<Linked<Api, T, N> | null>
  >
  /** The identifiers of the members of a to-many relation on all pages, for `useInfiniteQuery`. */
  infiniteLinkage<const N extends ToManyThatAre<Api, T, 'relationship'>>(
    id: string,
    relation: N,
    query?: LinkageQuery<Api, T, N> & CachedRequest,
  ): InfiniteOptions<Linked<Api, T, N>>
}

type CachedRelated<Api extends Contract, T extends TypeName<Api>, N, P, F, C> = RelationOf<
  Api,
  T,
  N
>['many'] extends true
  ? CachedPage<Counted<RelatedResource<Api, T, N, P, F>, C>, RelatedPage<Api, T, N>>
  : Found<Counted<RelatedResource<Api, T, N, P, F>, C> | null>

/** The variables that all mutations may have. A retry of TanStack Query sends the same key again. */
export interface WriteVariables<Api extends Contract> {
  readonly idempotencyKey?: WriteOptions<Api>['idempotencyKey']
}

/** The variables of a mutation of one resource. A resource of a result can be passed unchanged. */
export interface ResourceVariables<Api extends Contract> extends WriteVariables<Api> {
  readonly id: string
  /** The ETag of the version that the user saw. If there is a later one, the write fails with 412. `null`: no check. */
  readonly ifMatch?: string | null | undefined
}

/** The variables of an update. */
export interface UpdateVariables<Api extends Contract, T extends TypeName<Api>>
  extends ResourceVariables<Api>,
    Changes<Api, T> {}

/** The variables of an addition to a to-many relation. */
export interface AddedVariables<Api extends Contract, T extends TypeName<Api>, N> extends ResourceVariables<Api> {
  readonly members: readonly AddedInput<Api, T, N>[]
}

/** The variables of a removal from a to-many relation. */
export interface RemovedVariables<Api extends Contract, T extends TypeName<Api>, N> extends ResourceVariables<Api> {
  readonly members: readonly LinkedInput<Api, T, N>[]
}

/** The variables of a replacement of a relation. */
export interface LinkageVariables<Api extends Contract, T extends TypeName<Api>, N> extends ResourceVariables<Api> {
  readonly members: LinkageInput<Api, T, N>
}

/** The input of an action, if it has one. */
type InputVariables<Given> = Given extends readonly [infer Input extends object, ...unknown[]]
  ? { readonly input: Input }
  : unknown

/** `mutate()` needs no variables if the action has no input. */
type RunVariables<Api extends Contract, Given> = Given extends readonly [infer Input extends object, ...unknown[]]
  ? WriteVariables<Api> & { readonly input: Input }
  : WriteVariables<Api> | void

export interface CreateMutations<Api extends Contract, T extends TypeName<Api>> {
  /** Creates a resource: `mutate({ attributes, relationships })`. */
  create<
    const P extends string = never,
    const F extends FieldsetsOf<Api> = NoFieldsets,
    const M extends Preference = never,
  >(
    options?: ResourceWriteOptions<Api, T, P, F, M>,
  ): WriteMutation<
    NewResource<Api, T> & WriteVariables<Api>,
    | Outcome<Api, Api['types'][T]['results']['create'], P, F>
    | (Api['types'][T]['clientIds'] extends 'never' ? never : Minimal<M>)
  >
}

export interface UpdateMutations<Api extends Contract, T extends TypeName<Api>> {
  /** Changes a resource: `mutate({ id, attributes, relationships, ifMatch })`. */
  update<
    const P extends string = never,
    const F extends FieldsetsOf<Api> = NoFieldsets,
    const M extends Preference = never,
  >(
    options?: ResourceWriteOptions<Api, T, P, F, M>,
  ): WriteMutation<UpdateVariables<Api, T>, Outcome<Api, Api['types'][T]['results']['update'], P, F> | Minimal<M>>
  /** Adds members to a to-many relation: `mutate({ id, members })`. */
  add<const N extends RelationsThatAre<Api, T, 'addable'>>(
    relation: N,
    options?: WriteOptions<Api>,
  ): WriteMutation<AddedVariables<Api, T, N>, ChangedLinkage<Api, T, N>>
  /** Removes members from a to-many relation: `mutate({ id, members })`. */
  remove<const N extends RelationsThatAre<Api, T, 'removable'>>(
    relation: N,
    options?: WriteOptions<Api>,
  ): WriteMutation<RemovedVariables<Api, T, N>, ChangedLinkage<Api, T, N>>
  /** Replaces the members of a relation: `mutate({ id, members })`. */
  replace<const N extends RelationsThatAre<Api, T, 'replaceable'>>(
    relation: N,
    options?: WriteOptions<Api>,
  ): WriteMutation<LinkageVariables<Api, T, N>, ChangedLinkage<Api, T, N>>
}

export interface UpsertMutations<Api extends Contract, T extends TypeName<Api>> {
  /** Changes a resource, or creates it: `mutate({ id, attributes, relationships, ifMatch })`. */
  upsert<
    const P extends string = never,
    const F extends FieldsetsOf<Api> = NoFieldsets,
    const M extends Preference = never,
  >(
    options?: UpsertOptions<Api, T, P, F, M>,
  ): WriteMutation<
    UpsertedResource<Api, T> & ResourceVariables<Api>,
    Outcome<Api, Api['types'][T]['results']['create' | 'update'], P, F> | Minimal<M>
  >
}

export interface DeleteMutations<Api extends Contract, T extends TypeName<Api>> {
  /** Deletes a resource: `mutate({ id, ifMatch })`. */
  delete(
    options?: WriteOptions<Api>,
  ): WriteMutation<ResourceVariables<Api>, Outcome<Api, Api['types'][T]['results']['delete']>>
}

export interface ResourceActionMutations<Api extends Contract, T extends TypeName<Api>> {
  /** Calls an action on one resource: `mutate({ id, input })`. */
  act<
    const A extends ActionName<Api, T, 'resource'>,
    const P extends string = never,
    const F extends FieldsetsOf<Api> = NoFieldsets,
  >(
    action: A,
    ...options: ActionOptions<ActionOf<Api, T, A>['methods'], ActionQuery<Api, T, A, P, F>>
  ): WriteMutation<
    ResourceVariables<Api> & InputVariables<ActionArguments<Api, T, A, unknown>>,
    Outcome<Api, ActionOf<Api, T, A>['result'], P, F>
  >
}

export interface CollectionActionMutations<Api extends Contract, T extends TypeName<Api>> {
  /** Calls an action on the collection: `mutate({ input })`. */
  run<
    const A extends ActionName<Api, T, 'collection'>,
    const P extends string = never,
    const F extends FieldsetsOf<Api> = NoFieldsets,
  >(
    action: A,
    ...options: ActionOptions<ActionOf<Api, T, A>['methods'], ActionQuery<Api, T, A, P, F>>
  ): WriteMutation<
    RunVariables<Api, ActionArguments<Api, T, A, unknown>>,
    Outcome<Api, ActionOf<Api, T, A>['result'], P, F>
  >
}

/** The queries and mutations of a type, depending on its operations. */
export type TypeQueries<Api extends Contract, T extends TypeName<Api>> = {
  /** The first parts of the keys of all queries of the type. */
  readonly key: readonly string[]
} & Served<
  Api['types'][T]['operations'],
  'FetchCollection',
  CollectionQueries<Api, T> & ([Api['types'][T]['singular']] extends [never] ? unknown : SingularQueries<Api, T>)
> &
  Served<Api['types'][T]['operations'], 'FetchOne', ResourceQueries<Api, T>> &
  Served<Api['types'][T]['operations'], 'Create', CreateMutations<Api, T>> &
  Served<Api['types'][T]['operations'], 'Update', UpdateMutations<Api, T>> &
  Served<Api['types'][T]['operations'], 'Upsert', UpsertMutations<Api, T>> &
  Served<Api['types'][T]['operations'], 'Delete', DeleteMutations<Api, T>> &
  ([ActionName<Api, T, 'resource'>] extends [never] ? unknown : ResourceActionMutations<Api, T>) &
  ([ActionName<Api, T, 'collection'>] extends [never] ? unknown : CollectionActionMutations<Api, T>)
