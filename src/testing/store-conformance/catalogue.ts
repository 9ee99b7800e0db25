import { atomic } from '../../atomic/atomic.js'
import type { DataSource } from '../../data/data-source.js'
import type { AnyResource } from '../../resource/resource-types.js'
import { createServer } from '../../server/create-server.js'
import type { TestClient } from '../test-client.js'
import { testClient } from '../test-client.js'
import type { DirectStore } from './direct-store.js'
import { directStore } from './direct-store.js'
import type { StoreCapabilities } from './store-capabilities.js'
import type { RelatedCall } from './watched-data.js'
import { watchedData } from './watched-data.js'

/** What a case speaks to: a server over the store, and the store itself. */
export interface Catalogue {
  readonly api: TestClient
  readonly store: DirectStore
  /** The reads of related rows so far. */
  readonly calls: readonly RelatedCall[]
}

interface CatalogueParts {
  readonly data: DataSource
  readonly types: readonly AnyResource[]
  readonly has: StoreCapabilities
  /** Takes what the server logs: why an answer was 500. */
  readonly logged: unknown[]
}

/** A server of the suite's types over a store that has the seeds. */
export function catalogueOf({ data, types, has, logged }: CatalogueParts): Catalogue {
  const watched = watchedData(data)
  const server = createServer({
    resources: types,
    data: watched.data,
    extensions: has.transactions ? [atomic()] : [],
    logger: { error: ({ err }) => logged.push(err) },
  })
  return { api: testClient(server), store: directStore(data, watched.types), calls: watched.calls }
}
