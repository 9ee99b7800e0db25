import type { Operation } from '../operation/operation.js'
import type { ResponseValue } from '../operation/response-value.js'
import type { RequestServices } from '../read/read-context.js'
import { createInTransaction } from '../write/create-in-transaction.js'
import { checkNewResource, readNewResource, validateCreate } from '../write/new-resource.js'
import { prepareCreate } from '../write/prepare-write.js'
import { respond } from '../write/respond.js'
import { createByStatement } from '../write/statement-writes.js'

/** POST `/{type}` */
export async function createResource(
  operation: Extract<Operation, { kind: 'CreateResource' }>,
  services: RequestServices,
): Promise<ResponseValue> {
  let prepared = await prepareCreate(operation, services)
  await checkNewResource(prepared)
  for (;;) {
    const document = await validateCreate(prepared, prepared.request)
    const write = document === prepared.document ? prepared : { ...prepared, document }
    const outcome = (await createByStatement(write)) ?? (await createInTransaction(write))
    if (outcome.kind !== 'hidden') return respond(write, outcome)
    const { served, request } = prepared
    const { writable } = outcome
    prepared = { ...prepared, writable, ...readNewResource(operation.document, { served, writable }, request) }
  }
}
