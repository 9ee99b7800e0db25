import { fail } from '../errors/json-api-error.js'
import type { Operation } from '../operation/operation.js'
import type { ResponseValue } from '../operation/response-value.js'
import type { ServedType } from '../resource/capabilities/served-type.js'
import { invariant } from '../util/invariant.js'
import { planOne } from './compound/plan-one.js'
import { placesIn } from './conflicts/document-row.js'
import { tellRefusal } from './conflicts/refusal.js'
import { writeRow } from './conflicts/write-row.js'
import type { HandlerServices } from './handler-services.js'
import { servedType } from './handler-services.js'
import { changesTo } from './linkage/changes-to.js'
import { checkAgreement } from './linkage/check-agreement.js'
import { checkGates } from './linkage/check-gates.js'
import { checkTypes } from './linkage/check-types.js'
import { ownColumns } from './linkage/own-columns.js'
import { resolveMembers } from './linkage/resolve-members.js'
import type { SentLinkage } from './linkage/sent-linkage.js'
import { sentRelationships } from './linkage/sent-relationships.js'
import { memberMutations } from './linkage/write-members.js'
import type { OpenTransactions } from './open-transactions.js'
import { readTransaction, writeTransaction } from './open-transactions.js'
import type { Reading } from './reading.js'
import { readingOf } from './reading.js'
import { nodesOf, objectOf } from './relation/graph-node.js'
import { fetchRow } from './rows/fetch-row.js'
import { answerWrite } from './steps/answer-write.js'
import { checkDocument } from './steps/check-document.js'
import { flattenedState } from './steps/flattened-state.js'
import { hydrate } from './steps/hydrate.js'
import { inTransaction } from './steps/in-transaction.js'
import type { ResourceDocument } from './steps/resource-document.js'
import { readResourceDocument } from './steps/resource-document.js'
import { beforeUpdate } from './steps/run-hooks.js'
import { setColumns } from './steps/set-columns.js'
import { storedAttributes } from './steps/stored-attributes.js'
import { withMembers } from './steps/with-members.js'
import type { WritableMembers } from './steps/writable-members.js'
import { writableMembers } from './steps/writable-members.js'
import { endWrites, writeEnds } from './steps/write-flattened.js'
import type { Written } from './steps/written.js'
import { writtenTypes } from './steps/written-types.js'
import { workContext } from './work-context.js'

type UpdateResource = Extract<Operation, { kind: 'UpdateResource' }>

/** PATCH `/{type}/{id}` */
export async function updateResource(operation: UpdateResource, services: HandlerServices): Promise<ResponseValue> {
  const served = servedType(services, operation.context)
  const { type } = served
  const { context, id } = operation
  const reading = readingOf(operation, services)
  const plan = await planOne(served, reading)
  const document = readResourceDocument(operation.document, type)
  checkId(document, id)
  const writable = writableMembers(served, 'update', context)
  const linkages = sentRelationships(document, writable.relations, services.maxErrors)

  const types = writtenTypes(served, document)
  const result = await inTransaction(types, services, (open) =>
    update({ served, document, writable, linkages }, open, reading),
  ).catch((thrown: unknown) => tellRefusal(thrown, served, reading))
  return answerWrite(served, { mode: 'update', result, plan }, reading)
}

interface Changed {
  readonly served: ServedType
  readonly document: ResourceDocument
  readonly writable: WritableMembers
  readonly linkages: readonly SentLinkage[]
}

/** All that is asked is asked of the state before; then the row is written, and whatever points at it. */
async function update(
  { served, document: sent, writable, linkages }: Changed,
  open: OpenTransactions,
  reading: Reading,
): Promise<Written> {
  const { type } = served
  const { context, services } = reading
  const { maxErrors: limit } = services
  const inside = { ...reading, open }
  const [node] = nodesOf(served, await fetchRow(served, sent.id ?? '', null, { ...inside, forChange: true }))
  invariant(node !== undefined, `a resource of '${type.type}' was found, and has no row`)
  const row = objectOf(node)
  const changes = await changesTo(node, linkages, 'replace', inside)
  checkGates(changes, row, context)
  checkTypes(linkages, limit)
  const occasion = { changes, open, reading }
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
    ...(await ownColumns(changes, { memberOf, row, attributes: document.attributes })),
  }

  const work = workContext(context, open, services)
  const mutations = await memberMutations(changes, memberOf, context)
  const write = { transaction: writeTransaction(served, open), context: work, relationships: mutations }
  const values = await beforeUpdate(type, row, columns, work)
  const draft = { served, document, writable: writable.attributes, row: { ...row, ...values }, isNew: false }
  const ends = await endWrites(draft, occasion)
  const own = { served, row, values, clientId: null, places: placesIn(type, { document, writable, changes }) }
  const result = await writeRow(own, ends, () => setColumns(served, row, values, { write, services }))
  return writeEnds(served, await withMembers(served, result, mutations, { open, write }), ends, { open, write })
}

function checkId(document: ResourceDocument, endpointId: string): void {
  if (document.id === null) fail('RESOURCE_ID_MISSING', {}, { source: { pointer: '/data' } })
  if (document.id === endpointId) return
  fail('RESOURCE_ID_CONFLICT', { documentId: document.id, endpointId }, { source: { pointer: '/data/id' } })
}
