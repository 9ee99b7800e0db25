import type { AnyPaginator } from '../../pagination/paginator.js'
import type { CompiledType } from '../compiled-type.js'
import type { RelationLink } from '../relations/relation-link.js'
import type { Hydrator } from './hydrator.js'
import type { Persister } from './persister.js'
import type { Provider } from './provider.js'
import type { Serializer } from './serializer.js'
import type { Transactions } from './transactions.js'

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
  /** Who reads it: the owner's provider, the providers of the related types, or a function of the author's. */
  readonly readBy: 'owner' | 'targets' | 'function'
  /** Whether the related types are served here: without them the relation is linkage only. */
  readonly complete: boolean
  readonly hasRelatedEndpoint: boolean
  readonly hasRelationshipEndpoint: boolean
  /** Of the related collection; `null` fetches it whole. */
  readonly paginator: AnyPaginator | null
}
