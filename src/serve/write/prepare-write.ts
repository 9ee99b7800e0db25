import { fail, JsonApiError } from '../../core/errors/json-api-error.js'
import type { VersionMatch } from '../negotiate/preconditions.js'
import type { ReturnPreference } from '../negotiate/prefer.js'
import type { ActionCall } from '../operation/action-call.js'
import type { Operation } from '../operation/operation.js'
import type { DocumentPlan } from '../read/plan/document-plan.js'
import { findRelation } from '../read/plan/find-relation.js'
import { requirePermission } from '../read/query/permission.js'
import type { LinkagePlan, PlanOf } from '../read/plan/read-plan.js'
import { planRead } from '../read/plan/read-plan.js'
import type { ReadTarget } from '../read/plan/read-target.js'
import { refuseResourceQuery, refuseListQuery } from '../read/plan/refuse-query.js'
import type { ReadContext, RequestServices } from '../read/read-context.js'
import { readContextOf, servedType } from '../read/read-context.js'
import type { ServedRelation, ServedType } from '../../declare/resource/capabilities/served-type.js'
import type { RelationshipMode } from '../../declare/resource/events/hooks.js'
import { RowCheck } from '../../declare/resource/policy/rule-kit.js'
import { mutateAbility } from '../../declare/resource/relations/relation-security.js'
import type { ResourceDocument } from './document/resource-document.js'
import { readResourceDocument } from './document/resource-document.js'
import type { SentLinkage } from './document/sent-linkage.js'
import { abilitiesOf, sentRelationships } from './document/sent-linkage.js'
import type { WritableMembers } from './document/writable-members.js'
import { writableMembers } from './document/writable-members.js'
import type { NewResource, PolicyCheck } from './new-resource.js'
import { newResource, runChecks, validateCreate } from './new-resource.js'
import { isPromise } from '../../core/util/awaitable.js'
import type { Awaitable } from '../../core/util/types.js'
import { requireVersion } from './persist/check-version.js'
import { planPaidWrite, spendWrite } from './write-cost.js'

/*
 * The first step of every write. It plans the response and checks the structure of the request, before anything is read or
 * written: errors are 400, 403 and 409. The value that it returns goes through all further steps.
 */

/** A resource to be created. */
export interface CreateWrite extends NewResource {
  readonly mode: 'create'
  readonly request: ReadContext
  /** The preferred response of the client: the header `Prefer`. */
  readonly returns: ReturnPreference | null
  /** The plan of the document in the response. */
  readonly plan: DocumentPlan
  /** `*`: 412 if there is a resource with the id already. */
  readonly ifNoneMatch: '*' | null
  /** The document as it was sent. */
  readonly sent: unknown
}

/** Reads a new resource, and checks everything that needs no stored row: 422 with all that is wrong. */
export function prepareCreate(
  operation: Extract<Operation, { kind: 'CreateResource' }>,
  services: RequestServices,
): Awaitable<CreateWrite> {
  const { document: sent, context, returns = null, ifNoneMatch = null } = operation
  const served = servedType(services, context)
  const request = readContextOf(operation, services)
  return planned({ kind: 'one', subject: served }, sent, request, ({ document: plan }) =>
    createWrite(
      { served, sent, plan, returns, ifNoneMatch, writable: writableMembers(served, 'create', context) },
      request,
    ),
  )
}

/** The request to create a resource, before its document is read. */
export type CreateRequest = Pick<CreateWrite, 'served' | 'sent' | 'plan' | 'returns' | 'ifNoneMatch' | 'writable'>

/** Reads the document of a new resource, and checks everything that needs no stored row. */
export function createWrite(
  { served, sent, plan, returns, ifNoneMatch, writable }: CreateRequest,
  request: ReadContext,
): Awaitable<CreateWrite> {
  const { context } = request
  const checks: PolicyCheck[] = []
  const permit = (ability: string): void => {
    const permission = requirePermission(served, ability, context)
    if (permission instanceof RowCheck) checks.push({ ability, permission })
  }
  const resource = behindGate(
    () => permit('create'),
    () => newResource(sent, { served, writable }, request),
  )
  for (const ability of resource.relationAbilities) permit(ability)
  const { document, changes, selfLinkage, relationAbilities } = resource
  // Member by member: a spread among other members takes several times as long.
  const write: CreateWrite = {
    mode: 'create',
    request,
    plan,
    returns,
    ifNoneMatch,
    sent,
    served,
    document,
    writable,
    changes,
    selfLinkage,
    relationAbilities,
  }
  if (checks.length === 0) return validateCreate(write)
  return runChecks(checks, write, context).then(() => validateCreate(write))
}

/** Plans the response to a write, spends the cost of the write, and prepares the rest. */
export function planned<Kind extends 'one' | 'linkage', Prepared>(
  target: ReadTarget & { readonly kind: Kind },
  sent: unknown,
  request: ReadContext,
  prepare: (plan: PlanOf[Kind]) => Awaitable<Prepared>,
): Awaitable<Prepared> {
  const isFree = request.services.queryCost === null
  const planning = isFree ? planRead<Kind>(target, request) : planPaidWrite<Kind>(target, sent, request)
  return isPromise(planning) ? planning.then(prepare) : prepare(planning)
}

/** A write to a resource that exists. */
interface VersionedWrite {
  /** The versions that the resource may have for the write to happen; `null` for any. */
  readonly ifMatch: VersionMatch | null
}

/** A resource to be updated. */
export interface UpdateWrite extends VersionedWrite {
  readonly mode: 'update'
  readonly request: ReadContext
  /** The preferred response of the client: the header `Prefer`. */
  readonly returns: ReturnPreference | null
  /** The plan of the document in the response. */
  readonly plan: DocumentPlan
  readonly served: ServedType
  readonly document: ResourceDocument
  readonly writable: WritableMembers
  readonly linkages: readonly SentLinkage[]
}

export function prepareUpdate(
  operation: Extract<Operation, { kind: 'UpdateResource' }>,
  services: RequestServices,
): Awaitable<UpdateWrite> {
  const { document: sent, id, context, returns = null, ifMatch = null } = operation
  const served = servedType(services, context)
  const request = readContextOf(operation, services)
  return planned({ kind: 'one', subject: served }, sent, request, ({ document: plan }) => {
    const write = updateWrite({ served, id, sent, plan, returns, ifMatch, abilities: updates }, request)
    if (served.type.version !== null) requireVersion(served, ifMatch, context)
    return write
  })
}

const updates: readonly string[] = Object.freeze(['update'])

/** The request to update a resource, before its document is read. */
export interface UpdateRequest extends Pick<UpdateWrite, 'served' | 'plan' | 'returns' | 'ifMatch'> {
  readonly id: string
  readonly sent: unknown
  /** The abilities that the caller needs, whatever it sends. */
  readonly abilities: readonly string[]
}

/** Reads the document of an update, and checks everything that needs no stored row. */
export function updateWrite(
  { served, id, sent, plan, returns, ifMatch, abilities }: UpdateRequest,
  request: ReadContext,
): UpdateWrite {
  const { context, services } = request
  const writable = writableMembers(served, 'update', context)
  const gate = (): void => {
    for (const ability of abilities) requirePermission(served, ability, context)
  }
  const { document, linkages } = behindGate(gate, () => {
    const read = readResourceDocument(sent, served.type, { mode: 'update', maxItems: services.maxItems })
    checkId(read, id)
    const isPlain = Object.keys(read.relationships).length === 0
    return { document: read, linkages: isPlain ? none : sentRelationships(read, writable.relations, services) }
  })
  if (linkages.length > 0) for (const ability of abilitiesOf(linkages)) requirePermission(served, ability, context)
  return { mode: 'update', request, plan, returns, ifMatch, served, writable, document, linkages }
}

const none: readonly SentLinkage[] = Object.freeze([])

/** Returns an update without the members that the caller may not write, as the first attempt has shown. */
export function withMembers(write: UpdateWrite, writable: WritableMembers): UpdateWrite {
  const linkages = write.linkages.filter(({ relation }) => writable.relations.includes(relation))
  return { ...write, writable, linkages }
}

/**
 * Reads a document, and checks that the caller may send one. A malformed document fails with 400 for every caller. After that comes
 * the gate, and only then the other errors of the document: 403 and 409.
 *
 * @param gate fails if the caller may not send any document
 */
function behindGate<Read>(gate: () => unknown, read: () => Read): Read {
  try {
    const result = read()
    gate()
    return result
  } catch (thrown) {
    if (JsonApiError.is(thrown) && thrown.status !== 400) gate()
    throw thrown
  }
}

function checkId(document: ResourceDocument, endpointId: string): void {
  if (document.id === null) fail('RESOURCE_ID_MISSING', {}, { source: { pointer: '/data' } })
  if (document.id === endpointId) return
  fail('RESOURCE_ID_CONFLICT', { documentId: document.id, endpointId }, { source: { pointer: '/data/id' } })
}

/** A resource to be deleted. */
export interface DeleteWrite extends VersionedWrite {
  readonly request: ReadContext
  readonly served: ServedType
  readonly id: string
  /** Whether the row is deleted from the store, also if the type has soft deletes. A row that is marked as deleted is found. */
  readonly isPermanent: boolean
  /** The path segment of the action that deletes the row; `null` for a DELETE request. */
  readonly action: string | null
}

export function prepareDelete(
  operation: Extract<Operation, { kind: 'DeleteResource' }>,
  services: RequestServices,
): Awaitable<DeleteWrite> {
  return prepareDeletion(operation, { id: operation.id, ability: 'delete', action: null }, services)
}

export function prepareForceDelete(call: ActionCall, id: string, services: RequestServices): Awaitable<DeleteWrite> {
  const { softDeletes } = servedType(services, call.context).type
  const { forceDelete: ability } = softDeletes?.abilities ?? { forceDelete: 'forceDelete' }
  return prepareDeletion(call, { id, ability, action: call.action }, services)
}

function prepareDeletion(
  call: Extract<Operation, { kind: 'DeleteResource' }> | ActionCall,
  { id, ability, action }: Pick<DeleteWrite, 'id' | 'action'> & { readonly ability: string | false },
  services: RequestServices,
): Awaitable<DeleteWrite> {
  const request = readContextOf(call, services)
  refuseResourceQuery(request)
  const served = servedType(services, call.context)
  if (ability !== false) requirePermission(served, ability, call.context)
  const { ifMatch = null } = call
  if (served.type.version !== null) requireVersion(served, ifMatch, call.context)
  const write = { request, served, id, ifMatch, isPermanent: action !== null, action }
  return services.queryCost === null ? write : Promise.resolve(spendWrite(null, request)).then(() => write)
}

/** A soft-deleted resource to be restored. */
export interface RestoreWrite extends VersionedWrite {
  readonly request: ReadContext
  readonly served: ServedType
  readonly id: string
  /** The path segment of the action. */
  readonly action: string
  /** The plan of the document in the response. */
  readonly plan: DocumentPlan
}

export function prepareRestore(call: ActionCall, id: string, services: RequestServices): Awaitable<RestoreWrite> {
  const { action, context, ifMatch = null } = call
  const request = readContextOf(call, services)
  const served = servedType(services, context)
  return planned({ kind: 'one', subject: served }, null, request, ({ document: plan }) => {
    const ability = served.type.softDeletes?.abilities.restore ?? 'restore'
    if (ability !== false) requirePermission(served, ability, context)
    if (served.type.version !== null) requireVersion(served, ifMatch, context)
    return { request, served, id, ifMatch, action, plan }
  })
}

export type RelationshipOperation = Extract<
  Operation,
  { kind: 'UpdateRelationship' | 'AddToRelationship' | 'RemoveFromRelationship' }
>

/** A relation whose members are to be changed. Its document is read after the owner was found: 404 comes first. */
export interface MembersWrite extends VersionedWrite {
  readonly request: ReadContext
  /** The preferred response of the client: the header `Prefer`. */
  readonly returns: ReturnPreference | null
  readonly mode: RelationshipMode
  /** The plan of the linkage in the response. */
  readonly plan: LinkagePlan
  /** The type of the owner. */
  readonly served: ServedType
  readonly relation: ServedRelation
  readonly id: string
  readonly document: unknown
}

export function prepareMembersWrite(
  operation: RelationshipOperation,
  mode: RelationshipMode,
  services: RequestServices,
): Awaitable<MembersWrite> {
  const { id, document, context, returns = null, ifMatch = null } = operation
  const served = servedType(services, context)
  const request = readContextOf(operation, services)
  const relation = findRelation(served, operation.relationship, 'mutation', request)
  refuseListQuery(request.query)
  return planned({ kind: 'linkage', subject: relation, owner: served }, document, request, (plan) => {
    const ability = mutateAbility(relation.spec)
    if (ability !== null) requirePermission(served, ability, context)
    if (served.type.version !== null) requireVersion(served, ifMatch, context)
    return { request, mode, plan, returns, ifMatch, served, relation, id, document }
  })
}
