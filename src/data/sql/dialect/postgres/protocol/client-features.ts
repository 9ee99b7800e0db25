import { memoize } from '../../../../../util/memoize.js'
import type { PostgresClient } from '../driver/postgres-pool.js'
import { pgClientOf } from './pg-client.js'
import type { ClientFeatures, PgClientClass } from './rehearsal.js'
import { rehearse } from './rehearsal.js'

const noFeatures: ClientFeatures = Object.freeze({ pipelines: false, prepared: null, sessions: false })

/**
 * Returns the fast paths that a client supports. The members of the client are checked, and the behavior of its class is rehearsed, once
 * for each class.
 */
export function clientFeatures(client: PostgresClient): ClientFeatures {
  const { pipeline, connection, binary } = pgClientOf(client)
  const { stream, parsedStatements } = connection ?? {}
  if (typeof pipeline !== 'boolean') return noFeatures
  if (typeof stream?.write !== 'function' || typeof stream.writable !== 'boolean') return noFeatures
  const Client = pgClassOf(client)
  if (Client === null) return noFeatures
  const { pipelines, prepared, sessions } = featuresOfClass(Client)
  const prepares = binary !== true && typeof parsedStatements === 'object'
  return { pipelines, prepared: prepares ? prepared : null, sessions: prepares && sessions }
}

const featuresOfClass: (Client: PgClientClass) => ClientFeatures = memoize(rehearse)

/**
 * Returns pg's own class of clients, which has the class of queries as a static member. A class of the application that extends it is
 * skipped, because its constructor may have effects.
 */
function pgClassOf(client: PostgresClient): PgClientClass | null {
  let prototype: unknown = Object.getPrototypeOf(client)
  while (typeof prototype === 'object' && prototype !== null) {
    const { constructor } = prototype
    if (typeof constructor === 'function' && Object.hasOwn(constructor, 'Query')) return constructor as PgClientClass
    prototype = Object.getPrototypeOf(prototype)
  }
  return null
}
