import type { Operation } from '../operation/operation.js'
import type { ResponseValue } from '../operation/response-value.js'
import { invariant } from '../util/invariant.js'
import { isPromise } from '../util/awaitable.js'
import { planRead } from '../read/plan/read-plan.js'
import { pointersInDocument } from '../write/conflicts/document-row.js'
import { reportRefusal } from '../write/conflicts/store-refusal.js'
import { writeRow } from '../write/conflicts/write-row.js'
import type { RequestServices } from '../read/request-services.js'
import { servedType } from '../read/request-services.js'
import { checkAgreement } from '../write/linkage/check-agreement.js'
import { resolveMembers } from '../write/linkage/resolve-members.js'
import { memberMutations } from '../write/persist/write-members.js'
import type { OpenTransactions } from '../read/open-transactions.js'
import { readTransaction, writeTransaction } from '../read/open-transactions.js'
import type { ReadContext } from '../read/read-context.js'
import { readContextOf } from '../read/read-context.js'
import { answerWrite } from '../write/answer-write.js'
import { createByStatement } from '../write/statement-writes.js'
import { checkDocument } from '../write/check-document.js'
import { flattenedState } from '../write/flattened/flattened-state.js'
import { inTransaction } from '../write/persist/in-transaction.js'
import type { NewResource } from '../write/new-resource.js'
import { newColumns, readNewResource } from '../write/new-resource.js'
import { beforeCreate } from '../hooks/run-hooks.js'
import { withMembers } from '../write/persist/with-members.js'
import { writableMembers } from '../write/document/writable-members.js'
import { endWrites, writeEnds } from '../write/persist/write-flattened.js'
import type { WriteOutcome } from '../write/persist/write-outcome.js'
import { writeOutcome } from '../write/persist/write-outcome.js'
import { writtenTypes } from '../write/persist/written-types.js'
import { nothingStored } from '../validation/validation.js'
import { workContext } from '../hooks/work-context.js'

type CreateResource = Extract<Operation, { kind: 'CreateResource' }>

/** POST `/{type}` */
export async function createResource(operation: CreateResource, services: RequestServices): Promise<ResponseValue> {
  const { context } = operation
  const served = servedType(services, context)
  const reading = readContextOf(operation, services)
  const planning = planRead({ kind: 'one', subject: served }, reading)
  const { document: plan } = isPromise(planning) ? await planning : planning
  const writable = writableMembers(served, 'create', context)
  const { document: sent, changes } = readNewResource(operation.document, { served, writable }, reading)
  const about = { served, document: sent, writable: writable.attributes, start: null }
  const state = flattenedState(about, { changes, open: reading.open, request: reading })
  const { document } = isPromise(state) ? await state : state
  const write = {
    mode: 'create',
    context,
    row: null,
    stored: nothingStored,
    storesRow: true,
    transaction: readTransaction(served, reading.open),
    writable,
    changes,
  } as const
  const checked = checkDocument(served, document, write, services)
  if (isPromise(checked)) await checked

  const resource = { served, document, changes, writable }
  const created = await createByStatement(resource, reading)
  const result =
    created === null
      ? await createInTransaction(resource, reading)
      : writeOutcome(served, created, { responses: served.type.responses.create, services, context })
  return answerWrite(served, { mode: 'create', result, plan }, reading)
}

function createInTransaction(resource: NewResource, reading: ReadContext): Promise<WriteOutcome> {
  const { served, document } = resource
  const types = writtenTypes(served, document)
  return inTransaction(types, reading.services, (open) => create(resource, open, reading)).catch((thrown: unknown) =>
    reportRefusal(thrown, served, reading),
  )
}

/** The row, with the keys that it holds itself, and then whatever points at it. */
async function create(
  { served, document, writable, changes }: NewResource,
  open: OpenTransactions,
  reading: ReadContext,
): Promise<WriteOutcome> {
  const { context, services } = reading
  const { maxErrors: limit } = services
  const { type, persister } = served
  invariant(persister !== null, `'${type.type}' is created, but has no persister`)
  const memberOf = await resolveMembers(changes, { context, open, limit })
  checkAgreement(changes, { memberOf, row: null })
  const values = await newColumns({ served, document, writable, changes }, memberOf, reading)
  const work = workContext(context, open, services)
  const mutations = await memberMutations(changes, memberOf, context)
  const write = { transaction: writeTransaction(served, open), context: work, relationships: mutations }
  const row = await beforeCreate(type, values, work)
  const draft = { served, document, writable: writable.attributes, row, isNew: true }
  const ends = await endWrites(draft, { changes, open, request: reading })
  const pointers = pointersInDocument(type, { document, writable, changes })
  const own = { served, row: null, values: row, clientId: document.id, pointers }
  const answered = await writeRow(own, ends, () => persister.create(type, row, write))
  const result = writeOutcome(served, answered, { responses: type.responses.create, services, context })
  return writeEnds(served, await withMembers(served, result, mutations, { open, write }), ends, { open, write })
}
