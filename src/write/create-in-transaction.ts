import { fail, JsonApiError } from '../errors/json-api-error.js'
import { beforeCreate } from '../hooks/fire-events.js'
import { workContext } from '../hooks/work-context.js'
import type { OpenTransactions } from '../read/open-transactions.js'
import { writeTransaction } from '../read/open-transactions.js'
import { permissionIn } from '../read/query/permission.js'
import { RowRule } from '../resource/policy/rule-kit.js'
import { rowObject } from '../rows/row-set.js'
import { invariant } from '../util/invariant.js'
import { pointersInDocument } from './conflicts/document-row.js'
import { reportRefusal } from './conflicts/store-refusal.js'
import { writeRow } from './conflicts/write-row.js'
import { checkAgreement } from './linkage/check-agreement.js'
import { checkFixedMembers } from './linkage/check-fixed-members.js'
import { changedParents } from './linkage/guarded-keys.js'
import { resolveMembers } from './linkage/resolve-members.js'
import { linkToItself } from './link-to-itself.js'
import { newColumns, sentRelations } from './new-resource.js'
import { checkParents, linkedRows, parentRows, parentsOf } from './persist/check-parents.js'
import { abilitiesOf, checkRules, storedRow } from './persist/check-rules.js'
import { checkDraft, checkForeignRows, checkWritten } from './persist/check-written.js'
import { inTransaction, writtenTypes } from './persist/in-transaction.js'
import { withMembers, memberMutations } from './persist/write-members.js'
import { endWrites, writeEnds } from './persist/write-flattened.js'
import type { WriteOutcome } from './persist/write-outcome.js'
import { writeOutcome } from './persist/write-outcome.js'
import type { RollBack } from './persist/with-rollback.js'
import { withRollback } from './persist/with-rollback.js'
import type { CreateWrite } from './prepare-write.js'
import type { HiddenMembers } from './shown-members.js'
import { hiddenByDraft, hiddenByRow } from './shown-members.js'

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

/** Writes the row with its foreign keys, then the rows that refer to it. */
async function create(
  resource: CreateWrite,
  open: OpenTransactions,
  rollBack: RollBack<WriteOutcome | HiddenMembers>,
): Promise<WriteOutcome> {
  const { served, document, writable, changes, request } = resource
  const { context, services } = request
  const { type, persister } = served
  invariant(persister !== null, `'${type.type}' is created, but has no persister`)
  const memberOf = await resolveMembers(changes, { context, open, limit: services.maxErrors })
  checkAgreement(changes, { memberOf, row: null })
  checkFixedMembers(changes, { memberOf, row: null }, services.maxErrors)
  const values = await newColumns(resource, memberOf, request)

  const work = workContext(context, open, services)
  const mutations = await memberMutations(changes, memberOf, context)
  const write = { transaction: writeTransaction(served, open), context: work, relationships: mutations }
  const row = await beforeCreate(served, values, work)
  const draft = { served, document, writable: writable.attributes, row, isNew: true }
  const ends = await endWrites(draft, { changes, open, request })
  const pointers = pointersInDocument(type, { document, writable, changes })
  const check = { context, open, limit: services.maxErrors }
  const parents = await parentsOf(
    { change: { served, before: null, values: row, concealed: [] }, mutations, ends },
    check,
  )
  await checkForeignRows({ mutations, ends, parents }, check)
  const relationAbilities = abilitiesOf(sentRelations(resource))
  for (const ability of ['create', ...relationAbilities]) {
    await checkDraft(served, row, { mode: 'create', ability }, context)
  }
  const hiddenNow = await hiddenByDraft(resource, row, context)
  if (hiddenNow !== null) rollBack(hiddenNow)
  const newRow = { served, row: null, values: row, clientId: document.id, pointers }
  const stored = await writeRow(newRow, ends, () => persister.create(type, row, write))
  const outcome = writeOutcome(served, stored, { responses: type.responses.create, services, context })
  const complete = await writeEnds(served, await withMembers(served, outcome, mutations, { open, write }), ends, {
    open,
    write,
  })
  const linkedToItself = await linkToItself(served, complete, resource.selfLinkage, { open, request })
  const others = { mutations, ends, parents, linked: linkedRows(served, changes, memberOf, context) }
  const checked = await checkWritten(served, linkedToItself, { ...others, ability: 'create' }, check)
  if (checked.kind === 'accepted') return checked
  const result = rowObject(checked.rows.columns, checked.rows.rows[0] ?? [])
  if (resource.selfLinkage.length > 0) {
    const own = await parentRows(changedParents({ served, before: row, values: result, concealed: [] }), check)
    await checkParents(own, check)
  }
  if (relationAbilities.length > 0) {
    const written = storedRow(served, result)
    // A function of the policy was called before, with the sent values.
    const rules = relationAbilities.filter((ability) => permissionIn(served, ability, context) instanceof RowRule)
    for (const ability of rules) await checkRules([written], ability, check)
  }
  if (checked.kind === 'row') {
    const hidden = await hiddenByRow(resource, rowObject(checked.rows.columns, checked.rows.rows[0] ?? []), check)
    if (hidden !== null) rollBack(hidden)
  }
  return checked
}
