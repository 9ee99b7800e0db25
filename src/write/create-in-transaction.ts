import { fail, JsonApiError } from '../errors/json-api-error.js'
import { beforeCreate } from '../hooks/fire-events.js'
import { workContext } from '../hooks/work-context.js'
import type { OpenTransactions } from '../read/open-transactions.js'
import { pointersInDocument } from './conflicts/document-row.js'
import { reportRefusal } from './conflicts/store-refusal.js'
import { checkAgreement } from './linkage/check-agreement.js'
import { checkFixedMembers } from './linkage/check-fixed-members.js'
import { resolveMembers } from './linkage/resolve-members.js'
import { newColumns, sentRelations } from './new-resource.js'
import { abilitiesOf } from './persist/check-rules.js'
import { inTransaction, writtenTypes } from './persist/in-transaction.js'
import { memberMutations } from './persist/write-members.js'
import { endWrites } from './persist/write-flattened.js'
import { writeResource } from './persist/write-resource.js'
import type { WriteOutcome } from './persist/write-outcome.js'
import type { RollBack } from './persist/with-rollback.js'
import { withRollback } from './persist/with-rollback.js'
import type { CreateWrite } from './prepare-write.js'
import type { HiddenMembers } from './persist/hidden-members.js'

/**
 * Creates a resource whose document was checked, in a transaction of each store that it writes to. `createByStatement` is
 * its fast path.
 */
export function createInTransaction(write: CreateWrite): Promise<WriteOutcome | HiddenMembers> {
  const { served, document, request } = write
  const types = writtenTypes(served, document)
  const created = withRollback((rollBack: RollBack<WriteOutcome | HiddenMembers>) =>
    inTransaction(types, request, (open) => create(write, open, rollBack)),
  ).catch((thrown: unknown) => reportRefusal(thrown, served, request))
  return write.ifNoneMatch === null ? created : created.catch(reportExisting)
}

/** Converts the error of an id that is taken to 412: with `If-None-Match: *` the client does not want to create the resource then. */
function reportExisting(thrown: unknown): never {
  if (!JsonApiError.is(thrown) || !thrown.problems.some(({ code }) => existing.has(code))) throw thrown
  const header = 'If-None-Match'
  fail('PRECONDITION_FAILED', { condition: header }, { source: { header }, cause: thrown })
}

const existing: ReadonlySet<string> = new Set(['CLIENT_GENERATED_ID_ALREADY_EXISTS', 'RESOURCE_ALREADY_EXISTS'])

/** Finds the members that the document names, fires the events before the create, and writes the resource. */
async function create(
  resource: CreateWrite,
  open: OpenTransactions,
  rollBack: RollBack<WriteOutcome | HiddenMembers>,
): Promise<WriteOutcome> {
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
    relationAbilities: abilitiesOf(sentRelations(resource)),
    isRowWritten: true,
    sent: resource,
  } as const
  return writeResource(write, { open, request, work, rollBack })
}
