import type { Contract, IsOne, RelationOf, RelationsThatAre, TargetOf, ToManyThatAre, TypeName } from './contract.js'

/** A resource identifier. See {@link createClient}. */
export interface Identifier<T extends string = string> {
  readonly type: T
  readonly id: string
}

/** The fieldsets of a query that has none. The name is for compiler messages. See {@link createClient}. */
export interface NoFieldsets {}

/** The relations at the first step of include paths. */
type Head<P> = P extends `${infer First}.${string}` ? First : P

/** The rest of the include paths that begin with a relation. */
type Tail<P, N> = N extends string ? (P extends `${N}.${infer Rest}` ? Rest : never) : never

/**
 * A resource as a client reads it: attributes and relations side by side. `P` is the union of the include paths, and `F` has the sparse
 * fieldsets. A relation that is not included is an identifier if every response has its linkage, else it is absent.
 *
 * It distributes over `T`, the types of a polymorphic relation. See {@link createClient}.
 */
export type ResourceOf<Api extends Contract, T extends TypeName<Api>, P = never, F = NoFieldsets> = T extends unknown
  ? Identifier<T> &
      (T extends keyof F ? Picked<Attributes<Api, T>, F[T]> : Attributes<Api, T>) & {
        readonly [N in Selected<F, T, Shown<Api, T, P>> & string]: RelationValue<Api, T, N, P, F>
      }
  : never

/**
 * The attributes of a type. Like the other parts of a resource it is a conditional type, so that editors show the fields and not its name.
 * One object type of all parts would be shorter, but takes a fifth more instantiations. See {@link createClient}.
 */
export type Attributes<Api extends Contract, T extends TypeName<Api>> = T extends unknown
  ? { readonly [Name in keyof Api['types'][T]['attributes']]: Api['types'][T]['attributes'][Name] }
  : never

/** The attributes that a fieldset selects. */
type Picked<All, Names> = Names extends readonly (infer Name)[]
  ? Extract<keyof All, Name> extends infer Each extends keyof All
    ? { [Key in Each]: All[Key] }
    : never
  : All

/**
 * A row of an export as a client reads it: the attributes of the type next to its id, and the identifiers of to-one relations, as `artist.id`.
 * `F` has the fieldset. See {@link createClient}.
 */
export type ExportedRow<Api extends Contract, T extends TypeName<Api>, F = NoFieldsets> = T extends unknown
  ? { readonly id: string } & (T extends keyof F ? Picked<Attributes<Api, T>, F[T]> : Attributes<Api, T>) & {
        readonly [N in Selected<F, T, ToOneColumn<Api, T>> & string as `${N}.id`]: string | null | HiddenFrom<Api, T, N>
      } & {
        readonly [N in SeveralTypes<Api, T, Selected<F, T, ToOneColumn<Api, T>>> as `${N}.type`]:
          | RelationOf<Api, T, N>['type']
          | null
          | HiddenFrom<Api, T, N>
      }
  : never

/** The relations that are columns of an export. */
export type ToOneColumn<Api extends Contract, T extends TypeName<Api>> = Exclude<
  RelationsThatAre<Api, T, 'shown'>,
  ToManyThatAre<Api, T, 'shown'>
>

/** The relations whose members have several types. */
type SeveralTypes<Api extends Contract, T extends TypeName<Api>, N> = N extends string
  ? IsOne<RelationOf<Api, T, N>['type']> extends true
    ? never
    : N
  : never

/** The names of the fields that a fieldset selects; all if there is none. */
type Selected<F, T, All> = T extends keyof F ? (F[T] extends readonly (infer Name)[] ? Extract<All, Name> : All) : All

/** The relations that a resource has: those that are included, and those with linkage in every response. */
type Shown<Api extends Contract, T extends TypeName<Api>, P> =
  | Extract<Head<P>, keyof Api['types'][T]['relations']>
  | RelationsThatAre<Api, T, 'linked'>

/** A list for a to-many relation; the resource or `null` for a to-one relation. It may be hidden from some requests. */
type RelationValue<Api extends Contract, T extends TypeName<Api>, N extends string, P, F> = RelationOf<
  Api,
  T,
  N
>['many'] extends true
  ? readonly Member<Api, T, N, P, F>[] | HiddenFrom<Api, T, N>
  : Member<Api, T, N, P, F> | null | HiddenFrom<Api, T, N>

type HiddenFrom<Api extends Contract, T extends TypeName<Api>, N> = 'optional' extends RelationOf<Api, T, N>['is']
  ? undefined
  : never

/** A member of a relation: a resource if it is included, else an identifier. */
type Member<Api extends Contract, T extends TypeName<Api>, N extends string, P, F> =
  N extends Head<P>
    ? WithPivot<Api, T, N, ResourceOf<Api, TargetOf<Api, T, N>, Tail<P, N>, F>>
    : WithPivot<Api, T, N, IdentifierOf<RelationOf<Api, T, N>['type']>>

/** Distributes over the types of a polymorphic relation. */
export type IdentifierOf<T> = T extends string ? Identifier<T> : never

/** The member with the fields of its join row, if there are any. */
export type WithPivot<Api extends Contract, T extends TypeName<Api>, N, Value> = RelationOf<
  Api,
  T,
  N
>['pivot'] extends { attributes: infer Pivot }
  ? Value & { readonly $pivot: Pivot }
  : Value

/** The resource with the requested counts of members. */
export type Counted<Value, C> = [Exclude<C, '_self_'>] extends [never]
  ? Value
  : Value & { readonly $counts: { readonly [N in Exclude<C, '_self_'> & string]: number } }
