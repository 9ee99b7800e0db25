import { fail, failAll } from '../errors/json-api-error.js'
import type { Operation } from '../operation/operation.js'
import type { ResponseValue } from '../operation/response-value.js'
import type { ServedRelation, ServedType } from '../resource/capabilities/served-type.js'
import type { WorkContext } from '../resource/capabilities/stored-rows.js'
import type { RelationshipMode, RelationshipWorkContext } from '../resource/hooks.js'
import { rowSet } from '../rows/row-set.js'
import { invariant } from '../util/invariant.js'
import { collectUpTo } from '../util/awaitable.js'
import { findRelation } from '../read/plan/find-relation.js'
import { pointersInLinkage } from './conflicts/document-row.js'
import { reportRefusal } from './conflicts/store-refusal.js'
import { writeRow } from './conflicts/write-row.js'
import type { RequestServices } from '../read/request-services.js'
import { servedType } from '../read/request-services.js'
import type { OpenTransactions } from '../read/open-transactions.js'
import { writeTransaction } from '../read/open-transactions.js'
import { refuseListQuery } from '../read/query/refuse-query.js'
import type { ReadContext } from '../read/read-context.js'
import { readContextOf } from '../read/read-context.js'
import type { GraphNode } from '../read/graph/graph-node.js'
import { hidesRelation, nodesOf, objectOf, primaryNode } from '../read/graph/graph-node.js'
import { linkageResponse } from '../read/graph/linkage-response.js'
import { planRead } from '../read/plan/read-plan.js'
import { fetchRow } from '../read/rows/fetch-row.js'
import { acceptedResponse } from '../hooks/accepted-response.js'
import { answerResponse } from '../hooks/answer-response.js'
import { inTransaction, runAfterCommit } from './persist/in-transaction.js'
import { hookAnswer } from '../hooks/run-hooks.js'
import { setColumns } from './persist/set-columns.js'
import { withMembers } from './persist/with-members.js'
import type { WriteOutcome } from './persist/write-outcome.js'
import { jobTypeOf } from './persist/write-outcome.js'
import { memberTypes } from './persist/written-types.js'
import { contextWith, workContext } from '../hooks/work-context.js'
import { linkageChanges } from './linkage/linkage-changes.js'
import { checkGates } from './linkage/check-gates.js'
import { checkTypes } from './document/check-types.js'
import type { LinkageChange } from './linkage/linkage-change.js'
import { linkageProblems } from './linkage/linkage-problems.js'
import { ownerColumns } from './linkage/owner-columns.js'
import { resolveMembers } from './linkage/resolve-members.js'
import type { SentLinkage } from './document/sent-linkage.js'
import { inappropriate, readLinkage } from './document/sent-linkage.js'
import { isWritable } from './document/sent-relationships.js'
import { memberMutations } from './persist/write-members.js'
import { changeMembersByStatement } from './statement-writes.js'

type RelationshipOperation = Extract<
  Operation,
  { kind: 'UpdateRelationship' | 'AddToRelationship' | 'RemoveFromRelationship' }
>

/** Changes who the members of a relation are, and answers the resulting linkage. */
export async function mutateRelationship(
  operation: RelationshipOperation,
  mode: RelationshipMode,
  services: RequestServices,
): Promise<ResponseValue> {
  const owner = servedType(services, operation.context)
  const reading = readContextOf(operation, services)
  const relation = findRelation(owner, operation.relationship, 'mutation', reading)
  refuseListQuery(reading.query)
  const { members } = await planRead({ kind: 'linkage', subject: relation, owner }, reading)
  const about: Mutation = { owner, relation, mode, operation, reading }

  const changed = await changeByStatement(about)
  if (changed !== null) return linkageResponse(relation, changed, members(), reading)
  const types = [owner, ...memberTypes(relation)]
  const { result, linkage } = await inTransaction(types, services, (open) => mutate(about, open)).catch(
    (thrown: unknown) => reportRefusal(thrown, owner, reading),
  )

  if (result.kind === 'accepted') return acceptedResponse(result.work, reading)
  const [parent] = nodesOf(owner, result.rows)
  invariant(parent !== undefined, `a resource of '${owner.type.type}' was updated, and none came back`)
  const work = relationshipContext(about, linkage, workContext(operation.context, null, services))
  const replaced = await runAfterCommit(owner, async () =>
    hookAnswer(await owner.type.hooks?.afterRelationshipMutate?.(objectOf(parent), work)),
  )
  if (replaced === null) return linkageResponse(relation, parent, members(), reading)
  return answerResponse(replaced, { served: owner, jobType: jobTypeOf(owner.type.responses.update) }, reading)
}

/**
 * Adds or removes members by one statement, and returns the owner. Returns `null` where that takes a transaction, which also
 * finds out what is wrong: a body that is not valid linkage is reported only after the owner was found.
 */
async function changeByStatement({ owner, relation, mode, operation, reading }: Mutation): Promise<GraphNode | null> {
  if (mode === 'replace' || !isWritable(relation, 'update', reading.context)) return null
  const { linkage } = readLinkage(relation, (operation.document as { readonly data?: unknown } | null)?.data, '/data')
  if (linkage === null) return null
  const changed = await changeMembersByStatement(owner, linkage, { id: operation.id, kind: mode }, reading)
  return changed === null ? null : primaryNode({ served: owner, columns: [owner.type.id.column] }, [changed.key])
}

interface Mutation {
  readonly owner: ServedType
  readonly relation: ServedRelation
  readonly mode: RelationshipMode
  readonly operation: RelationshipOperation
  readonly reading: ReadContext
}

interface Mutated {
  readonly result: WriteOutcome
  readonly linkage: SentLinkage
}

async function mutate(about: Mutation, open: OpenTransactions): Promise<Mutated> {
  const { owner, relation, mode, reading } = about
  const { context, services } = reading
  const { maxErrors: limit } = services
  const inside = { ...reading, open }
  const parent = await parentOf(about, inside)
  const row = objectOf(parent)
  const linkage = sentLinkage(about)
  const changes = await linkageChanges(parent, [linkage], mode, inside)
  checkGates(changes, row, context)
  checkTypes([linkage], limit)
  await checkChanges(changes, reading)
  const memberOf = await resolveMembers(changes, { context, open, limit })
  const columns = await ownerColumns(changes, { memberOf, row, attributes: {} })

  const work = workContext(context, open, services)
  await owner.type.hooks?.beforeRelationshipMutate?.(row, relationshipContext(about, linkage, work))
  const mutations = await memberMutations(changes, memberOf, context)
  const write = { transaction: writeTransaction(owner, open), context: work, relationships: mutations }
  const isOwn = relation.writeBy === 'row' || relation.writeBy === 'function'
  const [only] = changes
  invariant(only !== undefined, `the linkage of '${relation.name}' makes no change`)
  const own = { served: owner, row, values: columns, clientId: null, pointers: pointersInLinkage(only) }
  const result: WriteOutcome = isOwn
    ? await writeRow(own, [], () => setColumns(owner, row, columns, { write, services }))
    : { kind: 'row', rows: rowSet(parent.rows.columns, [parent.row]) }
  return { result: await withMembers(owner, result, mutations, { open, write }), linkage }
}

/** 404 for no such resource, and for one that hides the relation; 403 where the relation is not the client's to change. */
async function parentOf({ owner, relation, operation }: Mutation, reading: ReadContext): Promise<GraphNode> {
  const { context } = reading
  const [parent] = nodesOf(owner, await fetchRow(owner, operation.id, null, { ...reading, forChange: true }))
  if (parent === undefined || hidesRelation(parent, relation, context)) {
    fail('RELATIONSHIP_NOT_EXISTS', { relationship: relation.name })
  }
  if (!isWritable(relation, 'update', context)) fail('RELATIONSHIP_READ_ONLY', { relationship: relation.name })
  return parent
}

/** https://jsonapi.org/format/1.1/#crud-updating-relationships */
function sentLinkage({ relation, mode, operation, reading }: Mutation): SentLinkage {
  const document = (operation.document ?? {}) as Readonly<Record<string, unknown>>
  const hasData = Object.hasOwn(document, 'data')
  if (mode !== 'replace' && !relation.spec.traits.toMany) failAll([inappropriate(relation, hasData ? '/data' : '')])
  if (!hasData) fail('DATA_MEMBER_MISSING', {}, { source: { pointer: '' } })
  const { linkage, problems } = readLinkage(relation, document['data'], '/data')
  return linkage ?? failAll(problems.slice(0, reading.services.maxErrors))
}

async function checkChanges(changes: readonly LinkageChange[], { services, context }: ReadContext): Promise<void> {
  const { schemas, maxErrors: limit, unknownMembers, validateStored } = services
  const validation = { mode: 'update', context, schemas, limit, unknownMembers, validateStored } as const
  const problems = await collectUpTo(changes, limit, (change) => linkageProblems(change, validation))
  if (problems.length > 0) failAll(problems.slice(0, limit))
}

function relationshipContext(
  { relation, mode }: Mutation,
  { members }: SentLinkage,
  work: WorkContext,
): RelationshipWorkContext {
  const sent = members.map(({ type, id, pivot }) => {
    return { type, id, meta: Object.keys(pivot).length === 0 ? null : { pivot } }
  })
  const linkage = relation.spec.traits.toMany ? sent : (sent[0] ?? null)
  return contextWith(work, { relationship: relation.name, linkage, mode })
}
