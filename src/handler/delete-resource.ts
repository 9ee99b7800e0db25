import { fail } from '../errors/json-api-error.js'
import type { Operation } from '../operation/operation.js'
import type { ResponseValue } from '../operation/response-value.js'
import { metaResponse, noContentResponse } from '../operation/response-value.js'
import { rowObject } from '../rows/row-set.js'
import { invariant } from '../util/invariant.js'
import type { HandlerServices } from './handler-services.js'
import { servedType } from './handler-services.js'
import { fetchRow } from './steps/fetch-row.js'
import { inTransaction } from './steps/in-transaction.js'

type DeleteResource = Extract<Operation, { kind: 'DeleteResource' }>

/** DELETE `/{type}/{id}` */
export async function deleteResource(operation: DeleteResource, services: HandlerServices): Promise<ResponseValue> {
  const served = servedType(services, operation.context)
  const { type, persister } = served
  const { id, context } = operation
  invariant(persister !== null, `'${type.type}' is deleted, but has no persister`)
  await inTransaction(served, async (transaction) => {
    const { columns, rows } = await fetchRow(served, id, { columns: null, transaction, context })
    const key = rowObject(columns, rows[0] ?? [])[type.id.column]
    if (!(await persister.delete(type, key, { transaction, context }))) fail('RESOURCE_NOT_FOUND')
  })
  return type.responses.delete.some(({ kind }) => kind === 'metaResult') ? metaResponse({}) : noContentResponse()
}
