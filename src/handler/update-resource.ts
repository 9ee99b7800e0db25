import { fail } from '../errors/json-api-error.js'
import type { Operation } from '../operation/operation.js'
import type { ResponseValue } from '../operation/response-value.js'
import { invariant } from '../util/invariant.js'
import { planRead } from '../read/plan/read-plan.js'
import { pointersInDocument } from '../write/conflicts/document-row.js'
import { reportRefusal } from '../write/conflicts/store-refusal.js'
import { writeRow } from '../write/conflicts/write-row.js'
import type { RequestServices } from '../read/request-services.js'
import { servedType } from '../read/request-services.js'
import { linkageChanges } from '../write/linkage/linkage-changes.js'
import { checkAgreement } from '../write/linkage/check-agreement.js'
import { checkGates } from '../write/linkage/check-gates.js'
import { checkTypes } from '../write/document/check-types.js'
import { ownerColumns } from '../write/linkage/owner-columns.js'
import { resolveMembers } from '../write/linkage/resolve-members.js'
import { sentRelationships } from '../write/document/sent-relationships.js'
import { memberMutations } from '../write/persist/write-members.js'
import type { OpenTransactions } from '../read/open-transactions.js'
import { readTransaction, writeTransaction } from '../read/open-transactions.js'
import type { ReadContext } from '../read/read-context.js'
import { readContextOf } from '../read/read-context.js'
import { nodesOf, objectOf } from '../read/graph/graph-node.js'
import { fetchRow } from '../read/rows/fetch-row.js'
import { answerWrite } from '../write/answer-write.js'
import { checkDocument } from '../write/check-document.js'
import { flattenedState } from '../write/flattened/flattened-state.js'
import { hydrate } from '../write/columns/hydrate.js'
import { inTransaction } from '../write/persist/in-transaction.js'
import type { ResourceDocument } from '../write/document/resource-document.js'
import { readResourceDocument } from '../write/document/resource-document.js'
import { beforeUpdate } from '../hooks/run-hooks.js'
import { setColumns } from '../write/persist/set-columns.js'
import { storedAttributes } from '../write/columns/stored-attributes.js'
import { withMembers } from '../write/persist/with-members.js'
import { writableMembers } from '../write/document/writable-members.js'
import { endWrites, writeEnds } from '../write/persist/write-flattened.js'
import type { WriteOutcome } from '../write/persist/write-outcome.js'
import { writtenTypes } from '../write/persist/written-types.js'
import type { SentUpdate } from '../write/statement-writes.js'
import { updateByStatement } from '../write/statement-writes.js'
import { workContext } from '../hooks/work-context.js'

type UpdateResource = Extract<Operation, { kind: 'UpdateResource' }>

/** PATCH `/{type}/{id}` */
export async function updateResource(operation: UpdateResource, services: RequestServices): Promise<ResponseValue> {
  const served = servedType(services, operation.context)
  const { type } = served
  const { context, id } = operation
  const reading = readContextOf(operation, services)
  const { document: plan } = await planRead({ kind: 'one', subject: served }, reading)
  const document = readResourceDocument(operation.document, type)
  checkId(document, id)
  const writable = writableMembers(served, 'update', context)
  const linkages = sentRelationships(document, writable.relations, services.maxErrors)

  const sent = { served, document, writable, linkages }
  const updated = await updateByStatement(sent, reading)
  const result: WriteOutcome =
    updated === null ? await updateInTransaction(sent, reading) : { kind: 'row', rows: updated }
  return answerWrite(served, { mode: 'update', result, plan }, reading)
}

function updateInTransaction(sent: SentUpdate, reading: ReadContext): Promise<WriteOutcome> {
  const { served, document } = sent
  const types = writtenTypes(served, document)
  return inTransaction(types, reading.services, (open) => update(sent, open, reading)).catch((thrown: unknown) =>
    reportRefusal(thrown, served, reading),
  )
}

/** All that is asked is asked of the state before; then the row is written, and whatever points at it. */
async function update(
  { served, document: sent, writable, linkages }: SentUpdate,
  open: OpenTransactions,
  reading: ReadContext,
): Promise<WriteOutcome> {
  const { type } = served
  const { context, services } = reading
  const { maxErrors: limit } = services
  const inside = { ...reading, open }
  const [node] = nodesOf(served, await fetchRow(served, sent.id ?? '', null, { ...inside, forChange: true }))
  invariant(node !== undefined, `a resource of '${type.type}' was found, and has no row`)
  const row = objectOf(node)
  const changes = await linkageChanges(node, linkages, 'replace', inside)
  checkGates(changes, row, context)
  checkTypes(linkages, limit)
  const occasion = { changes, open, request: reading }
  const state = await flattenedState({ served, document: sent, writable: writable.attributes, start: node }, occasion)
  const { document } = state
  const resulting = { ...row, ...state.values }
  const stored = storedAttributes(served, resulting, context)
  const check = { mode: 'update', context, row: resulting, stored, writable, changes } as const
  const transaction = readTransaction(served, open)
  await checkDocument(served, document, { ...check, storesRow: true, transaction }, services)
  const memberOf = await resolveMembers(changes, { context, open, limit })
  checkAgreement(changes, { memberOf, row })
  const columns = {
    ...(await hydrate(served, document, { context, writable: writable.attributes, row, stored, limit })),
    ...(await ownerColumns(changes, { memberOf, row, attributes: document.attributes })),
  }

  const work = workContext(context, open, services)
  const mutations = await memberMutations(changes, memberOf, context)
  const write = { transaction: writeTransaction(served, open), context: work, relationships: mutations }
  const values = await beforeUpdate(type, row, columns, work)
  const draft = { served, document, writable: writable.attributes, row: { ...row, ...values }, isNew: false }
  const ends = await endWrites(draft, occasion)
  const own = {
    served,
    row,
    values,
    clientId: null,
    pointers: pointersInDocument(type, { document, writable, changes }),
  }
  const result = await writeRow(own, ends, () => setColumns(served, row, values, { write, services }))
  return writeEnds(served, await withMembers(served, result, mutations, { open, write }), ends, { open, write })
}

function checkId(document: ResourceDocument, endpointId: string): void {
  if (document.id === null) fail('RESOURCE_ID_MISSING', {}, { source: { pointer: '/data' } })
  if (document.id === endpointId) return
  fail('RESOURCE_ID_CONFLICT', { documentId: document.id, endpointId }, { source: { pointer: '/data/id' } })
}
