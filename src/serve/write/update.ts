import type { Problem } from '../../core/errors/json-api-error.js'
import { beforeUpdate } from '../hooks/fire-events.js'
import { workContext } from '../hooks/work-context.js'
import { objectOf } from '../read/graph/graph-node.js'
import type { OpenTransactions } from '../read/read-context.js'
import { readTransaction } from '../read/read-context.js'
import { withGuardFlags } from '../read/rows/held-abilities.js'
import type { ColumnValues } from '../../declare/resource/capabilities/persister.js'
import type { ServedType } from '../../declare/resource/capabilities/served-type.js'
import type { CompiledAttribute } from '../../declare/resource/compiled/compiled-type.js'
import type { RowObject } from '../../declare/resource/fields/field-spec.js'
import { collectUpTo, isPromise, joinInOrder } from '../../core/util/awaitable.js'
import type { Awaitable } from '../../core/util/types.js'
import { attributeProblems } from '../validation/attribute-problems.js'
import { nothingStored } from '../validation/validation.js'
import { leaveToSteps, shortcutCall, unreadMembers, updateUnread } from './by-statement.js'
import { checkDocument } from './check-document.js'
import { withoutKeyColumns } from './columns/fixed-key.js'
import { setAll } from './columns/hydrate.js'
import type { SentColumns } from './linkage/owner-columns.js'
import { plainSentColumns, sentColumns } from './linkage/owner-columns.js'
import { storedAttributes } from './columns/stored-attributes.js'
import { pointersInDocument } from './conflicts/document-row.js'
import { unknownMemberProblems } from './document/check-members.js'
import type { ResourceDocument } from './document/resource-document.js'
import { checkTypes } from './document/sent-linkage.js'
import type { WritableMembers } from './document/writable-members.js'
import { guardsOfMembers, writableInRow } from './document/writable-members.js'
import type { WriteKind, WriteSteps } from './write-kind.js'
import { flattenedState } from './flattened/flattened-state.js'
import { checkAgreement } from './linkage/check-agreement.js'
import { checkFixedMembers } from './linkage/check-fixed-members.js'
import { checkGates } from './linkage/check-gates.js'
import { linkageChanges } from './linkage/current-members.js'
import type { LinkageChange, MemberOf } from './linkage/linkage-change.js'
import { linkageChange } from './linkage/linkage-change.js'
import { linkageProblems } from './linkage/linkage-problems.js'
import { resolveMembers } from './linkage/resolve-members.js'
import type { FlagValues, LockedRow } from './locked-row.js'
import { lockedRow } from './locked-row.js'
import { checkRelationRules, checkRules, storedRow } from './persist/check-rules.js'
import { checkVersion } from './persist/check-version.js'
import { withKnownFlags } from './persist/flags-after-write.js'
import { writtenTypes } from './persist/in-transaction.js'
import { endWrites } from './persist/write-flattened.js'
import { memberMutations } from './persist/write-members.js'
import type { WriteOutcome } from './persist/write-outcome.js'
import { writeResource } from './persist/write-resource.js'
import type { UpdateWrite } from './prepare-write.js'
import { withMembers } from './prepare-write.js'
import { respond } from './respond.js'
import type { WriteStrategies } from './write-strategy.js'
import { writeStrategies } from './write-strategy.js'

/** PATCH `/{type}/{id}` */
export const updateKind: WriteKind<UpdateWrite, WriteOutcome> = Object.freeze<WriteKind<UpdateWrite, WriteOutcome>>({
  byStatement,
  types: ({ served, document }) => writtenTypes(served, document),
  inSteps: async (write, steps) => updateLocked(write, await lockedRow(write, steps.open), steps),
  withMembers: (write, { writable }) => withMembers(write, writable),
  respond,
})

/** Updates a resource whose row is locked. */
export async function updateLocked(write: UpdateWrite, locked: LockedRow, steps: WriteSteps): Promise<WriteOutcome> {
  return persist(write, await validate(write, locked, steps.open), steps)
}

/** Updates a resource without reading it before. */
async function byStatement(update: UpdateWrite): Promise<WriteOutcome | null> {
  const { served, document, linkages, ifMatch, plan, request } = update
  const { context, services, open } = request
  const strategies = writeStrategies(served)
  const call = shortcutCall(served, strategies.update.reason, served.shortcuts.update, open)
  const attributes = call === null || services.validateStored ? null : sentAttributes(update, strategies)
  if (call === null || attributes === null) return null
  const changes = linkages.map((linkage) => linkageChange(linkage, 'replace', [], context))
  const found = unreadMembers(served, changes, call, context)
  if (found === null) return null
  let columns: SentColumns | null
  try {
    columns = await updatedColumns(update, { changes, memberOf: found.memberOf })
  } catch (thrown) {
    return leaveToSteps(thrown)
  }
  if (columns === null) return null
  const { references } = found
  const values = setAll(columns.own, columns.linked)
  return updateUnread({ served, id: document.id ?? '', ifMatch, attributes, references, values, plan, request }, call)
}

/** Returns the attributes that were sent, `null` if one of them cannot be set without the stored row. */
function sentAttributes(
  { document, writable }: UpdateWrite,
  { updatable }: WriteStrategies,
): readonly CompiledAttribute[] | null {
  const sent = writable.attributes.filter(({ name }) => Object.hasOwn(document.attributes, name))
  return sent.every((attribute) => updatable.has(attribute)) ? sent : null
}

/** Checks an update that does not depend on the stored row. Returns the columns to set; `null` if anything is wrong with it. */
function updatedColumns(
  { served, document, writable, request: { context, services } }: UpdateWrite,
  { changes, memberOf }: { readonly changes: readonly LinkageChange[]; readonly memberOf: MemberOf },
): Awaitable<SentColumns | null> {
  const { schemas, unknownMembers, maxErrors } = services
  const limit = 1
  if (unknownMembers === 'reject' && unknownMemberProblems(served, document, writable, limit).length > 0) return null
  const [mode, stored, row, validateStored, { attributes }] = ['update', nothingStored, null, false, writable] as const
  // Member by member: a spread before other members takes several times as long.
  const validation = {
    mode,
    context,
    schemas,
    limit,
    unknownMembers,
    validateStored,
    stored,
    row,
    writable: attributes,
  }
  const finding =
    changes.length === 0
      ? attributeProblems(document.attributes, validation)
      : joinInOrder(
          () => attributeProblems(document.attributes, validation),
          () => collectUpTo(changes, limit, (change) => linkageProblems(change, validation)),
        )
  return isPromise(finding) ? finding.then(columns) : columns(finding)

  function columns(problems: readonly Problem[]): Awaitable<SentColumns | null> {
    if (problems.length > 0) return null
    if (changes.length > 1) checkAgreement(changes, { memberOf, row: null })
    const hydration = { context, writable: attributes, row, stored, limit: maxErrors }
    const sent = { changes, memberOf }
    return plainSentColumns(served, document, hydration, sent) ?? sentColumns(served, document, hydration, sent)
  }
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

/** Checks the request against the locked row: 403, 409, 422. Nothing is written before all is checked. */
async function validate(write: UpdateWrite, { node, flags }: LockedRow, open: OpenTransactions): Promise<ValidUpdate> {
  const { served, document: sent, request } = write
  const { context, services } = request
  const { maxErrors: limit } = services
  const inside = { ...request, open }
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
  await checkDocument(served, document, { ...check, transaction: readTransaction(served, open) }, services, null)
  const memberOf = await resolveMembers(changes, { context, open, limit })
  checkAgreement(changes, { memberOf, row })
  checkFixedMembers(changes, { memberOf, row }, limit)
  const hydration = { context, writable: writable.attributes, row, stored, limit }
  const { own, linked } = await sentColumns(served, document, hydration, { changes, memberOf })
  const { pointerTo } = pointersInDocument(served.type, { document, writable, changes })
  const columns = withoutKeyColumns(served.type, { row, columns: setAll(own, linked) }, pointerTo)
  return { row, flags, document, writable, changes, memberOf, columns }
}

/** Fires the events before the update, and writes the resource. */
async function persist(
  { served, plan, request }: UpdateWrite,
  { row, flags, document, writable, changes, memberOf, columns }: ValidUpdate,
  { open, rollBack }: WriteSteps,
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
    listeners.has('BeforeSave') || listeners.has('BeforeUpdate') || served.listeners.hasAfter('update')
  return hasListeners || shortcuts.update?.autocommit === undefined || persister?.isObserved?.(type) === true
}
