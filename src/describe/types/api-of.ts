import type { ATOMIC_EXTENSION } from '../../core/document/media-type.js'
import type { filterTreeProfile } from '../../declare/profiles/profile.js'
import type { Bytes } from '../../declare/resource/replies/responses.js'
import type { AttributesFor, NamedAttributes, NamesWithFlag } from '../../declare/resource/fields/attribute-values.js'
import type { Action } from '../../declare/resource/define/action-kit.js'
import type { AnyRelations, relationState } from '../../declare/resource/relations/relation-types.js'
import type { resourceState } from '../../declare/resource/parts/resource-state.js'
import type { AnyResource, ResourceState, TypedServer } from '../../declare/resource/define/resource-types.js'
import type { ResourceOperation } from '../../declare/resource/replies/responses.js'
import type { SchemaValue } from '../../declare/resource/parts/schema-value.js'
import type { AnyFacts } from '../../declare/resource/define/type-facts.js'
import type { AggregateContract, AggregateTypes, NamedAggregates } from './aggregate-contract.js'
import type { FilterKeys, FiltersOf } from './filter-values.js'
import type { PageOf } from './page-parameters.js'
import type { RelationContract } from './relation-contract.js'

/**
 * The contract of a server: the possible requests for each of its types, as plain data. `ashlar types` writes the same type to a file,
 * which compiles faster, and needs no sources of the server.
 *
 * @example
 * ```ts
 * const server = createServer({ resources: [albums, artists], data: memoryData() })
 * interface Api extends ApiOf<typeof server> {}
 * const title: Api['types']['albums']['attributes']['title'] = 'Kid A'
 * ```
 */
export type ApiOf<S, Name extends string = 'default'> =
  S extends TypedServer<infer Resources, infer Settings> ? ServerContract<Resources[number], Settings, Name> : never

interface ServerContract<R extends AnyResource, Settings, Name extends string> {
  types: TypeContracts<R, Defaults<Settings, Name>, Name>
  /** The `page` parameters of requests for collections of several types; `null` if there are none. */
  page: Defaults<Settings, Name>['page']
  /** The path of the Atomic Operations extension; `null` if the server does not have it. */
  atomic: AtomicPath<Settings>
  /** Whether a write with an `Idempotency-Key` may be repeated. */
  idempotency: IsSet<OwnSetting<Settings, Name, 'idempotency'>>
  /** Whether filters may be combined, by the profile of filter trees. */
  filterTrees: HasFilterTrees<Settings, Name>
  /** Whether a write with `Prefer: tx=rollback` is rolled back. */
  dryRun: IsSet<SettingOf<Settings, 'dryRun'>>
}

/**
 * The keys are the names. If they were the types, renamed with `as`, the compiler would compute all names again whenever it needs the
 * keys.
 */
type TypeContracts<R extends AnyResource, D extends AnyDefaults, Name extends string> = {
  [Type in NameOn<R, Name> | AggregateOn<R, Name>]: Type extends AggregateOn<R, Name>
    ? GroupsOf<R, Type, Name>
    : ContractOf<R, Type, D, Name>
}

/** The types of the groups of a type, if a server has it. Distributes over the types of a service. */
type AggregateOn<R extends AnyResource, Name extends string> = R extends unknown
  ? NameOn<R, Name> extends infer Type extends string
    ? AggregateTypes<Type, Fact<R[typeof resourceState], 'aggregates'>>
    : never
  : never

type GroupsOf<R extends AnyResource, Type extends string, Name extends string> = R extends unknown
  ? Type extends AggregateOn<R, Name>
    ? ContractOfGroups<R['type'], Type, R[typeof resourceState]>
    : never
  : never

type ContractOfGroups<
  Owner extends string,
  Type extends string,
  S extends AnyState,
> = Type extends `${Owner}-${infer Aggregate}`
  ? AggregateContract<
      Type,
      S['attributes'],
      S['relations'],
      Fact<S, 'aggregates'>[Aggregate & keyof Fact<S, 'aggregates'>],
      FiltersOf<S['attributes'], S['relations'], Fact<S, 'filters'>, IdKey<S>>
    >
  : never

/** The name of a type if a server has it. Distributes over the types of a service. */
type NameOn<R extends AnyResource, Name extends string> = R extends unknown
  ? Name extends ServersOf<SettingOf<Fact<R[typeof resourceState], 'settings'>, 'server'>>
    ? R['type']
    : never
  : never

/** The contract of the type with a name. Two servers may have different types of one name. */
type ContractOf<R extends AnyResource, Type extends string, D extends AnyDefaults, Name extends string> = R extends {
  readonly type: Type
}
  ? NameOn<R, Name> extends never
    ? never
    : TypeContract<Type, R[typeof resourceState], D>
  : never

/** The names of the servers of a type. If the compiler does not know them, the type counts as being on every server. */
type ServersOf<Declared> = unknown extends Declared
  ? string
  : Declared extends string
    ? Declared
    : Declared extends readonly (infer Each)[]
      ? Each
      : 'default'

/** The type of a setting; `undefined` if it is not declared. */
type SettingOf<Settings, Name extends string> = Name extends keyof Settings
  ? [Settings[Name]] extends [undefined]
    ? undefined
    : Exclude<Settings[Name], undefined>
  : undefined

/** The settings of a server that its types depend on. */
interface AnyDefaults {
  readonly page: unknown
  readonly linkage: unknown
}

interface Defaults<Settings, Name extends string> {
  readonly page: PageOf<
    Inherited<Settings, Name, 'pagination'>,
    Inherited<Settings, Name, 'maxPageSize'> extends 0
      ? null
      : { number?: number | undefined; size?: number | undefined }
  >
  readonly linkage: Inherited<Settings, Name, 'linkage'>
}

/** The own setting of a named server; `undefined` if it declares none. */
type OwnOf<Settings, Name extends string, Setting extends string> = SettingOf<
  SettingOf<SettingOf<Settings, 'servers'>, Name>,
  Setting
>

/** A setting that a named server has too, unless it has its own. */
type Inherited<Settings, Name extends string, Setting extends string> = FirstOf<
  OwnOf<Settings, Name, Setting>,
  FirstOf<OwnOf<Settings, 'default', Setting>, SettingOf<Settings, Setting>>
>

/** A setting that named servers do not inherit. */
type OwnSetting<Settings, Name extends string, Setting extends string> = FirstOf<
  OwnOf<Settings, Name, Setting>,
  Name extends 'default' ? SettingOf<Settings, Setting> : undefined
>

type FirstOf<First, Second> = [First] extends [undefined] ? Second : First

type IsSet<Declared> = [Declared] extends [false | null | undefined] ? false : true

/** Named servers may have their own profiles. */
type HasFilterTrees<Settings, Name extends string> = FirstOf<
  HasFilterTree<OwnOf<Settings, Name, 'profiles'>>,
  FirstOf<
    HasFilterTree<OwnOf<Settings, 'default', 'profiles'>>,
    SettingOf<Settings, 'filterTrees'> extends true ? true : false
  >
>

type HasFilterTree<Profiles> = Profiles extends readonly (infer Each)[]
  ? [Extract<Each, typeof filterTreeProfile>] extends [never]
    ? false
    : true
  : undefined

type AtomicPath<Settings> =
  Extract<
    SettingOf<Settings, 'extensions'>,
    { readonly uri: typeof ATOMIC_EXTENSION; readonly enabled: true }
  > extends infer Found
    ? [Found] extends [never]
      ? null
      : Found extends { readonly path: infer Path }
        ? Path
        : null
    : never

/** The contract of one type. */
interface TypeContract<Type extends string, S extends AnyState, D extends AnyDefaults> {
  /** The path segment of the collection. */
  path: FirstOf<SettingOf<Fact<S, 'settings'>, 'uriType'>, Type>
  operations: OperationsOf<S>
  /** Whether a client sends the id of a new resource. */
  clientIds: 'required' extends Fact<S, 'id'> ? 'required' : 'optional' extends Fact<S, 'id'> ? 'optional' : 'never'
  /** The attributes that a client receives. */
  attributes: ReadBy<S['attributes'], SettingOf<Fact<S, 'settings'>, 'serializer'>>
  /** The attributes that a client sends to create a resource. */
  create: AttributesFor<S['attributes'], 'create'>
  /** The attributes that a client sends to update a resource. */
  update: AttributesFor<S['attributes'], 'update'>
  relations: RelationContracts<S['relations'], FirstOf<SettingOf<Fact<S, 'settings'>, 'linkage'>, D['linkage']>>
  /** The filters of a request. */
  filters: FiltersOf<S['attributes'], S['relations'], Fact<S, 'filters'>, IdKey<S>>
  /** The filters after which the response has one resource or none, instead of a list. */
  singular: FilterKeys<Fact<S, 'filters'>, true>
  /** The keys of `sort`, without the `-` for descending. */
  sorts: Fact<S, 'sorts'> | (NamesWithFlag<S['attributes'], 'sortable'> & string) | IdSort<S>
  /** The `page` parameters of a request; `null` if collections have no pages. */
  page: PageOf<SettingOf<Fact<S, 'settings'>, 'pagination'>, D['page']>
  /** Whether `withCount` may name the collection. */
  countable: SettingOf<Fact<S, 'settings'>, 'countable'> extends true ? true : false
  actions: ActionsOf<Type, S>
  /** The keys by which an operation of a batch creates or updates a resource. */
  upsertBy: UpsertKeys<S>
  /** The types of the groups of the aggregates, by the names of the aggregates. */
  aggregates: NamedAggregates<Type, Fact<S, 'aggregates'>>
  /** The responses of the operations. */
  results: {
    create: ResultOf<FirstOf<SettingOf<Fact<S, 'settings'>, 'create'>, { readonly kind: 'created' }>, Type>
    update: ResultOf<FirstOf<SettingOf<Fact<S, 'settings'>, 'update'>, { readonly kind: 'ok' }>, Type>
    delete: ResultOf<FirstOf<SettingOf<Fact<S, 'settings'>, 'delete'>, { readonly kind: 'noContent' }>, Type>
    fetchOne: ResultOf<FirstOf<SettingOf<Fact<S, 'settings'>, 'fetchOne'>, { readonly kind: 'ok' }>, Type>
  }
}

/** One of the facts of a type. */
type Fact<S extends AnyState, Name extends keyof AnyFacts> = S['facts'] extends { readonly [Each in Name]: infer Known }
  ? Known
  : never

type AnyState = ResourceState<unknown, NamedAttributes, AnyRelations, unknown>

type OperationsOf<S extends AnyState> = DeclaredOperations<S> | UpsertOf<S> | ExportOf<S>

/** The export that the client reads: as lines of JSON. */
type ExportOf<S extends AnyState> =
  SettingOf<Fact<S, 'settings'>, 'export'> extends infer Declared
    ? Declared extends null | undefined | false
      ? never
      : Declared extends { readonly formats: infer Formats }
        ? 'ndjson' extends MemberOf<Formats>
          ? 'Export'
          : never
        : 'Export'
    : never

type MemberOf<List> = List extends readonly (infer Each)[] ? Each : never

/** The upsert by the id. */
type UpsertOf<S extends AnyState> = 'id' extends UpsertKeys<S> ? 'Upsert' : never

/** The keys of upserts, which need both operations that they do. */
type UpsertKeys<S extends AnyState> = ['Create' | 'Update'] extends [DeclaredOperations<S>]
  ? OneOf<SettingOf<Fact<S, 'settings'>, 'upsertBy'>>
  : never

type OneOf<Keys> = Keys extends string ? Keys : MemberOf<Keys>

type DeclaredOperations<S extends AnyState> =
  SettingOf<Fact<S, 'settings'>, 'readOnly'> extends true
    ? 'FetchCollection' | 'FetchOne'
    : SettingOf<Fact<S, 'settings'>, 'operations'> extends readonly [infer First, ...infer Others]
      ? First | Others[number]
      : Fact<S, 'origin'> extends 'capabilities'
        ? never
        : ResourceOperation

/** Requests may filter and sort by the id unless the declaration disables it, or a serializer creates the id. */
type IdKey<S extends AnyState> =
  'unqueried' extends Fact<S, 'id'>
    ? never
    : [SettingOf<Fact<S, 'settings'>, 'serializer'>] extends [undefined]
      ? 'id'
      : never

type IdSort<S extends AnyState> = 'sortable' extends Fact<S, 'id'> ? 'id' : IdKey<S>

/** The attributes that clients read: those of the serializer, if its members are known. */
type ReadBy<A extends NamedAttributes, Members> = [Members] extends [undefined]
  ? AttributesFor<A, 'read'>
  : Members extends readonly (infer Name)[]
    ? string extends Name
      ? AttributesFor<A, 'read'>
      : Merged<
          Pick<AttributesFor<A, 'read'>, Name & keyof AttributesFor<A, 'read'>> & {
            [Other in Exclude<Name & string, keyof A>]?: unknown
          }
        >
    : string extends keyof Members
      ? AttributesFor<A, 'read'>
      : Members extends object
        ? Merged<
            Described<Pick<AttributesFor<A, 'read'>, keyof Members & keyof AttributesFor<A, 'read'>>, Members> & {
              -readonly [Name in Exclude<keyof Members, keyof A>]: SchemaValue<Members[Name]>
            }
          >
        : AttributesFor<A, 'read'>

/** The values of the schemas of declared attributes, which may be hidden. */
type Described<Read, Members> = { [Name in keyof Read]: SchemaValue<Members[Name & keyof Members]> }

type Merged<T> = { [Name in keyof T]: T[Name] } & {}

type RelationContracts<Rels extends AnyRelations, Linkage> = {
  -readonly [Name in keyof Rels]: RelationContract<Name & string, Rels[Name][typeof relationState], Linkage>
}

/**
 * A response as clients see it: a document with a resource, with one or `null`, or with a list, a job that continues the work, a document
 * with meta only, nothing, or the address of the result.
 */
type ResultOf<Declared, Type extends string> = Declared extends readonly (infer Each)[]
  ? ResultOf<Each, Type>
  : Declared extends { readonly kind: 'accepted'; readonly jobType: infer Job }
    ? { job: Job }
    : Declared extends { readonly kind: 'noContent' }
      ? 'none'
      : Declared extends { readonly kind: 'metaResult' }
        ? 'meta'
        : Declared extends { readonly kind: 'seeOther' }
          ? 'redirect'
          : Declared extends Bytes<infer MediaType>
            ? { bytes: Lowercase<MediaType> }
            : Declared extends {
                  readonly kind: 'actionResource'
                  readonly type: infer Named
                  readonly data: infer Data
                }
              ? DataOf<Data, Named extends string ? Named : Type>
              : { resource: Type }

/** The key of the type in a result: `one` for resources that are always present. */
type DataOf<Data, Type> = Data extends 'many'
  ? { resources: Type }
  : Data extends 'oneOrNull'
    ? { resourceOrNull: Type }
    : { resource: Type }

type ActionsOf<Type extends string, S extends AnyState> = ActionContracts<
  Type,
  Fact<S, 'actions'>,
  SoftDeleteActions<SettingOf<Fact<S, 'settings'>, 'softDeletes'>, 'Delete' extends OperationsOf<S> ? true : false>
>

type ActionContracts<Type extends string, Declared, BuiltIn> = {
  [Path in keyof Declared | keyof BuiltIn]: Path extends keyof Declared
    ? ActionContract<Declared[Path], Type>
    : Path extends keyof BuiltIn
      ? { on: 'resource'; methods: 'POST'; input: null; result: ResultOf<BuiltIn[Path], Type> }
      : never
}

type ActionContract<A, Type extends string> =
  A extends Action<infer Scope, infer R, infer Input, infer InputType, infer Method>
    ? {
        on: Scope
        methods: Method
        input: Input extends 'document'
          ? { document: [InputType] extends [never] ? Type : InputType }
          : Input extends 'raw'
            ? 'raw'
            : Input extends Bytes<infer MediaType>
              ? { bytes: Lowercase<MediaType> }
              : null
        result: ResultOf<R, Type>
      }
    : never

/** The actions of soft deletes by their paths. By default a type has both if it serves `Delete`. */
type SoftDeleteActions<Options, Deletes extends boolean> = [Options] extends [null | undefined]
  ? Readonly<Record<never, never>>
  : {
      [Path in RestorePath<Options, Deletes>]: { readonly kind: 'actionResource' }
    } & { [Path in ForcePath<Options, Deletes>]: { readonly kind: 'noContent' } }

type RestorePath<Options, Deletes> =
  FirstOf<SettingOf<Options, 'restore'>, Deletes> extends true
    ? FirstOf<SettingOf<Options, 'restorePath'>, 'restore'> & string
    : never

type ForcePath<Options, Deletes> =
  FirstOf<SettingOf<Options, 'forceDelete'>, Deletes> extends true
    ? FirstOf<SettingOf<Options, 'forcePath'>, 'force-delete'> & string
    : never
