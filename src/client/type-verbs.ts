import type { ClientContext } from './call-server.js'
import { aggregateReads, collectionReads, jobReads, relationReads, resourceReads } from './read-verbs.js'
import { typeAddress } from './type-address.js'
import { actionCalls, relationshipWrites, resourceWrites } from './write-verbs.js'

/** Returns all verbs for a type. The types of the client define which of them it has. */
export function typeVerbs(context: ClientContext, type: string): object {
  const address = typeAddress(context, type)
  return Object.freeze({
    ...collectionReads(context, address),
    ...aggregateReads(context, address),
    ...resourceReads(context, address),
    ...relationReads(context, address),
    ...jobReads(context, address, type),
    ...resourceWrites(context, address, type),
    ...relationshipWrites(context, address),
    ...actionCalls(context, address, type),
  })
}
