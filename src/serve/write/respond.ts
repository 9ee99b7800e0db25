import { acceptedResponse } from '../hooks/accepted-response.js'
import { replyResponse } from '../hooks/reply-response.js'
import { stepsAfter, stepsAfterSave } from '../hooks/fire-events.js'
import { contextWith, workContext } from '../hooks/work-context.js'
import { preferenceApplied } from '../negotiate/prefer.js'
import type { ResourceRows, ResponseValue } from '../operation/response-value.js'
import { dataResponse, metaResponse, noContentResponse } from '../operation/response-value.js'
import { holds } from '../read/graph/fetch-parent.js'
import type { GraphNode } from '../read/graph/graph-node.js'
import { nodesOf, objectOf, setRelationship } from '../read/graph/graph-node.js'
import { isLimitExceeded } from '../read/graph/document-limits.js'
import { linkageResponse } from '../read/graph/linkage-response.js'
import type { ShownResources } from '../read/graph/show-resources.js'
import { showResources } from '../read/graph/show-resources.js'
import type { DocumentPlan } from '../read/plan/document-plan.js'
import type { ServedRelation } from '../../declare/resource/capabilities/served-type.js'
import type { WorkContext } from '../../declare/resource/events/stored-rows.js'
import type { CompiledType } from '../../declare/resource/compiled/compiled-type.js'
import type { RowObject } from '../../declare/resource/fields/field-spec.js'
import { guardsOf } from '../../declare/resource/fields/field-guard.js'
import type { Identifier } from '../../declare/resource/parts/identifier.js'
import { idReader, rowLinkage, visibilityFlag } from '../../declare/resource/reading/row-linkage.js'
import { versionReader } from '../../declare/resource/versions/version-token.js'
import type { RowSet } from '../../core/rows/row-set.js'
import { rowObject } from '../../core/rows/row-set.js'
import { isPromise } from '../../core/util/awaitable.js'
import type { Awaitable } from '../../core/util/types.js'
import { invariant } from '../../core/util/invariant.js'
import type { RelationshipWorkContext } from '../../declare/resource/events/hooks.js'
import type { SentLinkage } from './document/sent-linkage.js'
import type { LinkageChange } from './linkage/linkage-change.js'
import { runAfterCommit } from './persist/in-transaction.js'
import type { WriteOutcome } from './persist/write-outcome.js'
import { jobTypeOf } from './persist/write-outcome.js'
import type { CreateWrite, DeleteWrite, MembersWrite, RestoreWrite, UpdateWrite } from './prepare-write.js'
import { writeStrategies } from './write-strategy.js'

/*
 * The last step of every write, after the commit: the events after the write fire, and listeners may replace the response.
 */

/** Responds with the resource that was created or updated. */
export function respond(write: CreateWrite | UpdateWrite, outcome: WriteOutcome): Awaitable<ResponseValue> {
  const { served, mode, request } = write
  const { type } = served
  if (outcome.kind === 'accepted') return acceptedResponse(outcome.work, request)
  const [node] = nodesOf(served, outcome.rows)
  if (node === undefined) return noneCameBack(type)
  const { hasListenersAfter } = writeStrategies(served)
  return hasListenersAfter[mode] ? respondAfterListeners(write, node) : resourceResponse(write, node)
}

function noneCameBack({ type }: CompiledType): never {
  invariant(false, `a resource of '${type}' was written, and none came back`)
}

/**
 * Adds the linkage of a new resource that is known from its write, so that it is not read again: relations without a related
 * resource, and relations to sent resources, which were found to be visible. If it is all that the row lacks, it becomes flags of the row,
 * so that the resource is shown like one that was read.
 */
export function addKnownLinkage(node: GraphNode, changes: readonly LinkageChange[], plan: DocumentPlan): void {
  const written = writtenLinkage(node.rows, plan)
  if (written === null) return
  const flags: boolean[] = []
  for (const { relation, read } of written.relations) {
    const data = knownLinkage(relation, read(node.row), changes)
    if (data === undefined) return addRelationships(node, changes, written)
    flags.push(data !== null)
  }
  if (written.flagged === null) return addRelationships(node, changes, written)
  node.row = [...node.row, ...flags]
  node.rows = written.flagged
}

/** Adds the known linkage of some of the relations, or of rows that functions of the application get: they have no flags. */
function addRelationships(node: GraphNode, changes: readonly LinkageChange[], { relations }: WrittenLinkage): void {
  for (const { relation, read } of relations) {
    const data = knownLinkage(relation, read(node.row), changes)
    if (data !== undefined) setRelationship(node, relation.name, { data, total: null, page: null, members: null })
  }
}

/** Returns the linkage in the row of a new resource; `undefined` if it is not known whether the related resource is visible. */
function knownLinkage(
  relation: ServedRelation,
  data: Identifier | null,
  changes: readonly LinkageChange[],
): Identifier | null | undefined {
  const sent = changes.find((change) => change.relation === relation)?.added[0]
  const isKnown = data === null || (sent?.type === data.type && sent.id === data.id)
  return isKnown ? data : undefined
}

/** The relations whose linkage a write may know. */
interface WrittenLinkage {
  readonly columns: readonly string[]
  readonly relations: readonly { readonly relation: ServedRelation; readonly read: ReturnType<typeof rowLinkage> }[]
  /** The columns with a flag for each of them; `null` if the plan has no such flags. */
  readonly flagged: ResourceRows | null
}

/** Returns `null` if there are none. */
function writtenLinkage({ served, columns }: ResourceRows, plan: DocumentPlan): WrittenLinkage | null {
  const relations = plan.writtenLinkage(served)
  if (relations.length === 0) return null
  const last = lastWritten.get(relations)
  if (last?.columns === columns) return last
  const flags = relations.map(visibilityFlag)
  const isFlagged = flags.every((name) => plan.flags(served).some((flag) => flag.name === name))
  const written = {
    columns,
    relations: relations.map((relation) => ({ relation, read: rowLinkage(relation, columns) })),
    flagged: isFlagged ? { served, columns: [...columns, ...flags] } : null,
  }
  lastWritten.set(relations, written)
  return written
}

/** The last linkage by the relations of a plan: writes of a type return the same columns each time. */
const lastWritten = new WeakMap<readonly ServedRelation[], WrittenLinkage>()

async function respondAfterListeners(write: CreateWrite | UpdateWrite, node: GraphNode): Promise<ResponseValue> {
  const { served, mode, plan, request } = write
  const { type } = served
  const work = workContext(request.context, null, request.services)
  const reply = await runAfterCommit(served, stepsAfterSave(served, objectOf(node), mode === 'create', work))
  if (reply === null) return resourceResponse(write, node)
  return replyResponse(reply, { served, jobType: jobTypeOf(type.responses[mode]), plan }, request)
}

/** Responds with the resource, or without content if the declaration requires or the client prefers it. */
function resourceResponse(write: CreateWrite | UpdateWrite, node: GraphNode): Awaitable<ResponseValue> {
  const { served, mode, plan, returns, request } = write
  const shown = mode === 'create' ? 'created' : 'ok'
  if (served.type.responses[mode].every(({ kind }) => kind !== shown)) {
    return noContentResponse({ written: node, headers: versionHeader(node) })
  }
  if (returns === 'minimal' && (mode === 'update' || write.document.id !== null)) return minimalResponse(write, node)
  const headers = returns === 'representation' ? preferenceApplied(returns) : []
  if (write.mode === 'create') addKnownLinkage(node, write.changes, plan)
  const showing = showResources([node], false, plan, request)
  return isPromise(showing) ? showing.then(respondWith) : respondWith(showing)

  function respondWith({ resources, profiles }: ShownResources): ResponseValue {
    const created = { status: 201, location: node, headers, profiles } as const
    return dataResponse(resources, mode === 'create' ? created : { headers, profiles })
  }
}

/** Responds without content, as the client prefers. It knows the id of a new resource, since it has generated it. */
function minimalResponse({ served, mode, request }: CreateWrite | UpdateWrite, node: GraphNode): ResponseValue {
  const { rows, row } = node
  const { uriType } = served.type
  const location = mode === 'create' ? { uriType, id: idReader(served, rows.columns)(row, request.context) } : null
  const headers = [...versionHeader(node), ...preferenceApplied('minimal')]
  return noContentResponse({ written: node, location, headers })
}

/** Returns the `ETag` of a written resource in a response that does not show it. Its row must have all columns. */
function versionHeader({ rows: { served, columns }, row }: GraphNode): readonly string[] {
  if (served.type.version === null) return []
  const version = versionReader(served.type, columns)(row)
  return version === null ? [] : ['ETag', `"${version}"`]
}

/**
 * Responds to a delete.
 *
 * @param row the row as it was
 */
export function respondToDelete(write: DeleteWrite, row: RowObject): Awaitable<ResponseValue> {
  const { served, action } = write
  const hasListeners = served.listeners.has('AfterDelete') || (action !== null && served.listeners.has('AfterAction'))
  return hasListeners ? deletedAfterListeners(write, row) : deletedResponse(write)
}

async function deletedAfterListeners(write: DeleteWrite, row: RowObject): Promise<ResponseValue> {
  const { served, action, request } = write
  const work = (): WorkContext => workContext(request.context, null, request.services)
  const reply = await runAfterCommit(served, stepsAfter(served, 'AfterDelete', { row }, work))
  if (action !== null) await runAfterCommit(served, stepsAfter(served, 'AfterAction', { action, row }, work))
  return reply === null ? deletedResponse(write) : replyResponse(reply, { served, jobType: null }, request)
}

function deletedResponse({ served, isPermanent }: DeleteWrite): ResponseValue {
  const hasMeta = !isPermanent && served.type.responses.delete.some(({ kind }) => kind === 'metaResult')
  return hasMeta ? metaResponse({}) : noContentResponse()
}

/** Responds with the resource that was restored. */
export async function respondToRestore(
  { served, action, plan, request }: RestoreWrite,
  rows: RowSet,
): Promise<ResponseValue> {
  const row = rowObject(rows.columns, rows.rows[0] ?? [])
  const work = (): WorkContext => workContext(request.context, null, request.services)
  await runAfterCommit(served, stepsAfter(served, 'AfterAction', { action, row }, work))
  const { resources, profiles } = await showResources(nodesOf(served, rows), false, plan, request)
  return dataResponse(resources, { profiles })
}

/** A change of members that was written: by one statement, or in a transaction. */
export type StoredMembers =
  | { readonly kind: 'changed'; readonly owner: GraphNode }
  | {
      readonly kind: 'written'
      readonly outcome: WriteOutcome
      readonly linkage: SentLinkage
      /** Whether the resulting linkage may contain more than the request. */
      readonly isMoreThanSent: boolean
    }

/** Responds to a change of members. */
export async function respondToMembers(write: MembersWrite, stored: StoredMembers): Promise<ResponseValue> {
  const { served, request } = write
  if (stored.kind === 'changed') return respondToChange(write, stored.owner, false)
  const { outcome, linkage, isMoreThanSent } = stored
  if (outcome.kind === 'accepted') return acceptedResponse(outcome.work, request)
  const [parent] = nodesOf(served, outcome.rows)
  if (parent === undefined) return noneCameBack(served.type)
  const payload = relationshipChange(write, linkage)
  const reply = await runAfterCommit(
    served,
    stepsAfter(served, 'AfterRelationshipMutate', { parent: objectOf(parent), ...payload }, () =>
      contextWith(workContext(request.context, null, request.services), payload),
    ),
  )
  if (reply === null) return withVersion(await respondToChange(write, parent, isMoreThanSent), parent)
  return replyResponse(reply, { served, jobType: jobTypeOf(served.type.responses.update) }, request)
}

function withVersion(response: ChangeResponse, owner: GraphNode): ResponseValue {
  const version = versionHeader(owner)
  return version.length === 0 ? response : { ...response, headers: [...version, ...response.headers] }
}

type ChangeResponse = Extract<ResponseValue, { readonly kind: 'noContent' | 'identifier' }>

/**
 * Responds to a change of members: without content if the result is the sent linkage; with the resulting linkage if it may contain
 * more, or if the client or the server settings require it.
 *
 * https://jsonapi.org/format/1.1/#crud-updating-relationship-responses
 */
async function respondToChange(
  { relation, plan, returns, request }: MembersWrite,
  owner: GraphNode,
  isMoreThanSent: boolean,
): Promise<ChangeResponse> {
  // A client may be permitted to change a relation that it may not read.
  for (const guard of guardsOf(relation.spec)) if (!(await holds(owner, guard, request))) return noContentResponse()
  const isWanted = returns === null ? isMoreThanSent || request.services.respondsWithLinkage : returns !== 'minimal'
  const headers = returns === null ? [] : preferenceApplied(returns)
  if (!isWanted) return noContentResponse({ headers })
  try {
    return { ...(await linkageResponse(relation, owner, plan.members(), request)), headers }
  } catch (thrown) {
    // The write is committed, so it cannot be refused because its linkage is too long.
    if (isLimitExceeded(thrown)) return noContentResponse()
    throw thrown
  }
}

/** Returns the members of the context of relationship events: the name, the linkage and the mode. */
export function relationshipChange(
  { relation, mode }: MembersWrite,
  { members }: SentLinkage,
): Pick<RelationshipWorkContext, 'relationship' | 'linkage' | 'mode'> {
  const sent = members.map(({ type, id, pivot }) => {
    return { type, id, meta: Object.keys(pivot).length === 0 ? null : { pivot } }
  })
  const linkage = relation.spec.traits.toMany ? sent : (sent[0] ?? null)
  return { relationship: relation.name, linkage, mode }
}
