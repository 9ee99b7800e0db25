import type { Operation } from '../operation/operation.js'
import type { ResponseValue } from '../operation/response-value.js'
import { createKind } from '../write/create.js'
import { deleteKind } from '../write/delete.js'
import { execute } from '../write/execute.js'
import { membersKind } from '../write/members.js'
import { prepareCreate, prepareDelete, prepareMembersWrite, prepareUpdate } from '../write/prepare-write.js'
import { updateKind } from '../write/update.js'
import { prepareUpsert, upsertKind } from '../write/upsert.js'
import { fetchRelated } from './fetch-related.js'
import { fetchRelationship } from './fetch-relationship.js'
import { fetchResource } from './fetch-resource.js'
import type { RequestServices } from '../read/read-context.js'

/**
 * Runs one operation and returns one response value.
 *
 * @example
 * ```ts
 * const timed = (builtIn: Handler): Handler => async (operation) => {
 *   const start = performance.now()
 *   const response = await builtIn(operation)
 *   console.log(operation.kind, performance.now() - start)
 *   return response
 * }
 * createServer({ resources: [albums, artists], data: memoryData(), handler: timed })
 * ```
 */
export type Handler = (operation: Operation) => Promise<ResponseValue>

/** The handler that every server has: one file for each operation that reads; writes are prepared, and then executed. */
export function resourceHandler(services: RequestServices): Handler {
  return (operation) => {
    try {
      switch (operation.kind) {
        case 'FetchResource':
          return fetchResource(operation, services)
        case 'CreateResource':
          return execute(prepareCreate(operation, services), createKind)
        case 'UpdateResource':
          return execute(prepareUpdate(operation, services), updateKind)
        case 'UpsertResource':
          return execute(prepareUpsert(operation, services), upsertKind)
        case 'DeleteResource':
          return execute(prepareDelete(operation, services), deleteKind)
        case 'FetchRelated':
          return fetchRelated(operation, services)
        case 'FetchRelationship':
          return fetchRelationship(operation, services)
        case 'UpdateRelationship':
          return execute(prepareMembersWrite(operation, 'replace', services), membersKind)
        case 'AddToRelationship':
          return execute(prepareMembersWrite(operation, 'add', services), membersKind)
        case 'RemoveFromRelationship':
          return execute(prepareMembersWrite(operation, 'remove', services), membersKind)
        default:
          throw new TypeError(`There is no operation '${String((operation as { readonly kind: unknown }).kind)}'.`)
      }
    } catch (thrown) {
      return Promise.reject(thrown)
    }
  }
}
