import type { AnyPaginator } from '../../pagination/paginator.js'
import type { ChildSpecs } from '../fields/attribute-declaration.js'
import type { FieldSpec, RequestPredicate, Restriction, RowObject, RowPredicate } from '../fields/field-spec.js'
import type { FilterSpecs } from '../filters/filter-spec.js'
import type { Model } from '../parts/model.js'
import type { RequestContext } from '../request/request-context.js'
import type { SortSpecs } from '../sorts/sort-spec.js'
import type { UseCondition, UseGuard } from '../request/use-guard.js'

export type RelationKind = 'belongsTo' | 'hasOne' | 'hasMany' | 'belongsToMany' | 'morphTo' | 'morphToMany'

/** The properties of a relation kind. Shared code uses these instead of the name of the kind. */
export interface RelationTraits {
  readonly toMany: boolean
  /** The owner's row holds the key, so linkage needs no additional read. */
  readonly ownerSide: boolean
  readonly polymorphic: boolean
  /** Members are stored in the rows of a join table, which may have fields of their own. */
  readonly joined: boolean
  /** The kind has `minItems` and `maxItems`. */
  readonly bounded: boolean
}

export const relationTraits: Readonly<Record<RelationKind, RelationTraits>> = Object.freeze({
  belongsTo: traits({ ownerSide: true }),
  hasOne: traits({}),
  hasMany: traits({ toMany: true, bounded: true }),
  belongsToMany: traits({ toMany: true, joined: true, bounded: true }),
  morphTo: traits({ ownerSide: true, polymorphic: true }),
  morphToMany: traits({ toMany: true, polymorphic: true, joined: true }),
})

function traits(overrides: Partial<RelationTraits>): RelationTraits {
  return Object.freeze({
    toMany: false,
    ownerSide: false,
    polymorphic: false,
    joined: false,
    bounded: false,
    ...overrides,
  })
}

/**
 * Returns whether the relationship endpoint can filter, sort and paginate the linkage. Linkage of several types, or with fields
 * of join rows, is read completely there; its pages are available at the related endpoint.
 */
export function hasLinkagePages(spec: Pick<RelationSpec, 'traits' | 'pivot'>): boolean {
  return spec.traits.toMany && !spec.traits.polymorphic && Object.keys(spec.pivot).length === 0
}

/**
 * The columns that hold the key of a relation. Columns that are not named are found by convention or from foreign keys.
 */
export interface RelationKey {
  /** The column with the key of the other side, or the name of a composite key (`keyColumn`). */
  readonly id: string
  /** The column with the type of the other side, for polymorphic relations. */
  readonly type: string | null
}

/** The join table of a relation. */
export interface JoinSpec {
  readonly model: string
  /** The model itself, if the declaration gives the model and not only its name. */
  readonly rows: Model<unknown> | null
  /** The column that refers to the owner, or the name of a composite key. */
  readonly owner: string | null
  /** The column that refers to the member, and the column with its type if the relation is polymorphic. */
  readonly member: RelationKey | null
}

/**
 * The abilities of the owner's policy that are needed to read or change a relation: the name of an ability, `false` for
 * everybody who can see the owner, or `true` for the usual abilities `view` and `update`, which is the default.
 *
 * @example
 * ```ts
 * const ownerOnly = { read: 'update', mutate: 'transfer' }
 * const relations = { artist: belongsTo('artists').security(ownerOnly) }
 * ```
 */
export interface RelationSecurity {
  readonly read?: string | boolean | null
  readonly mutate?: string | boolean | null
}

/** `always` renders linkage in every response, `whenLoaded` only if the related rows are read for the response. */
export type LinkagePolicy = 'always' | 'whenLoaded'

export function isLinkagePolicy(value: unknown): value is LinkagePolicy {
  return value === 'always' || value === 'whenLoaded'
}

/**
 * Returns the `meta` of one resource identifier in linkage.
 *
 * @example
 * ```ts
 * const credit = (_album: unknown, artist: Readonly<Record<string, unknown>>) => ({ creditedAs: artist['name'] })
 * const relations = { artist: belongsTo('artists').withData().identifierMeta(credit) }
 * ```
 */
export type IdentifierMeta<Row = RowObject> = (
  parent: Row,
  related: RowObject,
  context: RequestContext,
) => Readonly<Record<string, unknown>>

export interface RelationSpec extends FieldSpec {
  readonly role: 'relation'
  readonly kind: RelationKind
  readonly traits: RelationTraits
  readonly targets: readonly string[]
  /** When linkage is rendered, if the relation itself declares it; `null` if its type or the server decides. */
  readonly linkage: LinkagePolicy | 'onlyWhenIncluded' | null
  readonly links: boolean
  readonly uriName: string | null
  readonly relatedEndpoint: boolean
  readonly relationshipEndpoint: boolean
  /** Evaluated before any row is read. */
  readonly cannotBeIncluded: Restriction<RequestPredicate>
  /** The guard of the predicate of `cannotBeIncluded`. Set when the type is compiled. */
  readonly includeGuard: UseGuard | null
  /** Who may name the relation in `include`; `null` for everybody. */
  readonly includableIf: UseCondition | null
  /** The guard of `includableIf`. Set when the type is compiled. */
  readonly useGuard: UseGuard | null
  readonly cannotReplace: Restriction<RowPredicate>
  readonly cannotAdd: Restriction<RowPredicate>
  readonly cannotRemove: Restriction<RowPredicate>
  readonly countable: boolean
  /** How many members a resource is expected to have; `null` if the relation declares nothing. */
  readonly expectedMembers: number | null
  /** Whether the relation is a filter of its owner, by the id of the related resource. */
  readonly filterable: boolean
  /** Who may use this filter, if the relation is filterable; `null` for everybody. */
  readonly filterableIf: UseCondition | null
  /** `undefined` inherits the paginator; `null` means that the related collection is not paginated. */
  readonly pagination: AnyPaginator | null | undefined
  readonly filters: FilterSpecs
  readonly sorts: SortSpecs
  /** The order of the members if a request has no `sort`; `null` for the default order of the related type. */
  readonly defaultSort: readonly string[] | null
  readonly identifierMeta: IdentifierMeta | null
  readonly security: RelationSecurity | null
  readonly inverseType: string | null
  readonly pivot: ChildSpecs
  readonly key: RelationKey | null
  readonly join: JoinSpec | null
}
