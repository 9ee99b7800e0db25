import type { CompiledExport } from '../parts/export.js'
import type { AnyPaginator } from '../../pagination/paginator.js'
import type { Awaitable, JsonValue } from '../../../core/util/types.js'
import type { Abilities } from '../policy/abilities.js'
import type { RedirectTarget } from '../replies/reply.js'
import type { CompiledAction } from '../actions/compiled-action.js'
import type { CompiledAggregate } from '../aggregates/compiled-aggregate.js'
import type { CacheHeaders } from '../parts/cache-headers.js'
import type { Hydrator } from '../fields/hydrator.js'
import type { Serializer } from '../fields/serializer.js'
import type { DeclarationFault } from '../parts/declaration-fault.js'
import type { AttributeSpec } from '../fields/attribute-declaration.js'
import type { RowObject } from '../fields/field-spec.js'
import type { IdSpec } from '../fields/id-declaration.js'
import type { FilterSpecs, ValuedFilter } from '../filters/filter-spec.js'
import type { ResourceHooks } from '../events/hooks.js'
import type { Model } from '../parts/model.js'
import type { LinkagePolicy, RelationSpec } from '../relations/relation-spec.js'
import type { CompiledPolicy } from '../policy/policy.js'
import type { RequestContext } from '../request/request-context.js'
import type { ResourceOperation, ResponseMember, ServedOperation, SuccessResponse } from '../replies/responses.js'
import type { CompiledSoftDeletes } from '../parts/soft-deletes.js'
import type { SortSpecs } from '../sorts/sort-spec.js'
import type { UseCondition, UseGuard } from '../request/use-guard.js'
import type { CompiledVersion } from '../parts/version.js'

/** The id of a compiled type. Only this object converts between stored keys and wire ids. */
export interface CompiledId {
  readonly spec: IdSpec
  /** The key column. */
  readonly column: string
  /** Converts a stored key to a wire id. */
  encode(key: unknown): string
  /**
   * Converts a wire id to a stored key: a string, unless a codec returns another type. `null` if no key has this wire
   * id.
   */
  decode(wireId: string): unknown
  /** Returns whether a wire id has the declared format. */
  hasFormat(wireId: string): boolean
  /** Returns whether a path segment can be an id of this type. */
  matchesRoute(segment: string): boolean
  /** Generates a key for a new row; `undefined` if the store generates it. */
  mint(): Awaitable<unknown>
}

export interface CompiledAttribute {
  readonly name: string
  readonly spec: AttributeSpec
  /** The column of the attribute; `null` if it has none. */
  readonly column: string | null
  /**
   * The column of the read rows that holds the value. The model of a flattened attribute does not have this column: the
   * values are added to the rows after they are read, under a name that no column of the model has.
   */
  readonly valueColumn: string | null
  /** The columns of the row that reading the attribute needs; `null` if a user-defined function gets the whole row. */
  readonly readColumns: readonly string[] | null
}

export interface CompiledRelation {
  readonly name: string
  /** The path segment. */
  readonly uriName: string
  readonly spec: RelationSpec
  /** The foreign key columns of the owner's row that point at the related model. Set after all types are compiled. */
  readonly foreignColumns: readonly string[]
}

/** An include path that the type allows. */
export interface AllowedPath {
  readonly path: string
  /** Who may name it; `null` for everybody. */
  readonly usableIf: UseCondition | null
  /** The guard of `usableIf`. */
  readonly useGuard: UseGuard | null
}

/** A declaration fault with the member that has it. */
export interface MemberFault extends DeclarationFault {
  readonly member: string | null
}

/**
 * A declaration, compiled once at build: frozen data that all later code reads instead of the declaration. Attributes
 * and relations are in the order of the declaration, which is also their order in every document.
 */
export interface CompiledType {
  readonly type: string
  readonly uriType: string
  readonly origin: 'resource' | 'capabilities'
  readonly servers: readonly string[]
  readonly model: Model<unknown> | null

  /** Every id among the declared fields. A valid declaration has exactly one. */
  readonly ids: readonly CompiledId[]
  readonly id: CompiledId
  readonly attributes: readonly CompiledAttribute[]
  readonly attributeNamed: ReadonlyMap<string, CompiledAttribute>
  readonly relations: readonly CompiledRelation[]
  readonly relationNamed: ReadonlyMap<string, CompiledRelation>
  readonly relationAtSegment: ReadonlyMap<string, CompiledRelation>

  readonly filters: FilterSpecs
  /** The sortable attributes and the explicit sorts. An explicit sort overrides an attribute of the same name. */
  readonly sorts: SortSpecs
  readonly defaultSort: readonly string[]
  readonly defaultIncludes: ((row: RowObject) => readonly string[]) | readonly string[]
  /** `null` for that of the server; 0 or less for no limit. */
  readonly maxIncludeDepth: number | null
  /** When relationships show linkage; `null` if the server decides. */
  readonly linkage: LinkagePolicy | null
  /** All paths that some request may name; `null` if every path is allowed. */
  readonly allowedIncludePaths: readonly AllowedPath[] | null
  readonly pagination: (serverDefault: AnyPaginator | null) => AnyPaginator | null
  readonly countable: boolean
  /** How clients export the collection; `null` if they cannot. */
  readonly exported: CompiledExport | null
  /** How many rows a list of the type is expected to have; `null` if the type declares nothing. */
  readonly expectedRows: number | null
  /** The rows that are visible in a request, as a filter with fixed values; `null` for all rows. The policy is part of it. */
  readonly scope: ((context: RequestContext) => ValuedFilter | null) | null
  /** Columns that a new row gets, unless the client sends values for them. */
  readonly defaults: ((context: RequestContext) => Readonly<Record<string, unknown>>) | null
  readonly selfLink: boolean
  readonly objectType: ((row: RowObject) => string | null) | null
  /** The value of columns that hold the type of a related row. */
  readonly storedType: string
  readonly meta: ((row: RowObject, context: RequestContext) => Readonly<Record<string, unknown>>) | null
  readonly links: ((row: RowObject, context: RequestContext) => Readonly<Record<string, JsonValue>>) | null
  /** Returns the location of the result of a finished job. The member is `null` for a type that is not a job. */
  readonly completionLocation: ((row: RowObject, context: RequestContext) => Awaitable<RedirectTarget | null>) | null

  /** `null` if deleted rows are removed from the store. */
  readonly softDeletes: CompiledSoftDeletes | null
  /** `null` if the resources have no versions. */
  readonly version: CompiledVersion | null
  /** The column with the time of the last change, for `Last-Modified`; `null` if there is none. */
  readonly lastModified: string | null
  /** Whether responses with the collection have a weak `ETag`. */
  readonly collectionTags: boolean
  /** The declared actions, then the actions of soft deletes. No two actions have the same path. */
  readonly actions: readonly CompiledAction[]
  /** The declared aggregates. Each has a type of its own, whose resources are the groups. */
  readonly aggregates: readonly CompiledAggregate[]
  /** The aggregate whose groups the resources are, and the name of the type of its rows; `null` for every other type. */
  readonly groupsOf: { readonly aggregate: CompiledAggregate; readonly owner: string } | null

  readonly operations: ReadonlySet<ServedOperation>
  /** As declared, before `readOnly` and the default are applied. */
  readonly declaredOperations: readonly ResourceOperation[]
  readonly readOnly: boolean
  /** The keys by which clients may create or update a resource, as declared. */
  readonly upsertBy: readonly string[]
  readonly responses: Readonly<Record<ResponseMember, readonly SuccessResponse[]>>
  /** The service, or its registered name, which the build resolves. */
  readonly serializer: Serializer | string | null
  readonly hydrator: Hydrator | string | null
  readonly hooks: ResourceHooks | null
  /** `null` if everybody may do everything. */
  readonly policy: CompiledPolicy | null
  /** Whether the declaration defines who may do what: by a policy, or as public. */
  readonly declaresAccess: boolean
  readonly abilities: Abilities | null
  readonly cacheHeaders: CacheHeaders | null
  /** `false` if the type is not deprecated, although its server is; `null` if it declares nothing. */
  readonly deprecation: string | false | null
  readonly sunset: string | null
  readonly sunsetLink: string | null
  readonly tags: readonly string[]
  readonly description: string | null

  /** The faults found while the declaration was compiled. */
  readonly faults: readonly MemberFault[]
}
