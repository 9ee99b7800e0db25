import type { Contract, RelationOf, RelationsThatAre, TargetOf, TypeName } from './contract.js'
import type { HeaderValues } from './send-request.js'

/**
 * The include path itself if it is valid, else the paths that could stand in its place. Only written paths are followed: a union of all
 * paths would be infinite.
 */
export type IncludePath<Api extends Contract, T extends TypeName<Api>, P> = P extends `${infer First}.${infer Rest}`
  ? IsIncludable<Api, T, First> extends true
    ? `${First}.${IncludePath<Api, TargetOf<Api, T, First>, Rest>}`
    : Includable<Api, T>
  : IsIncludable<Api, T, P> extends true
    ? P
    : Includable<Api, T>

/** A relation to a type that the server does not have cannot be included. */
type IsIncludable<Api extends Contract, T extends TypeName<Api>, N> = 'includable' extends RelationOf<Api, T, N>['is']
  ? RelationOf<Api, T, N>['type'] extends TypeName<Api>
    ? true
    : false
  : false

/** The relations that `include` may name first. See {@link createClient}. */
export type Includable<Api extends Contract, T extends TypeName<Api>> = {
  [N in keyof Api['types'][T]['relations']]: IsIncludable<Api, T, N> extends true ? N & string : never
}[keyof Api['types'][T]['relations']]

/** The names of the fields of a type that `fields` may list. See {@link createClient}. */
export type FieldName<Api extends Contract, T extends TypeName<Api>> =
  | (keyof Api['types'][T]['attributes'] & string)
  | RelationsThatAre<Api, T, 'shown'>

/** The sparse fieldsets that a query may have. */
export type FieldsetsOf<Api extends Contract> = {
  readonly [T in TypeName<Api>]?: readonly FieldName<Api, T>[]
}

/** A key of `sort`, with `-` for descending. See {@link createClient}. */
export type SortKey<Api extends Contract, T extends TypeName<Api>> =
  | (Api['types'][T]['sorts'] & string)
  | `-${Api['types'][T]['sorts'] & string}`

/** What all requests may have. See {@link createClient}. */
export interface RequestOptions {
  /** Headers in addition to those of the client, or in place of them. */
  readonly headers?: HeaderValues
  /** Ends the call, also while it waits for another attempt. The call throws the reason of the signal. */
  readonly signal?: AbortSignal
  /** Milliseconds after which an attempt is aborted with a `TimeoutError`. Default: that of the client. */
  readonly timeout?: number
}

/** The parts of a query that decide what the resources of a response have. */
export interface DocumentQuery<Api extends Contract, T extends TypeName<Api>, P extends string, F>
  extends RequestOptions {
  /** The relations that are read too, as paths: `tracks.playlists`. */
  readonly include?: readonly (P extends IncludePath<Api, T, P> ? P : IncludePath<Api, T, P>)[]
  /** The fields that resources have, by type. Default: all. */
  readonly fields?: F & UnknownTypes<Api, F>
}

/** Refuses fieldsets of types that there are not. */
type UnknownTypes<Api extends Contract, F> = {
  readonly [Type in Exclude<keyof F, TypeName<Api>>]: `This API has no type '${Type & string}'.`
}

/** The filters of a type. See {@link createClient}. */
export type Filters<Api extends Contract, T extends TypeName<Api>> = {
  readonly [Key in keyof Api['types'][T]['filters']]?: Api['types'][T]['filters'][Key]
}

/** A query for one resource. */
export interface OneQuery<Api extends Contract, T extends TypeName<Api>, P extends string, F, C extends string>
  extends DocumentQuery<Api, T, P, F> {
  /** The to-many relations that are counted: `$counts` of the resource has their numbers. */
  readonly count?: readonly (C extends RelationsThatAre<Api, T, 'countable'>
    ? C
    : RelationsThatAre<Api, T, 'countable'>)[]
}

/** A query for a collection. */
export interface ListQuery<Api extends Contract, T extends TypeName<Api>, P extends string, F, C extends string>
  extends DocumentQuery<Api, T, P, F> {
  readonly filter?: Filters<Api, T>
  readonly sort?: readonly SortKey<Api, T>[]
  readonly page?: NonNullable<Api['types'][T]['page']>
  /** What is counted: relations, as `$counts` of each resource, and `_self_` for the collection, as `total` of the page. */
  readonly count?: readonly (C extends Countable<Api, T> ? C : Countable<Api, T>)[]
}

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
  readonly filter?: RelatedFilters<Api, T, N>
  readonly sort?: readonly RelatedSort<Api, T, N>[]
  readonly page?: NonNullable<RelatedPage<Api, T, N>>
}

/** A query for the members of a relation. */
export interface RelatedQuery<
  Api extends Contract,
  T extends TypeName<Api>,
  N extends string,
  P extends string,
  F,
  C extends string,
> extends LinkageQuery<Api, T, N> {
  readonly include?: readonly (P extends RelatedPath<Api, T, N, P> ? P : RelatedPath<Api, T, N, P>)[]
  readonly fields?: F & UnknownTypes<Api, F>
  readonly count?: readonly (C extends RelatedCountable<Api, T, N> ? C : RelatedCountable<Api, T, N>)[]
}

/** Deferred until the relation is inferred: else the compiler would infer any text for the paths. */
type RelatedPath<Api extends Contract, T extends TypeName<Api>, N, P> = N extends unknown
  ? IncludePath<Api, TargetOf<Api, T, N>, P>
  : never

export type RelatedCountable<Api extends Contract, T extends TypeName<Api>, N> =
  | ('countable' extends RelationOf<Api, T, N>['is'] ? '_self_' : never)
  | RelationsThatAre<Api, TargetOf<Api, T, N>, 'countable'>

/** The filters of the related type, and those of the relation, which win. Members of several types cannot be filtered. */
export type RelatedFilters<Api extends Contract, T extends TypeName<Api>, N> =
  IsOne<TargetOf<Api, T, N>> extends true
    ? Partial<
        Omit<Api['types'][TargetOf<Api, T, N>]['filters'], keyof RelationOf<Api, T, N>['filters']> &
          RelationOf<Api, T, N>['filters']
      >
    : Readonly<Record<string, never>>

export type RelatedSort<Api extends Contract, T extends TypeName<Api>, N> = RelationOf<Api, T, N>['many'] extends true
  ? IsOne<TargetOf<Api, T, N>> extends true
    ? SortKey<Api, TargetOf<Api, T, N>> | Direction<RelationOf<Api, T, N>['sorts']>
    : never
  : never

type Direction<Key> = Key extends string ? Key | `-${Key}` : never

type RelatedPage<Api extends Contract, T extends TypeName<Api>, N> = RelationOf<Api, T, N>['many'] extends true
  ? RelationOf<Api, T, N>['page'] extends 'inherited'
    ? IsOne<TargetOf<Api, T, N>> extends true
      ? Api['types'][TargetOf<Api, T, N>]['page']
      : Api['page']
    : RelationOf<Api, T, N>['page']
  : never

type IsOne<T, Each = T> = [T] extends [never] ? false : T extends unknown ? ([Each] extends [T] ? true : false) : never
