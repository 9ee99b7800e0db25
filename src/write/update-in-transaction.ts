import { beforeUpdate, hasListenersAfter } from '../hooks/fire-events.js'
import { workContext } from '../hooks/work-context.js'
import { objectOf } from '../read/graph/graph-node.js'
import type { OpenTransactions } from '../read/open-transactions.js'
import { readTransaction } from '../read/open-transactions.js'
import { withGuardFlags } from '../read/rows/held-abilities.js'
import type { ColumnValues } from '../resource/capabilities/persister.js'
import type { ServedType } from '../resource/capabilities/served-type.js'
import type { RowObject } from '../resource/fields/field-spec.js'
import { checkDocument } from './check-document.js'
import { withoutKeyColumns } from './columns/fixed-key.js'
import { hydrate } from './columns/hydrate.js'
import { storedAttributes } from './columns/stored-attributes.js'
import { pointersInDocument } from './conflicts/document-row.js'
import { reportRefusal } from './conflicts/store-refusal.js'
import { checkTypes } from './document/sent-linkage.js'
import type { ResourceDocument } from './document/resource-document.js'
import type { WritableMembers } from './document/writable-members.js'
import { guardsOfMembers, writableInRow } from './document/writable-members.js'
import { flattenedState } from './flattened/flattened-state.js'
import { checkAgreement } from './linkage/check-agreement.js'
import { checkFixedMembers } from './linkage/check-fixed-members.js'
import { checkGates } from './linkage/check-gates.js'
import type { LinkageChange, MemberOf } from './linkage/linkage-change.js'
import { linkageChanges } from './linkage/current-members.js'
import { ownerColumns } from './linkage/owner-columns.js'
import { resolveMembers } from './linkage/resolve-members.js'
import { checkRelationRules, checkRules, storedRow } from './persist/check-rules.js'
import { checkVersion } from './persist/check-version.js'
import { withKnownFlags } from './persist/flags-after-write.js'
import { inTransaction, writtenTypes } from './persist/in-transaction.js'
import { writeResource } from './persist/write-resource.js'
import type { WriteOutcome } from './persist/write-outcome.js'
import { memberMutations } from './persist/write-members.js'
import { endWrites } from './persist/write-flattened.js'
import type { FlagValues } from './locked-row.js'
import { lockedRow } from './locked-row.js'
import type { RollBack } from './persist/with-rollback.js'
import { withRollback } from './persist/with-rollback.js'
import type { UpdateWrite } from './prepare-write.js'
import type { HiddenMembers } from './persist/hidden-members.js'

/** Updates a resource in a transaction of each store that it writes to. `updateByStatement` is its fast path. */
export function updateInTransaction(write: UpdateWrite): Promise<WriteOutcome | HiddenMembers> {
  const { served, document, request } = write
  const types = writtenTypes(served, document)
  return withRollback((rollBack: RollBack<WriteOutcome | HiddenMembers>) =>
    inTransaction(types, request, async (open) => {
      return persist(write, await validate(write, open), open, rollBack)
    }),
  ).catch((thrown: unknown) => reportRefusal(thrown, served, request))
}

/** An update that was checked against the stored row. */
interface ValidUpdate {
  readonly row: RowObject
  /** The flags that were read with the row. */
  readonly flags: FlagValues
  readonly document: ResourceDocument
  readonly writable: WritableMembers
  readonly changes: readonly LinkageChange[]
  readonly memberOf: MemberOf
  /** The columns to set. */
  readonly columns: ColumnValues
}

/** Reads and locks the row, and checks the request against it: 404, 403, 409, 422. Nothing is written before all is checked. */
async function validate(write: UpdateWrite, open: OpenTransactions): Promise<ValidUpdate> {
  const { served, document: sent, request } = write
  const { context, services } = request
  const { maxErrors: limit } = services
  const inside = { ...request, open }
  const { node, flags } = await lockedRow(write, open)
  const row = objectOf(node)
  await checkRules([storedRow(served, row)], 'update', { context, open, limit }, sent)
  checkVersion(served, row, write.ifMatch)
  const guarded = await withGuardFlags(served, row, guardsOfMembers(write.writable), { context, open, flags })
  const writable = writableInRow(write.writable, guarded, context)
  const linkages = write.linkages.filter(({ relation }) => writable.relations.includes(relation))
  await checkRelationRules(storedRow(served, row), linkages, { context, open, limit }, sent)
  const changes = await linkageChanges(node, linkages, 'replace', inside)
  checkGates(changes, row, context)
  checkTypes(linkages, limit)
  const state = await flattenedState(
    { served, document: sent, writable: writable.attributes, start: node },
    { changes, open, request },
  )
  const { document } = state
  const resulting = { ...row, ...state.values }
  const stored = storedAttributes(served, { ...guarded, ...resulting }, context)
  const check = { mode: 'update', context, row: resulting, stored, writable, changes, storesRow: true } as const
  await checkDocument(served, document, { ...check, transaction: readTransaction(served, open) }, services)
  const memberOf = await resolveMembers(changes, { context, open, limit })
  checkAgreement(changes, { memberOf, row })
  checkFixedMembers(changes, { memberOf, row }, limit)
  const sentColumns = {
    ...(await hydrate(served, document, { context, writable: writable.attributes, row, stored, limit })),
    ...(await ownerColumns(changes, { memberOf, row, attributes: document.attributes })),
  }
  const { pointerTo } = pointersInDocument(served.type, { document, writable, changes })
  const columns = withoutKeyColumns(served.type, { row, columns: sentColumns }, pointerTo)
  return { row, flags, document, writable, changes, memberOf, columns }
}

/** Fires the events before the update, and writes the resource. */
async function persist(
  { served, plan, request }: UpdateWrite,
  { row, flags, document, writable, changes, memberOf, columns }: ValidUpdate,
  open: OpenTransactions,
  rollBack: RollBack<WriteOutcome | HiddenMembers>,
): Promise<WriteOutcome> {
  const { context, services } = request
  const mutations = await memberMutations(changes, memberOf, context)
  const work = workContext(context, open, services)
  const values = await beforeUpdate(served, row, columns, work)
  const draft = { served, document, writable: writable.attributes, row: { ...row, ...values }, isNew: false }
  const ends = await endWrites(draft, { changes, open, request })
  const write = {
    served,
    row,
    values,
    clientId: null,
    pointers: pointersInDocument(served.type, { document, writable, changes }),
    changes,
    memberOf,
    mutations,
    ends,
    selfLinkage: [],
    ability: 'updated',
    relationAbilities: [],
    isRowWritten: true,
    sent: { served, document, writable },
  } as const
  const written = await writeResource(write, { open, request, work, rollBack })
  if (written.kind !== 'row' || mutations.length + ends.length > 0 || mayChangeOtherRows(served)) return written
  const known = { served, before: row, values: flags, changes, context }
  return { kind: 'row', rows: withKnownFlags(written.rows, plan.flags(served), known) }
}

/** Whether user-defined code takes part in an update, which may do anything, and gets the row. */
function mayChangeOtherRows(served: ServedType): boolean {
  const { type, persister, shortcuts, listeners } = served
  const hasListeners =
    listeners.has('BeforeSave') || listeners.has('BeforeUpdate') || hasListenersAfter(served, 'update')
  return hasListeners || shortcuts.update?.autocommit === undefined || persister?.isObserved?.(type) === true
}
