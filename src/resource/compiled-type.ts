import type { AnyPaginator } from '../pagination/paginator.js'
import type { Awaitable, JsonValue } from '../util/types.js'
import type { Abilities } from './abilities.js'
import type { Place } from './answer.js'
import type { CompiledAction } from './actions/compiled-action.js'
import type { CacheHeaders } from './cache-headers.js'
import type { Hydrator } from './capabilities/hydrator.js'
import type { Serializer } from './capabilities/serializer.js'
import type { DeclarationFault } from './declaration-fault.js'
import type { AttributeSpec } from './fields/attribute-declaration.js'
import type { RowObject } from './fields/field-spec.js'
import type { IdSpec } from './fields/id-declaration.js'
import type { FilterSpec, FilterSpecs } from './filters/filter-spec.js'
import type { ResourceHooks } from './hooks.js'
import type { Model } from './model.js'
import type { RelationSpec } from './relations/relation-spec.js'
import type { RequestContext } from './request-context.js'
import type { ResourceOperation, ResponseMember, SuccessResponse } from './responses.js'
import type { CompiledSoftDeletes } from './soft-deletes.js'
import type { SortSpecs } from './sorts/sort-spec.js'

/** The id of a compiled type: the only place that knows how keys travel. */
export interface CompiledId {
  readonly spec: IdSpec
  /** The column of the key. */
  readonly column: string
  /** Stored key to wire id. */
  encode(key: unknown): string
  /** Wire id to stored key, as text unless a codec says otherwise; `null` when no key has this wire id. */
  decode(wireId: string): unknown
  /** Whether a wire id has the declared format. */
  hasFormat(wireId: string): boolean
  /** Whether a path segment can be an id of this type at all. */
  matchesRoute(segment: string): boolean
  /** A key of the service's own, or `undefined` where the store gives it. */
  mint(): Awaitable<unknown>
}

export interface CompiledAttribute {
  readonly name: string
  readonly spec: AttributeSpec
  /** The column behind it, `null` for what has none. */
  readonly column: string | null
  /**
   * Where reads find its value in a row. Of a flattened attribute that is no column of the row: its values are added to
   * rows that were read, under a name that no column has.
   */
  readonly valueColumn: string | null
  /** The columns that reading it needs of its own row; `null` when a callback may look at the whole row. */
  readonly readColumns: readonly string[] | null
}

export interface CompiledRelation {
  readonly name: string
  /** The path segment. */
  readonly uriName: string
  readonly spec: RelationSpec
  /** The columns of the owner's row that lead to the related model by a foreign key; known once all types are. */
  readonly foreignColumns: readonly string[]
}

/** A fault with the member that it was written on. */
export interface MemberFault extends DeclarationFault {
  readonly member: string | null
}

/**
 * A declaration, read once: frozen data that everything downstream asks instead of the declaration. The order of the
 * attributes and relations is the order of the declaration, and of every document.
 */
export interface CompiledType {
  readonly type: string
  readonly uriType: string
  readonly origin: 'resource' | 'capabilities'
  readonly servers: readonly string[]
  readonly model: Model<unknown> | null

  /** Every id of the inventory; a sound declaration has exactly one. */
  readonly ids: readonly CompiledId[]
  readonly id: CompiledId
  readonly attributes: readonly CompiledAttribute[]
  readonly attributeNamed: ReadonlyMap<string, CompiledAttribute>
  readonly relations: readonly CompiledRelation[]
  readonly relationNamed: ReadonlyMap<string, CompiledRelation>
  readonly relationAtSegment: ReadonlyMap<string, CompiledRelation>

  readonly filters: FilterSpecs
  /** The sortable attributes and the explicit sorts; these win. */
  readonly sorts: SortSpecs
  readonly defaultSort: readonly string[]
  readonly defaultIncludes: ((row: RowObject) => readonly string[]) | readonly string[]
  readonly maxIncludeDepth: number | null
  readonly allowedIncludePaths: readonly string[] | null
  readonly pagination: (serverDefault: AnyPaginator | null) => AnyPaginator | null
  readonly countable: boolean
  /** The rows that are there at all in a request, as a filter that brings its own value; `null` for all of them. */
  readonly scope: ((context: RequestContext) => FilterSpec | null) | null
  readonly selfLink: boolean
  readonly objectType: ((row: RowObject) => string | null) | null
  readonly meta: ((row: RowObject, context: RequestContext) => Readonly<Record<string, unknown>>) | null
  readonly links: ((row: RowObject, context: RequestContext) => Readonly<Record<string, JsonValue>>) | null
  /** Where the work of a job has led; `null` for a type that is no job. */
  readonly completionLocation: ((row: RowObject, context: RequestContext) => Awaitable<Place | null>) | null

  /** `null` where deleted rows are gone. */
  readonly softDeletes: CompiledSoftDeletes | null
  /** Those of the declaration, then those of soft deletes; no two have one path. */
  readonly actions: readonly CompiledAction[]

  readonly operations: ReadonlySet<ResourceOperation>
  /** As declared, before `readOnly` and the default are reckoned in. */
  readonly declaredOperations: readonly ResourceOperation[]
  readonly readOnly: boolean
  readonly responses: Readonly<Record<ResponseMember, readonly SuccessResponse[]>>
  /** Given themselves or by name; the build resolves the names. */
  readonly serializer: Serializer | string | null
  readonly hydrator: Hydrator | string | null
  readonly hooks: ResourceHooks | null
  readonly policy: object | string | null
  readonly abilities: Abilities | null
  readonly cacheHeaders: CacheHeaders | null
  readonly deprecation: string | null
  readonly sunset: string | null
  readonly sunsetLink: string | null
  readonly tags: readonly string[]
  readonly description: string | null

  /** What the author wrote in vain. */
  readonly faults: readonly MemberFault[]
}
