import { fail } from '../errors/json-api-error.js'
import type { Operation } from '../operation/operation.js'
import type { ResponseValue } from '../operation/response-value.js'
import type { RowObject } from '../resource/fields/field-spec.js'
import type { RowSet } from '../rows/row-set.js'
import { rowObject } from '../rows/row-set.js'
import { metaResponse, noContentResponse } from '../operation/response-value.js'
import { refuseResourceQuery } from '../read/plan/refuse-resource-query.js'
import type { RequestServices } from '../read/request-services.js'
import type { ReadContext } from '../read/read-context.js'
import { servedType } from '../read/request-services.js'
import { writeTransaction } from '../read/open-transactions.js'
import { readContextOf } from '../read/read-context.js'
import { fetchObject } from '../read/rows/fetch-row.js'
import { answerResponse } from '../hooks/answer-response.js'
import { inTransaction, runAfterCommit } from '../write/persist/in-transaction.js'
import { deleteByStatement } from '../write/statement-writes.js'
import { removeRow } from '../write/persist/remove-row.js'
import { hookAnswer } from '../hooks/run-hooks.js'
import { workContext } from '../hooks/work-context.js'

type DeleteResource = Extract<Operation, { kind: 'DeleteResource' }>

/** DELETE `/{type}/{id}` */
export async function deleteResource(operation: DeleteResource, services: RequestServices): Promise<ResponseValue> {
  const served = servedType(services, operation.context)
  const { type } = served
  const { id, context } = operation
  const reading = readContextOf(operation, services)
  refuseResourceQuery(reading)
  const removed = await deleteByStatement(served, id, reading)
  const deleted = removed === null ? await deleteInTransaction(operation, reading) : onlyObject(removed)
  const replaced = await runAfterCommit(served, async () =>
    hookAnswer(await type.hooks?.afterDelete?.(deleted, workContext(context, null, services))),
  )
  if (replaced !== null) return answerResponse(replaced, { served, jobType: null }, reading)
  return type.responses.delete.some(({ kind }) => kind === 'metaResult') ? metaResponse({}) : noContentResponse()
}

function deleteInTransaction({ id, context }: DeleteResource, { services }: ReadContext): Promise<RowObject> {
  const served = servedType(services, context)
  return inTransaction([served], services, async (open) => {
    const row = await fetchObject(served, id, { open, context, forChange: true })
    const write = { transaction: writeTransaction(served, open), context: workContext(context, open, services) }
    await served.type.hooks?.beforeDelete?.(row, write.context)
    if (!(await removeRow(served, row, write))) fail('RESOURCE_NOT_FOUND')
    return row
  })
}

function onlyObject({ columns, rows }: RowSet): RowObject {
  return rowObject(columns, rows[0] ?? [])
}
