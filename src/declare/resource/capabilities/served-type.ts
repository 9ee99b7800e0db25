import type { AnyPaginator } from '../../pagination/paginator.js'
import type { CompiledType } from '../compiled/compiled-type.js'
import type { TypeListeners } from '../events/type-listeners.js'
import type { RelationLink } from '../compiled/relation-link.js'
import type { RequestContext } from '../request/request-context.js'
import type { Hydrator } from '../fields/hydrator.js'
import type { ScopeReaders } from './own-functions.js'
import type { Persister, WriteShortcuts } from './persister.js'
import type { Provider } from './provider.js'
import type { ServedSerializer } from '../fields/serializer.js'
import type { Transaction, Transactions } from '../request/transactions.js'
import type { LinkagePolicy, RelationKey } from '../relations/relation-spec.js'

/** The capabilities that serve a type. The names in the declaration are resolved to objects. */
export interface Capabilities {
  readonly type: CompiledType
  /** `null` if the declared attributes are rendered. */
  readonly serializer: ServedSerializer | null
  readonly hydrator: Hydrator | null
  readonly provider: Provider | null
  readonly persister: Persister | null
  /** `null` if the store has no transactions. */
  readonly transactions: Transactions | null
  /** Whether the provider reads in those transactions, because the same store reads and writes the type. */
  readonly readsInTransaction: boolean
  /** Whether the provider is the one of the store, not a user-defined one. */
  readonly isReadByStore: boolean
  /** Creates the value of `context.db`; `null` if the store has none. */
  readonly handle: ((transaction: Transaction | null, context: RequestContext) => unknown) | null
}

/** A type as one server serves it. Handlers use it. */
export interface ServedType extends Capabilities {
  /** The functions of the provider that accept scopes. */
  readonly scopeReaders: ScopeReaders
  /** The shortcuts of the persister, without those of functions that the application has replaced. */
  readonly shortcuts: WriteShortcuts
  readonly relations: ReadonlyMap<string, ServedRelation>
  /** The listeners of the events of the type on this server. */
  readonly listeners: TypeListeners
  /** The types of the server with the same model, this one included. */
  readonly siblings: readonly ServedType[]
  /** The relations of the server whose keys are in rows of this model, and which need a separate ability to change. */
  readonly guardedKeys: readonly GuardedKey[]
  /** The paginator of the collection; `null` if the whole collection is read. */
  readonly paginator: AnyPaginator | null
  /** The type whose rows are grouped, if the resources are the groups of an aggregate; `null` for every other type. */
  readonly source: ServedType | null
}

/** A `hasMany` or `hasOne` with `security({ mutate })`. Whoever writes its key in the rows of its members changes it. */
export interface GuardedKey {
  readonly owner: ServedType
  readonly relation: ServedRelation
  /** The columns of the members' rows. */
  readonly key: RelationKey
  readonly ability: string
}

/** A relation as one server serves it. */
export interface ServedRelation extends RelationLink {
  /** The related types by name. */
  readonly related: ReadonlyMap<string, ServedType>
  /** The path segment. */
  readonly uriName: string
  /**
   * The reader of the members: the owner's provider, the providers of the related types, or a user-defined function. With
   * `none`, only linkage in the owner's row is known.
   */
  readonly readBy: 'owner' | 'targets' | 'function' | 'none'
  /**
   * The writer of the members: the owner's row, which holds the key; the owner's persister; the persisters of the related
   * types, whose rows hold the key; or the function of `fillUsing()`. With `none`, the relation is read-only.
   */
  readonly writeBy: 'row' | 'owner' | 'targets' | 'function' | 'none'
  /** Whether the related resources can be shown: something reads them, and this server has their types. */
  readonly complete: boolean
  readonly hasRelatedEndpoint: boolean
  readonly hasRelationshipEndpoint: boolean
  /** When linkage is rendered: as the relation, its type or the server declares. */
  readonly linkage: LinkagePolicy
  /** The paginator of the related collection; `null` if the whole collection is read. */
  readonly paginator: AnyPaginator | null
}
