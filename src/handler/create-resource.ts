import type { Operation } from '../operation/operation.js'
import type { ResponseValue } from '../operation/response-value.js'
import type { RequestServices } from '../read/read-context.js'
import { isPromise } from '../util/awaitable.js'
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
  // Awaiting a value that is not a promise costs a tick of the event loop, which shows in the benchmark.
  const preparing = prepareCreate(operation, services)
  let prepared = isPromise(preparing) ? await preparing : preparing
  const checking = checkNewResource(prepared)
  if (isPromise(checking)) await checking
  for (;;) {
    const validating = validateCreate(prepared, prepared.request)
    const document = isPromise(validating) ? await validating : validating
    const write = document === prepared.document ? prepared : { ...prepared, document }
    const outcome = (await createByStatement(write)) ?? (await createInTransaction(write))
    if (outcome.kind !== 'hidden') return respond(write, outcome)
    const { served, request } = prepared
    const { writable } = outcome
    prepared = { ...prepared, writable, ...readNewResource(operation.document, { served, writable }, request) }
  }
}
