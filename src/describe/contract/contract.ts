import type { ExportFormat } from '../../declare/resource/parts/export.js'
import type { PageKeys, Paginator } from '../../declare/pagination/paginator.js'
import type { ServedOperation, ResponseMember, SuccessResponse } from '../../declare/resource/replies/responses.js'
import type { CompiledAction } from '../../declare/resource/actions/compiled-action.js'
import type { DocumentPurpose } from '../../declare/resource/fields/attribute-values.js'
import type { FilterForm } from '../../declare/resource/filters/filter-types.js'
import type { FilterShape } from '../../declare/resource/filters/filter-spec.js'
import type { Deprecation } from '../../declare/resource/parts/deprecation.js'
import type { ResourceHooks } from '../../declare/resource/events/hooks.js'
import type { TypeHeaders } from '../../declare/resource/compiled/type-headers.js'
import type { JsonSchema } from '../../declare/resource/parts/json-schema.js'

/**
 * Everything that the clients of a server depend on: plain, frozen data, computed once from the built service. It has what is declared, and says
 * of each part whether this server serves it. The compiler only knows what is declared, so `ashlar types` writes that; the OpenAPI document
 * describes what is served. Conditions that depend on the request or the row are ignored: a client may use what some caller may use.
 */
export interface Contract {
  /** The name of the server. */
  readonly server: string
  /** The types with routes or as targets of relations, in the order of their declarations. */
  readonly types: readonly TypeContract[]
  /** The types of other servers that relations of this one refer to: requests for linkage filter and sort by their keys. */
  readonly referenced: readonly TypeContract[]
  /** The pages of types that declare none; `null` if these are not paginated. */
  readonly page: PageContract | null
  /** The path of the Atomic Operations extension; `null` if the server does not have it. */
  readonly atomic: string | null
  readonly idempotency: boolean
  readonly dryRuns: boolean
  /** Empty, or the beginning of all paths: it starts with a slash and does not end with one. */
  readonly prefix: string
  readonly limits: ContractLimits
  /** The URIs of the profiles. */
  readonly profiles: readonly string[]
  /** The headers of all responses that belong to no type: name, value, name, value. */
  readonly headers: readonly string[]
  readonly extensions: readonly { readonly uri: string; readonly path: string }[]
  /** The named sets of values. Schemas refer to them by `#/enumerations/0`. */
  readonly enumerations: readonly EnumerationContract[]
}

/** The limits of requests and documents by name. */
export type ContractLimits = Readonly<
  Record<'filterValues' | 'sortKeys' | 'queryFilterValues' | 'filterDepth' | 'filterLeaves', number> &
    Record<string, number>
>

export interface EnumerationContract {
  readonly name: string
  readonly schema: JsonSchema
}

export interface TypeContract {
  readonly type: string
  /** The path segment of the collection. */
  readonly path: string
  readonly description: string | null
  readonly tags: readonly string[]
  /** Whether the declaration says that the type is deprecated. A server may be deprecated as a whole: see `headers`. */
  readonly isDeprecated: boolean
  readonly sunset: string | null
  readonly operations: readonly ServedOperation[]
  /** Whether the server can write resources, so that batches may have the type. */
  readonly isWritable: boolean
  readonly id: IdContract
  readonly attributes: FieldsContract
  readonly relations: readonly RelationContract[]
  readonly filters: Readonly<Record<string, FilterContract>>
  readonly sorts: Readonly<Record<string, SortContract>>
  readonly defaultSort: readonly string[]
  readonly includes: IncludeContract
  /** `null` if the whole collection is one document. */
  readonly page: PageContract | null
  /** Whether `withCount` may name the collection. */
  readonly countable: boolean
  /** The keys by which an operation of a batch creates or updates a resource. */
  readonly upsertBy: readonly string[]
  /** The formats in which clients export the collection. */
  readonly exportFormats: readonly ExportFormat[]
  /** The maximum number of rows of an export; `null` if there is none. */
  readonly exportRows: number | null
  readonly actions: readonly ActionContract[]
  /** The types of the groups of the aggregates, by the names of the aggregates. */
  readonly aggregates: Readonly<Record<string, string>>
  /** The aggregate whose groups the resources are; `null` for any other type. */
  readonly groupsOf: GroupsContract | null
  readonly responses: Readonly<Record<ResponseMember, readonly SuccessResponse[]>>
  /** The hooks that may replace responses. */
  readonly hooks: readonly (keyof ResourceHooks)[]
  /** Whether functions of the application take part in requests, so that these may fail with any status. */
  readonly hasApplicationCode: boolean
  readonly hasPolicy: boolean
  readonly access: Readonly<Record<'viewAny' | 'view' | 'create' | 'update' | 'delete', Requirement>>
  /** Whether resource objects have a link to themselves. */
  readonly selfLink: boolean
  /** `null` if resources have no versions. */
  readonly version: { readonly required: boolean } | null
  /** Whether responses have the time of the last change. */
  readonly lastModified: boolean
  /** Whether responses with the collection have an entity tag. */
  readonly collectionTags: boolean
  readonly headers: Pick<TypeHeaders, 'always' | 'cacheControl'>
}

/** The aggregate of a type of groups. */
export interface GroupsContract {
  /** The type whose resources it groups, and its name there. */
  readonly owner: string
  readonly name: string
  /** How its fields are computed, by their names: `month(soldAt)` of a group, `sum(amount)` of a measure. */
  readonly groups: Readonly<Record<string, string>>
  readonly measures: Readonly<Record<string, string>>
  /** Groups of fewer resources are left out. */
  readonly minGroupSize: number
  /** Whether it does not exist for some callers. */
  readonly mayBeHidden: boolean
}

/**
 * Whether a request needs credentials. `some` means that it depends on the request, or on the requested rows. `none` means that requests without
 * credentials pass, although the policy may refuse some callers. `open` means that no policy is evaluated.
 */
export type Requirement = 'all' | 'some' | 'none' | 'open'

/** The ids of a type: whether a client sends that of a new resource, and how they are read, sent, and written in paths. */
export interface IdContract {
  readonly client: 'never' | 'optional' | 'required'
  /** Whether the id of a new resource may exist already: the client sends it, or members make it. */
  readonly mayExist: boolean
  readonly read: JsonSchema
  readonly sent: JsonSchema
  readonly path: JsonSchema
}

/** The fields of documents that clients read, or that they send to create or to update a resource. */
export type FieldsContract = Readonly<Record<DocumentPurpose, FieldsOfPurpose>>

interface FieldsOfPurpose {
  /** An object with the types that `ApiOf` infers. */
  readonly declared: JsonSchema
  /** An object with the rules that this server applies. */
  readonly served: JsonSchema
}

export interface RelationContract {
  /** The type that has the relation. */
  readonly owner: string
  readonly name: string
  /** The path segment. */
  readonly path: string
  readonly description: string | null
  readonly deprecation: Deprecation | null
  /** The related types as declared. */
  readonly targets: readonly string[]
  /** The related types that this server has; all of them if it has none. */
  readonly related: readonly string[]
  readonly toMany: boolean
  readonly polymorphic: boolean
  /** How clients can use the relation, as declared. */
  readonly declaredUses: readonly RelationUse[]
  /** How clients can use it on this server. */
  readonly uses: readonly RelationUse[]
  readonly examples: readonly unknown[]
  /** How clients can change it by its own endpoint, or by an operation of a batch. */
  readonly changes: readonly RelationshipChange[]
  /** Whether every response has it, unless a fieldset leaves it out. */
  readonly isAlwaysShown: boolean
  /** Whether `withLinkage` may name it. */
  readonly isLinkable: boolean
  /** Whether `withCount` may name the related collection. */
  readonly countable: boolean
  /** Whether relationship objects have links. */
  readonly links: boolean
  readonly access: { readonly read: Requirement; readonly mutate: Requirement }
  /** The rules about the number of members that requests send. */
  readonly bounds: Readonly<Record<'create' | 'update', readonly JsonSchema[]>>
  /** The fields of the join rows; `null` if there are none. */
  readonly pivot: FieldsContract | null
  /** The filters and sorts in addition to those of the related type, which they override. */
  readonly filters: Readonly<Record<string, FilterContract>>
  readonly sorts: Readonly<Record<string, SortContract>>
  /** The fields of the join rows as sort keys. Sorts of the related type override them. */
  readonly pivotSorts: Readonly<Record<string, SortContract>>
  /** `null` for that of the related type. */
  readonly defaultSort: readonly string[] | null
  /** The pages that the relation itself declares; `inherited` for those of the related type. */
  readonly declaredPage: PageContract | null | 'inherited'
  /** The pages of the related collection; `null` if it is one document. */
  readonly page: PageContract | null
}

/**
 * What clients can do with a relation: read it in resources, in each way, and write it. Conditions that depend on the request or the row are
 * ignored: a use is one of some caller.
 */
export type RelationUse =
  | 'shown'
  /** Not in every response, even without a fieldset. */
  | 'optional'
  | 'includable'
  | 'related'
  | 'relationship'
  /** Its linkage is always shown. */
  | 'linked'
  | 'countable'
  | 'creatable'
  | 'required'
  | 'replaceable'
  | 'addable'
  | 'removable'

/** How the members of a relationship are changed: they are replaced, added or removed. */
export type RelationshipChange = 'update' | 'add' | 'remove'

export interface FilterContract {
  /** Whether some request to this server can use it. */
  readonly isServed: boolean
  /** Whether only some callers may use it. */
  readonly isConditional: boolean
  /** Whether the response has one resource or null, instead of a list. */
  readonly isSingular: boolean
  /** Whether filter trees may combine it with others. */
  readonly isCombinable: boolean
  /** Whether the value is a full-text search. */
  readonly isSearch: boolean
  readonly description: string | null
  /** A description for readers, made from the condition if none is declared. */
  readonly sentence: string
  readonly deprecation: Deprecation | null
  readonly examples: readonly unknown[]
  /** The value of requests that do not send one; `null` if there is none, or JSON does not have it. */
  readonly default: unknown
  readonly shape: FilterShape
  /** The separator of several values. */
  readonly delimiter: string
  /** The form that `ApiOf` infers, and the type of the attribute that it compares with. */
  readonly form: FilterForm
  readonly compared: JsonSchema
  /** One value, or one bound, that a client sends. */
  readonly value: JsonSchema
}

export interface SortContract {
  /** Whether some request to this server can use it. */
  readonly isServed: boolean
  /** Whether only some callers may use it. */
  readonly isConditional: boolean
  /** Whether the order is one of the application, which pages by cursor cannot have. */
  readonly isCustom: boolean
  /** The filter without which requests cannot use it; `null` if it needs none. */
  readonly search: string | null
  readonly deprecation: Deprecation | null
}

export interface IncludeContract {
  readonly paths: readonly string[]
  /** Whether clients may send longer paths, which are not listed. */
  readonly hasMore: boolean
  /** The paths that may be named, with those that they begin with; `null` for all. */
  readonly allowed: readonly string[] | null
  /** The most relations that a path may have; 0 for any number. */
  readonly depth: number
  /** The paths of requests without `include`, as far as they are the same for all resources. */
  readonly default: readonly string[]
}

/** The pages of a list. */
export interface PageContract {
  /** Whether `page[kind]` selects one of the choices. */
  readonly isMenu: boolean
  readonly choices: readonly PageChoice[]
  /** The kind of a request that selects none. */
  readonly defaultKind: string
}

export interface PageChoice extends Pick<Paginator, 'strategy' | 'kind' | 'size' | 'maxSize' | 'counted'> {
  readonly keys: readonly PageKey[]
}

/** A key of `page`. */
export interface PageKey {
  readonly name: keyof PageKeys
  /** The name that requests have. */
  readonly key: string
  /** The kind that a request with this key alone selects. */
  readonly selects: string
}

/** An action, without its functions. */
export interface ActionContract extends Pick<CompiledAction, ActionMember> {
  readonly access: Requirement
}

export type ActionMember =
  | 'path'
  | 'scope'
  | 'methods'
  | 'input'
  | 'inputType'
  | 'inputMediaTypes'
  | 'responses'
  | 'description'
  | 'deprecation'
  | 'tags'
  | 'builtIn'
