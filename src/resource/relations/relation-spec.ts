import type { AnyPaginator } from '../../pagination/paginator.js'
import type { ChildSpecs } from '../fields/attribute-declaration.js'
import type { FieldSpec, RequestPredicate, Restriction, RowObject, RowPredicate } from '../fields/field-spec.js'
import type { FilterSpecs } from '../filters/filter-spec.js'
import type { Model } from '../model.js'
import type { RequestContext } from '../request-context.js'
import type { SortSpecs } from '../sorts/sort-spec.js'

export type RelationKind = 'belongsTo' | 'hasOne' | 'hasMany' | 'belongsToMany' | 'morphTo' | 'morphToMany'

/** What shared code may ask about a relation kind. */
export interface RelationTraits {
  readonly toMany: boolean
  /** The owner's own row holds the key, so linkage costs nothing. */
  readonly ownerSide: boolean
  readonly polymorphic: boolean
  /** Members are held by join rows, which may have fields of their own. */
  readonly joined: boolean
  /** `minItems` and `maxItems` fit. */
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

function traits(some: Partial<RelationTraits>): RelationTraits {
  return Object.freeze({
    toMany: false,
    ownerSide: false,
    polymorphic: false,
    joined: false,
    bounded: false,
    ...some,
  })
}

/**
 * Whether linkage can be filtered, sorted and cut into pages at its own address. That of several types, or with fields of
 * join rows, is read whole there; its pages are at the related address.
 */
export function hasLinkagePages(spec: Pick<RelationSpec, 'traits' | 'pivot'>): boolean {
  return spec.traits.toMany && !spec.traits.polymorphic && Object.keys(spec.pivot).length === 0
}

/** Where the key of a relation is kept; what is not named is found by convention or from foreign keys. */
export interface RelationKey {
  /** The column with the id of the other side. */
  readonly id: string
  /** The column with the type of the other side, for polymorphic relations. */
  readonly type: string | null
}

/** The rows that join the two sides. */
export interface JoinSpec {
  readonly model: string
  /** The model itself, where more than its name was given. */
  readonly rows: Model<unknown> | null
  /** The column that points to the owner. */
  readonly owner: string | null
  /** The column that points to the member, with the column of its type where members differ in type. */
  readonly member: RelationKey | null
}

/** Who may read or change a relation: an ability, `false` for everybody, `true` for what stands in front of the server. */
export interface RelationSecurity {
  readonly read?: string | boolean | null
  readonly mutate?: string | boolean | null
}

/** Meta for one linkage identifier. */
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
  /** `always` renders linkage on every response, `whenLoaded` only where the related rows are at hand. */
  readonly linkage: 'always' | 'whenLoaded'
  readonly links: boolean
  readonly uriName: string | null
  readonly relatedEndpoint: boolean
  readonly relationshipEndpoint: boolean
  /** Decided before any row is read. */
  readonly cannotBeIncluded: Restriction<RequestPredicate>
  readonly cannotReplace: Restriction<RowPredicate>
  readonly cannotAdd: Restriction<RowPredicate>
  readonly cannotRemove: Restriction<RowPredicate>
  readonly countable: boolean
  /** `undefined` inherits, `null` fetches the related collection whole. */
  readonly pagination: AnyPaginator | null | undefined
  readonly filters: FilterSpecs
  readonly sorts: SortSpecs
  /** The order of the members without a `sort`; `null` for that of the related type. */
  readonly defaultSort: readonly string[] | null
  readonly identifierMeta: IdentifierMeta | null
  readonly security: RelationSecurity | null
  readonly inverseType: string | null
  readonly pivot: ChildSpecs
  readonly key: RelationKey | null
  readonly join: JoinSpec | null
}
