import { fail, failAll } from '../errors/json-api-error.js'
import { fire } from '../hooks/fire-events.js'
import { contextWith, workContext } from '../hooks/work-context.js'
import { checkAddressable } from '../read/graph/fetch-parent.js'
import type { GraphNode } from '../read/graph/graph-node.js'
import { nodesOf, objectOf } from '../read/graph/graph-node.js'
import type { OpenTransactions } from '../read/open-transactions.js'
import type { ReadContext } from '../read/read-context.js'
import { fetchRow } from '../read/rows/fetch-row.js'
import { linkageIsInRow, rowLinkage } from '../resource/reading/row-linkage.js'
import type { RelationshipWorkContext } from '../resource/hooks.js'
import { mutateAbility } from '../resource/relations/relation-security.js'
import { collectUpTo } from '../util/awaitable.js'
import { pauses } from '../util/time-slices.js'
import { invariant } from '../util/invariant.js'
import { withoutKeyColumns } from './columns/fixed-key.js'
import { pointersInLinkage } from './conflicts/document-row.js'
import { reportRefusal } from './conflicts/store-refusal.js'
import type { SentLinkage } from './document/sent-linkage.js'
import { checkTypes, inappropriate, readLinkage } from './document/sent-linkage.js'
import { isWritable } from './document/writable-members.js'
import { checkFixedMembers } from './linkage/check-fixed-members.js'
import { checkGates } from './linkage/check-gates.js'
import type { LinkageChange } from './linkage/linkage-change.js'
import { isMoreThanSent } from './linkage/linkage-change.js'
import { linkageChanges } from './linkage/current-members.js'
import { linkageProblems } from './linkage/linkage-problems.js'
import { ownerColumns } from './linkage/owner-columns.js'
import { resolveMembers } from './linkage/resolve-members.js'
import { checkRules, storedRow } from './persist/check-rules.js'
import { checkVersion } from './persist/check-version.js'
import { inTransaction, memberTypes } from './persist/in-transaction.js'
import { writeResource } from './persist/write-resource.js'
import type { WriteOutcome } from './persist/write-outcome.js'
import { memberMutations } from './persist/write-members.js'
import type { RelationshipWrite } from './prepare-write.js'

/** A change of members that was written. */
export interface MutatedRelationship {
  readonly outcome: WriteOutcome
  readonly linkage: SentLinkage
  /** Whether the resulting linkage may contain more than the request. */
  readonly isMoreThanSent: boolean
}

/**
 * Changes the members of a relation in a transaction of each store that it writes to. `changeMembersByStatement` is its
 * fast path.
 */
export function mutateInTransaction(write: RelationshipWrite): Promise<MutatedRelationship> {
  const { owner, relation, request } = write
  const types = [owner, ...memberTypes(relation)]
  return inTransaction(types, request, (open) => mutate(write, open)).catch((thrown: unknown) =>
    reportRefusal(thrown, owner, request),
  )
}

async function mutate(mutation: RelationshipWrite, open: OpenTransactions): Promise<MutatedRelationship> {
  const { owner, relation, mode, request } = mutation
  const { context, services } = request
  const { maxErrors: limit } = services
  const inside = { ...request, open }
  const pause = pauses()
  const parent = await lockedOwner(mutation, inside)
  const row = objectOf(parent)
  const incoming = { attributes: {}, relationships: { [relation.name]: mutation.document } }
  const ability = mutateAbility(relation.spec)
  if (ability !== null) await checkRules([storedRow(owner, row)], ability, { context, open, limit }, incoming)
  checkVersion(owner, row, mutation.ifMatch)
  const abilityAfter = ability === 'update' ? 'updated' : null
  const linkage = sentLinkage(mutation)
  await pause()
  const changes = await linkageChanges(parent, [linkage], mode, inside)
  await pause()
  checkGates(changes, row, context)
  checkTypes([linkage], limit)
  await checkChanges(changes, request)
  await pause()
  const memberOf = await resolveMembers(changes, { context, open, limit })
  await pause()
  checkFixedMembers(changes, { memberOf, row }, limit)
  const sentColumns = await ownerColumns(changes, { memberOf, row, attributes: {} })
  const ownerKeys = withoutKeyColumns(owner.type, { row, columns: sentColumns }, () => linkage.pointer)

  const work = workContext(context, open, services)
  const sent = relationshipChange(mutation, linkage)
  await fire(owner, 'BeforeRelationshipMutate', { parent: row, ...sent }, () => contextWith(work, sent))
  const mutations = await memberMutations(changes, memberOf, context)
  await pause()
  const [change] = changes
  invariant(change !== undefined, `the linkage of '${relation.name}' makes no change`)
  const write = {
    served: owner,
    row,
    values: ownerKeys,
    clientId: null,
    pointers: pointersInLinkage(change),
    changes,
    memberOf,
    mutations,
    ends: [],
    selfLinkage: [],
    ability: abilityAfter,
    relationAbilities: [],
    isRowWritten: relation.writeBy === 'row' || relation.writeBy === 'function',
    sent: null,
  } as const
  const outcome = await writeResource(write, { open, request, work, rollBack: noRollBack })
  return { outcome, linkage, isMoreThanSent: isMoreThanSent(change, context) || isOtherMember(change, outcome) }
}

/** Linkage alone is checked before it is written. */
function noRollBack(): never {
  invariant(false, 'a change of linkage is rolled back because of hidden members')
}

/** Whether the row of the owner holds another member than was sent: hooks and persisters may change its columns. */
function isOtherMember({ relation, resulting }: LinkageChange, outcome: WriteOutcome): boolean {
  if (outcome.kind !== 'row' || !linkageIsInRow(relation)) return false
  const { columns, rows } = outcome.rows
  const stored = rowLinkage(relation, columns)(rows[0] ?? [])
  const [wanted] = resulting
  return stored?.type !== wanted?.type || stored?.id !== wanted?.id
}

/** 404 if there is no such resource, or if it hides the relation; 403 if the client may not change the relation. */
async function lockedOwner({ owner, relation, id }: RelationshipWrite, request: ReadContext): Promise<GraphNode> {
  const { context } = request
  const [parent] = nodesOf(owner, await fetchRow(owner, id, null, { ...request, forChange: true }))
  if (parent === undefined) return fail('RESOURCE_NOT_FOUND')
  await checkAddressable(parent, relation, request)
  if (!isWritable(relation, 'update', context)) fail('RELATIONSHIP_READ_ONLY', { relationship: relation.name })
  return parent
}

/** Reads the linkage of the body: https://jsonapi.org/format/1.1/#crud-updating-relationships */
function sentLinkage({ relation, mode, document: sent, request }: RelationshipWrite): SentLinkage {
  const document = (sent ?? {}) as Readonly<Record<string, unknown>>
  const hasData = Object.hasOwn(document, 'data')
  if (mode !== 'replace' && !relation.spec.traits.toMany) failAll([inappropriate(relation, hasData ? '/data' : '')])
  if (!hasData) fail('DATA_MEMBER_MISSING', {}, { source: { pointer: '' } })
  const { maxErrors, maxIdentifiers } = request.services
  const { linkage, problems } = readLinkage(relation, document['data'], '/data', maxIdentifiers)
  return linkage ?? failAll(problems.slice(0, maxErrors))
}

async function checkChanges(changes: readonly LinkageChange[], { services, context }: ReadContext): Promise<void> {
  const { schemas, maxErrors: limit, unknownMembers, validateStored } = services
  const validation = { mode: 'update', context, schemas, limit, unknownMembers, validateStored } as const
  const problems = await collectUpTo(changes, limit, (change) => linkageProblems(change, validation))
  if (problems.length > 0) failAll(problems.slice(0, limit))
}

/** Returns the members of the context of relationship events: the name, the linkage and the mode. */
export function relationshipChange(
  { relation, mode }: RelationshipWrite,
  { members }: SentLinkage,
): Pick<RelationshipWorkContext, 'relationship' | 'linkage' | 'mode'> {
  const sent = members.map(({ type, id, pivot }) => {
    return { type, id, meta: Object.keys(pivot).length === 0 ? null : { pivot } }
  })
  const linkage = relation.spec.traits.toMany ? sent : (sent[0] ?? null)
  return { relationship: relation.name, linkage, mode }
}
