import type { Contract, IsOne, RelationOf, RelationsThatAre, TargetOf, TypeName } from './contract.js'
import type { ToOneColumn } from './resource.js'
import type { HeaderValues } from './send-request.js'

/**
 * The include path itself if it is valid, else the paths that are possible instead. Only the given paths are followed: a union of all
 * paths would be infinite.
 */
export type IncludePath<Api extends Contract, T extends TypeName<Api>, P> = P extends `${infer First}.${infer Rest}`
  ? IsIncludable<Api, T, First> extends true
    ? `${First}.${IncludePath<Api, TargetOf<Api, T, First>, Rest>}`
    : IncludableOf<Api, T>
  : IsIncludable<Api, T, P> extends true
    ? P
    : IncludableOf<Api, T>

/** Whether one of the types has a relation that can be included. It cannot be if the server does not have the related type. */
type IsIncludable<Api extends Contract, T extends TypeName<Api>, N> = N extends IncludableOf<Api, T> ? true : false

/** Distributes over the types of a polymorphic relation. */
type IncludableOf<Api extends Contract, T extends TypeName<Api>> = T extends unknown ? Includable<Api, T> : never

/** The relations that `include` may name first. See {@link createClient}. */
export type Includable<Api extends Contract, T extends TypeName<Api>> = {
  [N in keyof Api['types'][T]['relations']]: 'includable' extends Api['types'][T]['relations'][N]['is']
    ? Api['types'][T]['relations'][N]['type'] extends TypeName<Api>
      ? N & string
      : never
    : never
}[keyof Api['types'][T]['relations']]

/** The names of the fields of a type that `fields` may list. See {@link createClient}. */
export type FieldName<Api extends Contract, T extends TypeName<Api>> =
  | (keyof Api['types'][T]['attributes'] & string)
  | RelationsThatAre<Api, T, 'shown'>

/** The sparse fieldsets that a query may have. */
export type FieldsetsOf<Api extends Contract> = {
  readonly [T in TypeName<Api>]?: readonly FieldName<Api, T>[] | undefined
}

/** A key of `sort`, with `-` for descending. See {@link createClient}. */
export type SortKey<Api extends Contract, T extends TypeName<Api>> =
  | (Api['types'][T]['sorts'] & string)
  | `-${Api['types'][T]['sorts'] & string}`

/** The options that all requests may have. See {@link createClient}. */
export interface RequestOptions {
  /** Headers in addition to the headers of the client, or instead of them. */
  readonly headers?: HeaderValues | undefined
  /** Ends the call, also while it waits for another attempt. The call throws the reason of the signal. */
  readonly signal?: AbortSignal | undefined
  /** Milliseconds after which an attempt is aborted with a `TimeoutError`. Default: that of the client. */
  readonly timeout?: number | undefined
}

/** The parts of a query that determine the members of the resources of a response. */
export interface DocumentQuery<Api extends Contract, T extends TypeName<Api>, P extends string, F>
  extends RequestOptions {
  /** The relations to include, as paths: `tracks.playlists`. */
  readonly include?:
    | readonly (P extends IncludePath<Api, T, P> ? P : IncludePath<Api, T, P>)[]
    | PathsAreLists
    | undefined
  /** The fields that resources have, by type. Default: all. */
  readonly fields?: (F & UnknownTypes<Api, F>) | undefined
}

/** Without it, the compiler names only the type of an empty list. */
type PathsAreLists = "Write a list of paths: ['artist']."

/** Refuses fieldsets of unknown types. */
type UnknownTypes<Api extends Contract, F> = {
  readonly [Type in Exclude<keyof F, TypeName<Api>>]: `This API has no type '${Type & string}'.`
}

/** The filters of a type. See {@link createClient}. */
export type Filters<Api extends Contract, T extends TypeName<Api>> = {
  readonly [Key in keyof Api['types'][T]['filters']]?: Api['types'][T]['filters'][Key] | undefined
}

/** Filters that are combined: all members must match. See {@link createClient}. */
export type FilterTree<Values> = Values & {
  /** All of them must match. */
  readonly and?: readonly FilterTree<Values>[] | undefined
  /** One of them must match. */
  readonly or?: readonly FilterTree<Values>[] | undefined
  /** It must not match. */
  readonly not?: FilterTree<Values> | undefined
}

/** Filters, which a server with the profile of filter trees lets clients combine. */
type Combined<Api extends Contract, Values> = Api['filterTrees'] extends true ? FilterTree<Values> : Values

/** The compiler accepts any object for a type without members: a sentence refuses it. */
type FiltersOf<Api extends Contract, T extends TypeName<Api>> = [keyof Api['types'][T]['filters']] extends [never]
  ? 'This type has no filters.'
  : Combined<Api, Filters<Api, T>>

/** A query for one resource. */
export interface OneQuery<Api extends Contract, T extends TypeName<Api>, P extends string, F, C extends string>
  extends DocumentQuery<Api, T, P, F> {
  /** The to-many relations that are counted: `$counts` of the resource has their numbers. */
  readonly count?:
    | readonly (C extends RelationsThatAre<Api, T, 'countable'> ? C : RelationsThatAre<Api, T, 'countable'>)[]
    | undefined
}

/** A query for a collection. */
export interface ListQuery<Api extends Contract, T extends TypeName<Api>, P extends string, F, C extends string>
  extends DocumentQuery<Api, T, P, F> {
  readonly filter?: FiltersOf<Api, T> | undefined
  readonly sort?: readonly SortKey<Api, T>[] | undefined
  readonly page?: PageParameters<Api, T> | undefined
  /**
   * The counts to read: relations, as `$counts` of each resource, and `_self_` for the collection, as `total` of the page. Servers do not count a
   * collection for pages by cursor: `total` is `null` then. Read it with a page of no resources, such as `{ size: 0 }` of another kind.
   */
  readonly count?: readonly (C extends Countable<Api, T> ? C : Countable<Api, T>)[] | undefined
}

/** The columns of an export. */
export type ColumnsOf<Api extends Contract, T extends TypeName<Api>> = {
  readonly [Type in T]?: readonly ((keyof Api['types'][T]['attributes'] & string) | ToOneColumn<Api, T>)[] | undefined
}

/** A query for an export, which has neither pages nor included resources. */
export interface ExportQuery<Api extends Contract, T extends TypeName<Api>, F> extends RequestOptions {
  readonly filter?: FiltersOf<Api, T> | undefined
  readonly sort?: readonly SortKey<Api, T>[] | undefined
  /** The columns, in this order. Default: all. */
  readonly fields?:
    | (F & { readonly [Type in Exclude<keyof F, T>]: `An export has only columns of '${T}'.` })
    | undefined
}

/** The `page` parameters of a query for a collection. See {@link createClient}. */
export type PageParameters<Api extends Contract, T extends TypeName<Api>> = OneChoice<Api['types'][T]['page']>

/** The parameters of one paginator of a menu: without those of the others, which the compiler would accept too. */
type OneChoice<Choices, Each = Choices> = Each extends object
  ? [Exclude<KeyOfAny<Choices>, keyof Each>] extends [never]
    ? Each
    : Merged<Each & { [Name in Exclude<KeyOfAny<Choices>, keyof Each>]?: undefined }>
  : never

type Merged<Parts> = { [Name in keyof Parts]: Parts[Name] } & {}

type KeyOfAny<Choices> = Choices extends object ? keyof Choices : never

export type Countable<Api extends Contract, T extends TypeName<Api>> =
  | (Api['types'][T]['countable'] extends true ? '_self_' : never)
  | RelationsThatAre<Api, T, 'countable'>

/** A query for the first resource that matches filters of which at least one is singular. */
export interface FirstQuery<Api extends Contract, T extends TypeName<Api>, P extends string, F>
  extends DocumentQuery<Api, T, P, F> {
  readonly filter: Filters<Api, T> & SingularFilter<Api['types'][T]['filters'], Api['types'][T]['singular']>
}

/** At least one of the singular filters. */
type SingularFilter<Values, Keys> = Keys extends keyof Values ? { readonly [Key in Keys]: Values[Key] } : never

/** A query for the identifiers of the members of a relation. To-one relations have neither pages nor an order. See {@link createClient}. */
export interface LinkageQuery<Api extends Contract, T extends TypeName<Api>, N extends string> extends RequestOptions {
  readonly filter?: OfLinkage<Api, T, N, RelatedFilters<Api, T, N>> | undefined
  readonly sort?: OfLinkage<Api, T, N, readonly RelatedSort<Api, T, N>[]> | undefined
  readonly page?: OfLinkage<Api, T, N, RelatedPage<Api, T, N>> | undefined
}

/** A parameter of linkage. There are none if the members have several types, or if the join rows have fields. */
type OfLinkage<Api extends Contract, T extends TypeName<Api>, N, Value> = RelationOf<Api, T, N>['pivot'] extends null
  ? IsOne<TargetOf<Api, T, N>> extends true
    ? Value
    : NoLinkageParameters
  : NoLinkageParameters

type NoLinkageParameters = 'The linkage of this relation has no parameters: read its members with related().'

/** A query for the members of a relation. */
export interface RelatedQuery<
  Api extends Contract,
  T extends TypeName<Api>,
  N extends string,
  P extends string,
  F,
  C extends string,
> extends RequestOptions {
  readonly filter?: Combined<Api, RelatedFilters<Api, T, N>> | undefined
  readonly sort?: readonly RelatedSort<Api, T, N>[] | undefined
  readonly page?: RelatedPage<Api, T, N> | undefined
  readonly include?:
    | readonly (P extends RelatedPath<Api, T, N, P> ? P : RelatedPath<Api, T, N, P>)[]
    | PathsAreLists
    | undefined
  readonly fields?: (F & UnknownTypes<Api, F>) | undefined
  readonly count?: readonly (C extends RelatedCountable<Api, T, N> ? C : RelatedCountable<Api, T, N>)[] | undefined
}

/** Deferred until the relation is inferred: else the compiler would infer any text for the paths. */
type RelatedPath<Api extends Contract, T extends TypeName<Api>, N, P> = N extends unknown
  ? IncludePath<Api, TargetOf<Api, T, N>, P>
  : never

export type RelatedCountable<Api extends Contract, T extends TypeName<Api>, N> =
  | ('countable' extends RelationOf<Api, T, N>['is'] ? '_self_' : never)
  | RelationsThatAre<Api, TargetOf<Api, T, N>, 'countable'>

/** The filters of the related type and of the relation. The relation's filters take precedence. Members of several types cannot be filtered. */
export type RelatedFilters<Api extends Contract, T extends TypeName<Api>, N> =
  IsOne<TargetOf<Api, T, N>> extends true
    ? Optional<
        Omit<Api['types'][TargetOf<Api, T, N>]['filters'], keyof RelationOf<Api, T, N>['filters']> &
          RelationOf<Api, T, N>['filters']
      >
    : Readonly<Record<string, never>>

type Optional<Values> = { readonly [Key in keyof Values]?: Values[Key] | undefined }

export type RelatedSort<Api extends Contract, T extends TypeName<Api>, N> = RelationOf<Api, T, N>['many'] extends true
  ? IsOne<TargetOf<Api, T, N>> extends true
    ? SortKey<Api, TargetOf<Api, T, N>> | Direction<RelationOf<Api, T, N>['sorts']>
    : never
  : never

type Direction<Key> = Key extends string ? Key | `-${Key}` : never

export type RelatedPage<Api extends Contract, T extends TypeName<Api>, N> = RelationOf<Api, T, N>['many'] extends true
  ? RelationOf<Api, T, N>['page'] extends 'inherited'
    ? IsOne<TargetOf<Api, T, N>> extends true
      ? PageParameters<Api, TargetOf<Api, T, N>>
      : OneChoice<Api['page']>
    : OneChoice<RelationOf<Api, T, N>['page']>
  : never
