import type { StatedDeprecation } from './deprecation-of.js'
import type { SchemaNode } from './schema-node.js'

/**
 * Where a value occurs. Resource objects are in responses (`read`), in requests that create or update, in documents of actions (`input`), and
 * their relations in requests to relationship endpoints (`change`). Other values are in queries and headers, and around the resources of
 * requests and responses.
 */
export type Role = 'read' | 'create' | 'update' | 'input' | 'change' | 'query' | 'request' | 'response'

/** The nodes of one part of the contract by role. A role is missing if the part does not occur there. */
export type RoleNodes = Readonly<Partial<Record<Role, SchemaNode>>>

/** The contract of a service with its clients, read from its OpenAPI document. */
export interface Contract {
  readonly addresses: readonly string[]
  readonly types: ReadonlyMap<string, TypeContract>
  /** The operations by method and path: `GET /albums`. */
  readonly operations: ReadonlyMap<string, OperationContract>
  /** The codes of errors by status. */
  readonly errorCodes: ReadonlyMap<string, readonly string[]>
  /** The JSON of the security schemes by name. */
  readonly schemes: ReadonlyMap<string, string>
  readonly limits: ReadonlyMap<string, number>
  readonly profiles: readonly string[]
  /** The names of the components of schemas. */
  readonly components: ReadonlySet<string>
  readonly title: string
  readonly text: string
}

export interface TypeContract {
  readonly name: string
  /** The deprecation of all operations of the type; `null` if one of them is not deprecated. */
  readonly deprecation: StatedDeprecation | null
  /** Resource objects, whose children are attributes and relations. */
  readonly members: RoleNodes
  /** The ids of resource objects. `create` is missing if clients must not send one. */
  readonly ids: RoleNodes
}

export interface OperationContract {
  /** `GET /albums` */
  readonly key: string
  readonly id: string | null
  /** The type of its resources: for a relation, the related type. `null` for several types, or none. */
  readonly subject: string | null
  /** The type in its path. */
  readonly owner: string | null
  readonly relation: string | null
  /** The aggregate whose groups it returns; `null` for any other operation. */
  readonly aggregate: AggregateContract | null
  /** The maximum number of rows of an export; `null` if there is none. */
  readonly exportRows: number | null
  readonly deprecation: StatedDeprecation | null
  readonly security: SecurityContract
  readonly query: QueryContract
  /** The other parameters, by location and name: `header If-Match`, `path id`. */
  readonly parameters: ReadonlyMap<string, ParameterContract>
  readonly body: BodyContract | null
  /** The responses by status. */
  readonly responses: ReadonlyMap<string, ResponseContract>
  readonly text: string
}

/** How an aggregate computes its fields, by their names. */
export interface AggregateContract {
  readonly groups: ReadonlyMap<string, string>
  readonly measures: ReadonlyMap<string, string>
}

/** Whether an operation needs credentials: never, for some requests, or always. */
export interface SecurityContract {
  readonly needs: 'never' | 'sometimes' | 'always'
  /** The names of the alternative schemes, with their scopes. */
  readonly schemes: readonly string[]
}

export interface ParameterContract {
  readonly node: SchemaNode
  /** The serialization of values: `form`, `deepObject`. */
  readonly style: string
  readonly deprecation: StatedDeprecation | null
  /** Whether it is a full-text search. */
  readonly isSearch: boolean
}

export interface QueryContract {
  readonly filters: ReadonlyMap<string, ParameterContract>
  readonly sorts: ReadonlyMap<string, StatedDeprecation | null>
  readonly defaultSort: readonly string[]
  readonly includes: readonly string[]
  /** Whether there are include paths that the document does not list. */
  readonly hasLongerIncludes: boolean
  readonly defaultIncludes: readonly string[]
  /** The relations whose linkage requests may select: `albums.tracks`. */
  readonly linkage: readonly string[]
  readonly counts: readonly string[]
  readonly page: PageContract | null
}

export interface PageContract {
  /** The kinds of a menu, or the only kind. */
  readonly kinds: readonly string[]
  readonly defaultKind: string | null
  /** The keys of `page`; in a menu with the kind: `cursor.size`. */
  readonly keys: ReadonlyMap<string, SchemaNode>
}

export interface BodyContract {
  readonly isRequired: boolean
  readonly mediaTypes: readonly string[]
  /** The document without its resource objects; `null` if it has no schema. */
  readonly envelope: SchemaNode | null
  /** The types of the resource objects that it may have. */
  readonly types: readonly string[]
}

export interface ResponseContract {
  readonly mediaTypes: readonly string[]
  readonly headers: readonly string[]
  /** Whether the primary data may be null. */
  readonly isNullable: boolean
  /** The forms of the primary data: `one`, `list`, `none`. Empty if the response has no document. */
  readonly forms: readonly string[]
  /** The types of the primary resources. */
  readonly types: readonly string[]
  /** The document without its resources. */
  readonly envelope: SchemaNode | null
}
