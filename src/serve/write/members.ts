import { fail, failAll } from '../../core/errors/json-api-error.js'
import { fire } from '../hooks/fire-events.js'
import { contextWith, workContext } from '../hooks/work-context.js'
import { checkAddressable } from '../read/graph/fetch-parent.js'
import type { GraphNode } from '../read/graph/graph-node.js'
import { nodesOf, objectOf, primaryNode } from '../read/graph/graph-node.js'
import { permissionIn } from '../read/query/permission.js'
import { scopeConditions } from '../read/query/scope-conditions.js'
import type { ReadContext } from '../read/read-context.js'
import { fetchRow } from '../read/rows/fetch-row.js'
import type { CompiledType } from '../../declare/resource/compiled/compiled-type.js'
import { linkageIsInRow, rowLinkage } from '../../declare/resource/reading/row-linkage.js'
import { mutateAbility } from '../../declare/resource/relations/relation-security.js'
import { collectUpTo } from '../../core/util/awaitable.js'
import { isPlainObject } from '../../core/util/deep-freeze.js'
import { invariant } from '../../core/util/invariant.js'
import { pauses } from '../../core/util/time-slices.js'
import type { ShortcutCall } from './by-statement.js'
import { conditionsFor, rowConditions, shortcutCall, unreadMembers, updateUnread } from './by-statement.js'
import { withoutKeyColumns } from './columns/fixed-key.js'
import { pointersInLinkage } from './conflicts/document-row.js'
import type { ReadLinkage, SentLinkage } from './document/sent-linkage.js'
import { checkTypes, inappropriate, readLinkage } from './document/sent-linkage.js'
import { isWritable } from './document/writable-members.js'
import type { WriteKind, WriteSteps } from './write-kind.js'
import { checkFixedMembers } from './linkage/check-fixed-members.js'
import { checkGates } from './linkage/check-gates.js'
import { linkageChanges } from './linkage/current-members.js'
import { changesForeignRows, foreignAbilities } from './linkage/foreign-rows.js'
import type { LinkageChange } from './linkage/linkage-change.js'
import { isMoreThanSent, linkageChange } from './linkage/linkage-change.js'
import { linkageProblems } from './linkage/linkage-problems.js'
import { linkedColumns, ownerColumns } from './linkage/owner-columns.js'
import { resolveMembers } from './linkage/resolve-members.js'
import { checkRules, storedRow } from './persist/check-rules.js'
import { isDecidedByColumns } from '../../stores/row-query/condition-analysis.js'
import { checkVersion } from './persist/check-version.js'
import { memberTypes } from './persist/in-transaction.js'
import { staysPermitted } from './persist/permitted-writes.js'
import { memberMutations } from './persist/write-members.js'
import type { WriteOutcome } from './persist/write-outcome.js'
import { writeResource } from './persist/write-resource.js'
import { mayChangeUpdated, mayChangeVisibility } from './persist/written-members.js'
import type { MembersWrite } from './prepare-write.js'
import type { StoredMembers } from './respond.js'
import { relationshipChange, respondToMembers } from './respond.js'
import { writeStrategies } from './write-strategy.js'

/**
 * Changes the members of a relation.
 *
 * - PATCH `/{type}/{id}/relationships/{rel}` replaces all members.
 * - POST adds members. Resources that are already members stay members.
 * - DELETE removes members. Resources that are not members are ignored.
 */
export const membersKind: WriteKind<MembersWrite, StoredMembers> = Object.freeze<
  WriteKind<MembersWrite, StoredMembers>
>({
  byStatement,
  types: ({ served, relation }) => [served, ...memberTypes(relation)],
  inSteps,
  respond: respondToMembers,
})

function byStatement(write: MembersWrite): Promise<StoredMembers | null> | null {
  const { served: owner, relation, mode, request } = write
  const { toMany } = relation.spec.traits
  const strategy = writeStrategies(owner).members.get(relation.name)
  if (strategy === undefined || toMany === (mode === 'replace')) return null
  const shortcuts = toMany ? owner.shortcuts.mutateRelationship : owner.shortcuts.update
  const call = shortcutCall(owner, strategy.reason, shortcuts, request.open)
  if (call === null || !isWritable(relation, 'update', request.context)) return null
  return toMany ? changeJoins(write, call) : replaceMember(write, call)
}

/** Sets the key of the member in the row of the owner: an update like any other. */
async function replaceMember(write: MembersWrite, call: ShortcutCall): Promise<StoredMembers | null> {
  const { served, id, ifMatch, request } = write
  const { context, services } = request
  const { linkage } = readMembers(write)
  if (linkage === null || services.validateStored) return null
  const change = linkageChange(linkage, 'replace', [], context)
  const found = unreadMembers(served, [change], call, context)
  if (found === null) return null
  const { schemas, unknownMembers } = services
  const validation = { mode: 'update', context, schemas, limit: 1, unknownMembers, validateStored: false } as const
  if ((await linkageProblems(change, validation)).length > 0) return null
  const { memberOf, references } = found
  const values = linkedColumns([change], { memberOf, row: null, attributes: {} })
  const update = { served, id, ifMatch, attributes: [], references, values, plan: null, request }
  const outcome = await updateUnread(update, call)
  return outcome && { kind: 'written', outcome, linkage, isMoreThanSent: isOtherMember(change, outcome) }
}

/** Adds or removes members that join rows hold. */
async function changeJoins(write: MembersWrite, call: ShortcutCall): Promise<StoredMembers | null> {
  const { served: owner, relation, mode, id, ifMatch, request } = write
  const { context } = request
  const { mutateRelationship: shortcuts } = owner.shortcuts
  const [target] = relation.related.values()
  if (target === undefined || shortcuts?.autocommit === undefined || mode === 'replace') return null
  const ownerConditions = rowConditions(owner, { ability: 'update', ifMatch }, call, context)
  if (ownerConditions === null || !staysPermitted(owner, {}, context)) return null
  if (!ownerConditions.every((each) => isDecidedByColumns(each, context))) return null
  const foreign = changesForeignRows(relation) ? foreignAbilities(relation, target) : []
  if (foreign.some((ability) => permissionIn(target, ability, context) !== true)) return null
  // Whether the rules permit the members after the change is known only after it is stored.
  if (mayChangeVisibility(relation, target, context) || mayChangeUpdated(relation, target, context)) return null
  const members = memberKeys(write, target.type)
  const key = owner.type.id.decode(id)
  if (members === null || key === null) return null
  const memberConditions = conditionsFor(call.acceptsScopes, scopeConditions(target), context)
  const isDone = await shortcuts.autocommit(
    relation,
    { kind: mode, owner: key, type: target.type, members },
    { context, transaction: call.transaction, ownerConditions, memberConditions },
  )
  return isDone
    ? { kind: 'changed', owner: primaryNode({ served: owner, columns: [owner.type.id.column] }, [key]) }
    : null
}

/** Reads the linkage of a body, which may have none. */
function readMembers({ relation, document, request }: MembersWrite): ReadLinkage {
  const data = isPlainObject(document) ? document['data'] : undefined
  return readLinkage(relation, data, '/data', request.services.maxIdentifiers)
}

/** Returns the keys of the members that were sent, each once; `null` if the linkage is not valid, or names no member. */
function memberKeys(write: MembersWrite, type: CompiledType): readonly unknown[] | null {
  const { linkage } = readMembers(write)
  if (linkage === null || linkage.members.length === 0) return null
  const { members } = linkage
  const isPlain = members.every((member) => {
    return member.type === type.type && type.id.hasFormat(member.id) && Object.keys(member.pivot).length === 0
  })
  const keys = [...new Map(members.map((member) => [member.id, type.id.decode(member.id)])).values()]
  return isPlain && !keys.includes(null) ? keys : null
}

async function inSteps(mutation: MembersWrite, { open }: WriteSteps): Promise<StoredMembers> {
  const { served: owner, relation, mode, request } = mutation
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
  const isMore = isMoreThanSent(change, context) || isOtherMember(change, outcome)
  return { kind: 'written', outcome, linkage, isMoreThanSent: isMore }
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
async function lockedOwner({ served: owner, relation, id }: MembersWrite, request: ReadContext): Promise<GraphNode> {
  const { context } = request
  const [parent] = nodesOf(owner, await fetchRow(owner, id, null, { ...request, forChange: true }))
  if (parent === undefined) return fail('RESOURCE_NOT_FOUND')
  await checkAddressable(parent, relation, request)
  if (!isWritable(relation, 'update', context)) fail('RELATIONSHIP_READ_ONLY', { relationship: relation.name })
  return parent
}

/** Reads the linkage of the body: https://jsonapi.org/format/1.1/#crud-updating-relationships */
function sentLinkage({ relation, mode, document: sent, request }: MembersWrite): SentLinkage {
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
