import { atomic } from '../../../server/atomic/atomic.js'
import { defaultProfiles, filterTreeProfile } from '../../../declare/profiles/profile.js'
import type { DataSource } from '../../../stores/common/data-source.js'
import type { AnyResource } from '../../../declare/resource/define/resource-types.js'
import { createServer } from '../../../server/journey/create-server.js'
import type { TestClient } from '../test-client.js'
import { testClient } from '../test-client.js'
import type { RelatedCall } from './swappable-data.js'
import { swappableData } from './swappable-data.js'
import type { DirectKeys } from './direct-keys.js'
import { directKeys } from './direct-keys.js'
import type { DirectScopes } from './direct-scopes.js'
import { directScopes } from './direct-scopes.js'
import type { DirectShortcuts } from './direct-shortcuts.js'
import { directShortcuts } from './direct-shortcuts.js'
import type { DirectStore } from './direct-store.js'
import { directStore } from './direct-store.js'
import type { StoreCapabilities } from './store-capabilities.js'

/** The arguments of a case: a client of a server with the store, and the store itself. */
export interface Catalogue {
  readonly api: TestClient
  readonly store: DirectStore
  readonly keys: DirectKeys
  readonly shortcuts: DirectShortcuts
  readonly scopes: DirectScopes
  /** The reads of related rows so far. */
  readonly calls: readonly RelatedCall[]
}

/**
 * A server with the types of the suite. A call replaces its store and returns the arguments for a case.
 *
 * @param logged receives the errors that the server logs, which are the causes of responses with status 500
 */
export type CatalogueServer = (data: DataSource, logged: unknown[]) => Catalogue

/**
 * Builds a server for many cases, because building takes longer than most cases.
 *
 * @param first a store with the same capabilities as all later ones
 */
export function catalogueServer(
  first: DataSource,
  types: readonly AnyResource[],
  has: StoreCapabilities,
): CatalogueServer {
  const changing = swappableData(first)
  let log: unknown[] = []
  const server = createServer({
    resources: types,
    data: changing.data,
    extensions: has.transactions ? [atomic()] : [],
    idempotency: has.idempotency,
    access: 'open',
    profiles: [...defaultProfiles, filterTreeProfile],
    logger: { error: ({ err }) => log.push(err) },
  })
  const api = testClient(server)
  return (data, logged) => {
    log = logged
    changing.swap(data)
    const { types: compiled, calls } = changing
    return {
      api,
      store: directStore(data, compiled),
      keys: directKeys(data),
      shortcuts: directShortcuts(data, compiled),
      scopes: directScopes(data, compiled),
      calls,
    }
  }
}
