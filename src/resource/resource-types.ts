import type { AnyAttribute, Children, FlagsOf, ValueOf } from './fields/attribute-types.js'
import type { AnyRelation, AnyRelations, relationState, TargetOf } from './relations/relation-types.js'
import type { ResourceMetadata } from './resource-settings.js'

/** Carries what the compiler knows of a declaration; nothing is there at run time. */
export declare const resourceState: unique symbol

export interface ResourceState<R, A extends Children, Rels extends AnyRelations> {
  readonly row: R
  readonly attributes: A
  readonly relations: Rels
}

/** A declared type: frozen, and nothing but data until a server is built from it. */
export interface Resource<Type extends string, R, A extends Children, Rels extends AnyRelations> {
  readonly type: Type
  readonly [resourceState]: ResourceState<R, A, Rels>
  /** The same declaration served differently: on another server, read-only, under another type. */
  with<const Other extends string = Type>(
    metadata: ResourceMetadata & { readonly type?: Other },
  ): Resource<Other, R, A, Rels>
}

/** Any declared type. */
export interface AnyResource {
  readonly type: string
  readonly [resourceState]: ResourceState<unknown, Children, AnyRelations>
}

type AttributesOf<T extends AnyResource> = T[typeof resourceState]['attributes']
type RelationsOf<T extends AnyResource> = T[typeof resourceState]['relations']

type Simplify<T> = { [Key in keyof T]: T[Key] }

/** Names of the attributes that have one of the flags. */
type Having<A extends Children, F> = {
  [Name in keyof A]: Extract<FlagsOf<A[Name]>, F> extends never ? never : Name
}[keyof A]

type NeverRead = 'hidden' | 'writeOnly'
type SometimesRead = 'maybeHidden' | 'onDemand'

/** Names of the attributes that a client may send. */
type WritableOn<A extends Children, Frozen> = Exclude<keyof A, Having<A, 'readOnly' | 'hidden' | Frozen> | Underived<A>>

/** Computed attributes without a `fillUsing` are not written. */
type Underived<A extends Children> = Exclude<Having<A, 'computed'>, Having<A, 'ownWrite'>>

type ReadOf<A extends Children> = Simplify<
  { [Name in Exclude<keyof A, Having<A, NeverRead | SometimesRead>>]: ValueOf<A[Name]> } & {
    [Name in Exclude<Having<A, SometimesRead>, Having<A, NeverRead>>]?: ValueOf<A[Name]>
  }
>

type CreateOf<A extends Children> = Simplify<
  {
    [Name in Extract<WritableOn<A, 'readOnlyOnCreate'>, Having<A, 'required' | 'requiredOnCreate'>>]: ValueOf<A[Name]>
  } & {
    [Name in Exclude<WritableOn<A, 'readOnlyOnCreate'>, Having<A, 'required' | 'requiredOnCreate'>>]?: ValueOf<A[Name]>
  }
>

type UpdateOf<A extends Children> = Simplify<{ [Name in WritableOn<A, 'readOnlyOnUpdate'>]?: ValueOf<A[Name]> }>

/**
 * The attributes of a type as a client reads them.
 *
 * @example
 * ```ts
 * type Album = ReadAttributes<typeof albums> // { title: string; releasedAt: string | null }
 * ```
 */
export type ReadAttributes<T extends AnyResource> = ReadOf<AttributesOf<T>>

/** The attributes that a client sends to create a resource: what is required is mandatory here too. */
export type CreateAttributes<T extends AnyResource> = CreateOf<AttributesOf<T>>

/** The attributes that a client may send to change a resource. */
export type UpdateAttributes<T extends AnyResource> = UpdateOf<AttributesOf<T>>

/** What the compiler knows of a server: its declared types by name. */
export interface TypedServer<Resources extends readonly AnyResource[]> {
  /** Never set: carries the declared types. */
  readonly resources?: Resources
}

type ResourcesOf<S> = S extends TypedServer<infer Resources> ? Resources[number] : never

/** The names of the types that a server declares. */
export type TypeName<S> = ResourcesOf<S>['type']

type ResourceNamed<S, Type extends string> = Extract<ResourcesOf<S>, { readonly type: Type }>

/** How deep paths are spelled out; deeper ones are for the server to judge. */
type Deeper = { 1: never; 2: 1; 3: 2; 4: 3; 5: 4 }

type Includable<Rels extends AnyRelations> = {
  [Name in keyof Rels]: Extract<Rels[Name][typeof relationState]['flags'], 'notIncludable'> extends never
    ? Name & string
    : never
}[keyof Rels]

type PathsFrom<S, T extends AnyResource, Depth extends keyof Deeper> = {
  [Name in Includable<RelationsOf<T>>]:
    | Name
    | (Deeper[Depth] extends never
        ? never
        : `${Name}.${PathsTo<S, RelationsOf<T>[Name], Extract<Deeper[Depth], keyof Deeper>>}`)
}[Includable<RelationsOf<T>>]

type PathsTo<S, Rel, Depth extends keyof Deeper> = Rel extends AnyRelation
  ? ResourceNamed<S, TargetOf<Rel>> extends infer Target
    ? Target extends AnyResource
      ? PathsFrom<S, Target, Depth>
      : never
    : never
  : never

/**
 * The paths that `include` may name from a type on, three relationships deep unless said otherwise.
 *
 * @example
 * ```ts
 * const path: IncludePath<typeof server, 'albums'> = 'artist.albums'
 * ```
 */
export type IncludePath<S, Type extends TypeName<S>, Depth extends keyof Deeper = 3> = PathsFrom<
  S,
  ResourceNamed<S, Type>,
  Depth
>

/** The declarations themselves where every relation points to one of them, a sentence where one does not. */
export type CheckedResources<Resources extends readonly AnyResource[]> = {
  readonly [Index in keyof Resources]: CheckedTargets<Resources[Index], Resources[number]['type']>
}

type CheckedTargets<T extends AnyResource, Types extends string> =
  DanglingRelation<RelationsOf<T>, Types> extends infer Dangling
    ? [Dangling] extends [never]
      ? T
      : `'${T['type']}' has a relation to '${Dangling & string}', which no resource of this server declares.`
    : never

type DanglingRelation<Rels extends AnyRelations, Types extends string> = {
  [Name in keyof Rels]: Exclude<TargetOf<Rels[Name]>, Types>
}[keyof Rels]

/** Attributes that may be named in `sort`. */
export type SortableOf<A extends Children> = Having<A, 'sortable'> & string

export type { AnyAttribute }
