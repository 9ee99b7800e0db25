import { fail, JsonApiError } from '../../core/errors/json-api-error.js'
import { beforeCreate } from '../hooks/fire-events.js'
import { workContext } from '../hooks/work-context.js'
import { checkedRows } from '../read/rows/checked-rows.js'
import { conditionsFor, leaveToSteps, shortcutCall, statementReferences } from './by-statement.js'
import { pointersInDocument } from './conflicts/document-row.js'
import { isPromise } from '../../core/util/awaitable.js'
import type { WriteKind, WriteSteps } from './write-kind.js'
import { checkAgreement } from './linkage/check-agreement.js'
import { checkFixedMembers } from './linkage/check-fixed-members.js'
import { resolveMembers } from './linkage/resolve-members.js'
import type { StatementRow } from './new-resource.js'
import { newColumns, newResource, statementRow, validateCreate } from './new-resource.js'
import { writtenTypes } from './persist/in-transaction.js'
import { memberMutations } from './persist/write-members.js'
import { endWrites } from './persist/write-flattened.js'
import { writeResource } from './persist/write-resource.js'
import type { WriteOutcome } from './persist/write-outcome.js'
import type { CreateWrite } from './prepare-write.js'
import { respond } from './respond.js'
import { writeStrategies } from './write-strategy.js'

/** POST `/{type}` */
export const createKind: WriteKind<CreateWrite, WriteOutcome> = Object.freeze<WriteKind<CreateWrite, WriteOutcome>>({
  byStatement,
  types: ({ served, document }) => writtenTypes(served, document),
  inSteps,
  recover: refuseExisting,
  withMembers: ({ request, ...write }, { writable }) =>
    validateCreate({ ...write, request, ...newResource(write.sent, { served: write.served, writable }, request) }),
  respond,
})

/** Creates a resource whose document was checked. */
async function byStatement(write: CreateWrite): Promise<WriteOutcome | null> {
  const { served, changes, selfLinkage, request } = write
  const { context } = request
  const { create: shortcuts } = served.shortcuts
  const { create: strategy, references: known } = writeStrategies(served)
  const call = shortcutCall(served, strategy.reason, shortcuts, request.open)
  if (call === null || shortcuts?.autocommit === undefined || selfLinkage.length > 0) return null
  const { transaction, acceptsScopes } = call
  const found = statementReferences(served, changes, { acceptsScopes, known, context })
  if (found === null) return null
  let row: StatementRow | null
  try {
    const making = statementRow(write, found.memberOf, request)
    row = isPromise(making) ? await making : making
  } catch (thrown) {
    return leaveToSteps(thrown)
  }
  if (row === null) return null
  const conditions = conditionsFor(acceptsScopes, row.conditions, context)
  const insert = { context, transaction, references: found.references, conditions, clientColumns: [] }
  const stored = await shortcuts.autocommit(served.type, row.values, insert)
  return stored === null ? null : { kind: 'row', rows: checkedRows(served, stored) }
}

/** Finds the members that the document names, fires the events before the create, and writes the resource. */
async function inSteps(resource: CreateWrite, { open, rollBack }: WriteSteps): Promise<WriteOutcome> {
  const { served, document, writable, changes, selfLinkage, request } = resource
  const { context, services } = request
  const memberOf = await resolveMembers(changes, { context, open, limit: services.maxErrors })
  checkAgreement(changes, { memberOf, row: null })
  checkFixedMembers(changes, { memberOf, row: null }, services.maxErrors)
  const sentColumns = await newColumns(resource, memberOf, request)
  const mutations = await memberMutations(changes, memberOf, context)
  const work = workContext(context, open, services)
  const values = await beforeCreate(served, sentColumns, work)
  const draft = { served, document, writable: writable.attributes, row: values, isNew: true }
  const write = {
    served,
    row: null,
    values,
    clientId: document.id,
    pointers: pointersInDocument(served.type, { document, writable, changes }),
    changes,
    memberOf,
    mutations,
    ends: await endWrites(draft, { changes, open, request }),
    selfLinkage,
    ability: 'create',
    relationAbilities: resource.relationAbilities,
    isRowWritten: true,
    sent: resource,
  } as const
  return writeResource(write, { open, request, work, rollBack })
}

/** Converts the error of an id that is taken to 412: with `If-None-Match: *` the client does not want to create the resource then. */
export function refuseExisting(thrown: unknown, { ifNoneMatch }: Pick<CreateWrite, 'ifNoneMatch'>): null {
  if (ifNoneMatch === null || !isTaken(thrown)) return null
  const header = 'If-None-Match'
  fail('PRECONDITION_FAILED', { condition: header }, { source: { header }, cause: thrown })
}

/** Whether an error is that a resource has the id of a new one. */
export function isTaken(thrown: unknown): boolean {
  return JsonApiError.is(thrown) && thrown.problems.some(({ code }) => existing.has(code))
}

const existing: ReadonlySet<string> = new Set(['CLIENT_GENERATED_ID_ALREADY_EXISTS', 'RESOURCE_ALREADY_EXISTS'])
