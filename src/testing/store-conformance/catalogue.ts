import { atomic } from '../../atomic/atomic.js'
import type { DataSource } from '../../data/data-source.js'
import type { AnyResource } from '../../resource/resource-types.js'
import { createServer } from '../../server/create-server.js'
import type { TestClient } from '../test-client.js'
import { testClient } from '../test-client.js'
import type { RelatedCall } from './changing-data.js'
import { changingData } from './changing-data.js'
import type { DirectStore } from './direct-store.js'
import { directStore } from './direct-store.js'
import type { StoreCapabilities } from './store-capabilities.js'

/** What a case speaks to: a server over the store, and the store itself. */
export interface Catalogue {
  readonly api: TestClient
  readonly store: DirectStore
  /** The reads of related rows so far. */
  readonly calls: readonly RelatedCall[]
}

/**
 * A server of the suite's types: puts a store behind it, and answers what a case speaks to.
 *
 * @param logged takes what the server logs: why an answer was 500
 */
export type CatalogueServer = (data: DataSource, logged: unknown[]) => Catalogue

/**
 * Built once for many cases: building takes longer than most of them do.
 *
 * @param first a store, of which the server learns what all of them can do
 */
export function catalogueServer(
  first: DataSource,
  types: readonly AnyResource[],
  has: StoreCapabilities,
): CatalogueServer {
  const changing = changingData(first)
  let log: unknown[] = []
  const server = createServer({
    resources: types,
    data: changing.data,
    extensions: has.transactions ? [atomic()] : [],
    logger: { error: ({ err }) => log.push(err) },
  })
  const api = testClient(server)
  return (data, logged) => {
    log = logged
    changing.put(data)
    return { api, store: directStore(data, changing.types), calls: changing.calls }
  }
}
