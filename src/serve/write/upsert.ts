import { fail, JsonApiError } from '../../core/errors/json-api-error.js'
import type { Awaitable } from '../../core/util/types.js'
import type { Operation } from '../operation/operation.js'
import type { DocumentPlan } from '../read/plan/document-plan.js'
import { fetchRow } from '../read/rows/fetch-row.js'
import type { ReadContext, RequestServices } from '../read/read-context.js'
import { readContextOf, servedType } from '../read/read-context.js'
import { leaveToSteps } from './by-statement.js'
import { createKind, isTaken, refuseExisting } from './create.js'
import type { WritableMembers } from './document/writable-members.js'
import { writableMembers } from './document/writable-members.js'
import { lockedRow } from './locked-row.js'
import { requireVersion } from './persist/check-version.js'
import { writtenTypes } from './persist/in-transaction.js'
import type { WriteOutcome } from './persist/write-outcome.js'
import type { CreateWrite, UpdateWrite } from './prepare-write.js'
import { createWrite, planned, updateWrite, withMembers } from './prepare-write.js'
import { respond } from './respond.js'
import { updateKind, updateLocked } from './update.js'
import type { WriteKind, WriteSteps } from './write-kind.js'
import { writeStrategies } from './write-strategy.js'

/** A resource to be updated, or to be created if there is none with its id. */
export interface UpsertWrite {
  readonly served: UpdateWrite['served']
  readonly request: ReadContext
  readonly update: UpdateWrite
  /** The document as it was sent, and the plan of the document in the response. */
  readonly sent: unknown
  readonly plan: DocumentPlan
  /** The members that the caller may write if the resource is created. */
  readonly creatable: WritableMembers
  /** `*`: the resource must not exist. */
  readonly ifNoneMatch: '*' | null
  /** Whether another request may have created the resource while this one tried to. */
  readonly isRepeated: boolean
}

/** What an upsert did: an update or a create, with its result. */
interface Upserted {
  readonly kind: 'upserted'
  readonly write: CreateWrite | UpdateWrite
  readonly outcome: WriteOutcome
}

/**
 * PUT `/{type}/{id}`: an update of the resource, or a create if the caller sees none with the id. Both are those of PATCH and POST, with their
 * checks, hooks and responses.
 */
export const upsertKind: WriteKind<UpsertWrite, Upserted> = Object.freeze<WriteKind<UpsertWrite, Upserted>>({
  byStatement,
  types: ({ served, update }) => writtenTypes(served, update.document),
  inSteps,
  recover: repeated,
  withMembers: (upsert, { writable, isNew }) =>
    isNew === true ? { ...upsert, creatable: writable } : { ...upsert, update: withMembers(upsert.update, writable) },
  respond: (_, { write, outcome }) => respond(write, outcome),
})

/** Checks the structure of the document, and that the caller may update and create resources. */
export function prepareUpsert(
  operation: Extract<Operation, { kind: 'UpsertResource' }>,
  services: RequestServices,
): Awaitable<UpsertWrite> {
  const { document: sent, id, context, returns = null, ifMatch = null, ifNoneMatch = null } = operation
  const served = servedType(services, context)
  const request = readContextOf(operation, services)
  return planned({ kind: 'one', subject: served }, sent, request, ({ document: plan }) => {
    const update = updateWrite({ served, id, sent, plan, returns, ifMatch, abilities }, request)
    // A request whose resource must not exist has no version to name.
    if (served.type.version !== null && ifNoneMatch === null) requireVersion(served, ifMatch, context)
    const creatable = writableMembers(served, 'create', context)
    return { served, request, update, sent, plan, creatable, ifNoneMatch, isRepeated: false }
  })
}

const abilities: readonly string[] = Object.freeze(['update', 'create'])

/** Updates by one statement. If it wrote nothing because the caller sees no row with the id, creates by another statement. */
async function byStatement(upsert: UpsertWrite): Promise<Upserted | null> {
  const { served, update, request, ifNoneMatch } = upsert
  const { create: creating, update: updating } = writeStrategies(served)
  if (ifNoneMatch === null) {
    if (updating.reason !== null) return null
    const outcome = await updateKind.byStatement(update)
    if (outcome !== null) return { kind: 'upserted', write: update, outcome }
  }
  if (creating.reason !== null || update.ifMatch !== null) return null
  try {
    // Without a look at it, each request that changes nothing would insert a row that the database refuses.
    if (ifNoneMatch === null && (await orNull(fetchRow(served, update.document.id ?? '', null, request))) !== null)
      return null
    const write = await creationOf(upsert, request)
    const outcome = await createKind.byStatement(write)
    return outcome === null ? null : { kind: 'upserted', write, outcome }
  } catch (thrown) {
    return leaveToSteps(thrown)
  }
}

/** Locks the row and updates it, or creates the resource if there is no row. */
async function inSteps(upsert: UpsertWrite, steps: WriteSteps): Promise<Upserted> {
  const { update, request, ifNoneMatch } = upsert
  const { open, rollBack } = steps
  const locked = ifNoneMatch === null ? await orNull(lockedRow(update, open)) : null
  if (locked !== null) return { kind: 'upserted', write: update, outcome: await updateLocked(update, locked, steps) }
  if (update.ifMatch !== null) fail('PRECONDITION_FAILED', { condition: 'If-Match' }, ifMatchHeader)
  // The response is made after the commit, without the transaction.
  const write = { ...(await creationOf(upsert, { ...request, open })), request }
  const creating = { open, rollBack: (hidden: Parameters<typeof rollBack>[0]) => rollBack({ ...hidden, isNew: true }) }
  return { kind: 'upserted', write, outcome: await createKind.inSteps(write, creating) }
}

const ifMatchHeader = { source: { header: 'If-Match' } } as const

/** Reads the document as one of a new resource, and checks it: 422 with all that is wrong. */
function creationOf(
  { served, sent, plan, update, creatable, ifNoneMatch }: UpsertWrite,
  request: ReadContext,
): Awaitable<CreateWrite> {
  const { returns } = update
  return createWrite({ served, sent, plan, returns, ifNoneMatch, writable: creatable }, request)
}

/** Returns a row; `null` if the caller sees none with the id. */
function orNull<Found>(reading: Promise<Found>): Promise<Found | null> {
  return reading.catch((thrown: unknown) => {
    if (JsonApiError.is(thrown) && thrown.status === 404) return null
    throw thrown
  })
}

/** Repeats an upsert whose id was taken while it created the resource: the row of another request is updated then. */
function repeated(thrown: unknown, upsert: UpsertWrite): UpsertWrite | null {
  refuseExisting(thrown, upsert)
  return upsert.isRepeated || !isTaken(thrown) ? null : { ...upsert, isRepeated: true }
}
