import type { AttributesFor, NamedAttributes, NamesWithFlag } from '../fields/attribute-values.js'
import type { AnyRelation, AnyRelations, relationState, TargetOf } from '../relations/relation-types.js'
import type { SharedPolicy } from '../policy/policy.js'
import type { DocumentSettings, ResourceMetadata } from './resource-settings.js'
import type {
  AnyFacts,
  ChangedActions,
  ChangedSettings,
  GivenSettings,
  NoSettings,
  SharedSettings,
  TypeFacts,
} from './type-facts.js'
import type { resourceState } from '../parts/resource-state.js'

export interface ResourceState<R, A extends NamedAttributes, Rels extends AnyRelations, Facts> {
  readonly row: R
  readonly attributes: A
  readonly relations: Rels
  readonly facts: Facts
}

/**
 * A declared resource type, as {@link defineResource} and {@link defineType} return it: frozen data that a server is
 * built from.
 */
export interface Resource<
  Type extends string,
  R,
  A extends NamedAttributes,
  Rels extends AnyRelations,
  Facts extends AnyFacts = AnyFacts,
> {
  readonly type: Type
  readonly [resourceState]: ResourceState<R, A, Rels, Facts>
  /**
   * Returns a copy of the declaration with other settings, such as another server, read-only, or another type name. Without a
   * type name it can also be called on one of several types, as in `resources.map((each) => each.with({ server: 'admin' }))`.
   */
  with<const Other extends string = Type, const Settings extends ChangedMetadata = NoSettings>(
    metadata: ChangedMetadata &
      Pick<DocumentSettings<R, keyof Rels & string, string, string>, 'policy'> & {
        readonly type?: Other
      } & GivenSettings<Settings>,
  ): Resource<
    Other,
    R,
    A,
    Rels,
    TypeFacts<
      Facts['origin'],
      Facts['id'],
      Facts['filters'],
      Facts['sorts'],
      ChangedActions<Facts['actions'], Settings>['actions'],
      ChangedSettings<Facts['settings'], Settings>['settings'],
      Facts['aggregates']
    >
  >
  with(
    metadata: ChangedMetadata & {
      readonly type?: never
      /** The types have different columns, so that the policy depends only on the caller. */
      readonly policy?: SharedPolicy
    },
  ): Resource<
    Type,
    R,
    A,
    Rels,
    TypeFacts<
      Facts['origin'],
      Facts['id'],
      Facts['filters'],
      Facts['sorts'],
      Facts['actions'],
      ChangedSettings<Facts['settings'], SharedSettings>['settings'],
      Facts['aggregates']
    >
  >
}

interface ChangedMetadata extends ResourceMetadata {
  /** `null` removes the actions. */
  readonly actions?: null
}

/**
 * Any declared type.
 *
 * @example
 * ```ts
 * const names = (resources: readonly AnyResource[]) => resources.map(({ type }) => type)
 * names([albums, artists])
 * ```
 */
export interface AnyResource {
  readonly type: string
  readonly [resourceState]: ResourceState<unknown, NamedAttributes, AnyRelations, unknown>
}

type AttributesOf<T extends AnyResource> = T[typeof resourceState]['attributes']
type RelationsOf<T extends AnyResource> = T[typeof resourceState]['relations']

/**
 * The attributes that a client receives.
 *
 * @example
 * ```ts
 * type Album = ReadAttributes<typeof albums> // { title: string; releasedAt: string | null }
 * ```
 */
export type ReadAttributes<T extends AnyResource> = AttributesFor<AttributesOf<T>, 'read'>

/**
 * The attributes that a client sends to create a resource. Required attributes are mandatory.
 *
 * @example
 * ```ts
 * const album: CreateAttributes<typeof albums> = { title: 'Kid A' }
 * ```
 */
export type CreateAttributes<T extends AnyResource> = AttributesFor<AttributesOf<T>, 'create'>

/**
 * The attributes that a client may send to update a resource.
 *
 * @example
 * ```ts
 * const change: UpdateAttributes<typeof albums> = { releasedAt: '2000-10-02T00:00:00Z' }
 * ```
 */
export type UpdateAttributes<T extends AnyResource> = AttributesFor<AttributesOf<T>, 'update'>

/** The key of a server's type information. Only the compiler sees it: the property does not exist at run time. */
declare const serverState: unique symbol

/** A server with its declared types and its settings, for the compiler. */
export interface TypedServer<Resources extends readonly AnyResource[], Settings = unknown> {
  readonly [serverState]?: { readonly resources: Resources; readonly settings: Settings }
}

type ResourcesOf<S> = S extends TypedServer<infer Resources> ? Resources[number] : never

/**
 * The names of the types of a server.
 *
 * @example
 * ```ts
 * const type: TypeName<typeof server> = 'albums'
 * ```
 */
export type TypeName<S> = ResourcesOf<S>['type']

/** The row of a type of a server, by the name of the type. */
export type RowOfType<Resources extends readonly AnyResource[], Type extends string> = Extract<
  Resources[number],
  { readonly type: Type }
>[typeof resourceState]['row']

type ResourceNamed<S, Type extends string> = Extract<ResourcesOf<S>, { readonly type: Type }>

/**
 * Maps each depth to the next smaller one. The compiler lists include paths up to a depth; the server checks deeper
 * ones.
 */
type NextDepth = { 1: never; 2: 1; 3: 2; 4: 3; 5: 4 }

type Includable<Rels extends AnyRelations> = {
  [Name in keyof Rels]: Extract<Rels[Name][typeof relationState]['flags'], 'notIncludable'> extends never
    ? Name & string
    : never
}[keyof Rels]

type PathsFrom<S, T extends AnyResource, Depth extends keyof NextDepth> = {
  [Name in Includable<RelationsOf<T>>]:
    | Name
    | (NextDepth[Depth] extends never
        ? never
        : `${Name}.${PathsTo<S, RelationsOf<T>[Name], Extract<NextDepth[Depth], keyof NextDepth>>}`)
}[Includable<RelationsOf<T>>]

type PathsTo<S, Rel, Depth extends keyof NextDepth> = Rel extends AnyRelation
  ? ResourceNamed<S, TargetOf<Rel>> extends infer Target
    ? Target extends AnyResource
      ? PathsFrom<S, Target, Depth>
      : never
    : never
  : never

/**
 * The paths that `include` may name for a type, by default up to three relationships deep.
 *
 * @example
 * ```ts
 * const path: IncludePath<typeof server, 'albums'> = 'artist.albums'
 * ```
 */
export type IncludePath<S, Type extends TypeName<S>, Depth extends keyof NextDepth = 3> = PathsFrom<
  S,
  ResourceNamed<S, Type>,
  Depth
>

/** The declarations themselves, with a compiler message for each one that has a relation to an unknown type. */
export type CheckedResources<Resources extends readonly AnyResource[]> = {
  readonly [Index in keyof Resources]: CheckedTargets<Resources[Index], Resources[number]['type']>
}

/** Distributes over the types of a list whose length the compiler does not know, such as that of a snapshot. */
type CheckedTargets<T extends AnyResource, Types extends string> = T extends AnyResource
  ? [UnknownTargets<T, Types>] extends [never]
    ? T
    : UnknownTargets<T, Types>
  : never

/** A compiler message for each relation that points to an unknown type. */
type UnknownTargets<T extends AnyResource, Types extends string> = {
  [Name in keyof RelationsOf<T>]: Exclude<TargetOf<RelationsOf<T>[Name]>, Types> extends infer Target extends string
    ? `'${Name & string}' of '${T['type']}' points to '${Target}', which this server does not declare: add it to 'resources', or correct the name.`
    : never
}[keyof RelationsOf<T>]

/** The names of the sortable attributes. */
export type SortableOf<A> = A extends NamedAttributes ? NamesWithFlag<A, 'sortable'> & string : never
