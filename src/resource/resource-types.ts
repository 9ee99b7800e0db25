import type { AttributesFor, Children, Having } from './fields/attribute-values.js'
import type { AnyRelation, AnyRelations, relationState, TargetOf } from './relations/relation-types.js'
import type { ResourceMetadata } from './resource-settings.js'
import type { resourceState } from './resource-state.js'

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
    metadata: ResourceMetadata & {
      readonly type?: Other
      /** Takes the actions away. */
      readonly actions?: null
    },
  ): Resource<Other, R, A, Rels>
}

/** Any declared type. */
export interface AnyResource {
  readonly type: string
  readonly [resourceState]: ResourceState<unknown, Children, AnyRelations>
}

type AttributesOf<T extends AnyResource> = T[typeof resourceState]['attributes']
type RelationsOf<T extends AnyResource> = T[typeof resourceState]['relations']

/**
 * The attributes of a type as a client reads them.
 *
 * @example
 * ```ts
 * type Album = ReadAttributes<typeof albums> // { title: string; releasedAt: string | null }
 * ```
 */
export type ReadAttributes<T extends AnyResource> = AttributesFor<AttributesOf<T>, 'read'>

/** The attributes that a client sends to create a resource: what is required is mandatory here too. */
export type CreateAttributes<T extends AnyResource> = AttributesFor<AttributesOf<T>, 'create'>

/** The attributes that a client may send to change a resource. */
export type UpdateAttributes<T extends AnyResource> = AttributesFor<AttributesOf<T>, 'update'>

/** Carries what the compiler knows of a server; nothing is there at run time. */
declare const serverState: unique symbol

/** What the compiler knows of a server: its declared types. */
export interface TypedServer<Resources extends readonly AnyResource[]> {
  readonly [serverState]?: Resources
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

type CheckedTargets<T extends AnyResource, Types extends string> = [Dangling<T, Types>] extends [never]
  ? T
  : Dangling<T, Types>

/** A sentence for each relation that points to no type of the server. */
type Dangling<T extends AnyResource, Types extends string> = {
  [Name in keyof RelationsOf<T>]: Exclude<TargetOf<RelationsOf<T>[Name]>, Types> extends infer Target extends string
    ? `'${Name & string}' of '${T['type']}' points to '${Target}', which this server does not declare: add it to 'resources', or correct the name.`
    : never
}[keyof RelationsOf<T>]

/** Attributes that may be named in `sort`. */
export type SortableOf<A> = A extends Children ? Having<A, 'sortable'> & string : never
