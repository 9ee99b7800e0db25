import type { CompiledType } from '../compiled-type.js'
import type { Hydrator } from './hydrator.js'
import type { Persister } from './persister.js'
import type { Provider } from './provider.js'
import type { Serializer } from './serializer.js'
import type { Transactions } from './transactions.js'

/** A compiled type with everything that serves it, names resolved: what handlers work with. */
export interface ServedType {
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
