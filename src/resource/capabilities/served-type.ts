import type { AnyPaginator } from '../../pagination/paginator.js'
import type { CompiledType } from '../compiled-type.js'
import type { RelationLink } from '../relations/relation-link.js'
import type { RequestContext } from '../request-context.js'
import type { Hydrator } from './hydrator.js'
import type { Persister } from './persister.js'
import type { Provider } from './provider.js'
import type { Serializer } from './serializer.js'
import type { Transaction, Transactions } from './transactions.js'

/** What serves a type, names resolved. */
export interface Capabilities {
  readonly type: CompiledType
  /** `null` where the declared attributes say the wire shape. */
  readonly serializer: Serializer | null
  readonly hydrator: Hydrator | null
  readonly provider: Provider | null
  readonly persister: Persister | null
  /** `null` where the store has no transactions. */
  readonly transactions: Transactions | null
  /** Whether the provider reads in those transactions: it does where one store reads and writes. */
  readonly readsInTransaction: boolean
  /** Whether the store itself says which rows there are, and no function of the author's around it. */
  readonly isReadByStore: boolean
  /** Makes what `context.db` is; `null` where the store has nothing of that kind. */
  readonly handle: ((transaction: Transaction | null, context: RequestContext) => unknown) | null
}

/** A type as one server serves it: what handlers work with. */
export interface ServedType extends Capabilities {
  readonly relations: ReadonlyMap<string, ServedRelation>
  /** Of its collection; `null` fetches it whole. */
  readonly paginator: AnyPaginator | null
}

/** A relation as one server serves it. */
export interface ServedRelation extends RelationLink {
  /** The related types by name. */
  readonly related: ReadonlyMap<string, ServedType>
  /** The path segment. */
  readonly uriName: string
  /**
   * Who reads it: the owner's provider, the providers of the related types, or a function of the author's. Of what
   * nobody reads, only the linkage is known that is in the owner's row.
   */
  readonly readBy: 'owner' | 'targets' | 'function' | 'nobody'
  /**
   * Who writes it: the owner's own row holds the key, the owner's persister changes members, the persisters of the related
   * types do, since their rows hold the key, or `fillUsing()` says the columns. What nobody writes is read-only.
   */
  readonly writeBy: 'row' | 'owner' | 'targets' | 'function' | 'nobody'
  /** Whether the related resources can be shown: somebody reads them, and this server has their types. */
  readonly complete: boolean
  readonly hasRelatedEndpoint: boolean
  readonly hasRelationshipEndpoint: boolean
  /** Of the related collection; `null` fetches it whole. */
  readonly paginator: AnyPaginator | null
}
