import { permissionIn } from '../../read/query/permission.js'
import type { OpenTransactions, ReadContext } from '../../read/read-context.js'
import { writeTransaction } from '../../read/read-context.js'
import type { WriteContext } from '../../../declare/resource/capabilities/persister.js'
import type { WorkContext } from '../../../declare/resource/events/stored-rows.js'
import { RowRule } from '../../../declare/resource/policy/rule-kit.js'
import { raisedVersion, withRaisedVersion } from '../../../declare/resource/versions/raised-version.js'
import { rowObject, rowSetOf } from '../../../core/rows/row-set.js'
import { invariant } from '../../../core/util/invariant.js'
import type { DocumentRow } from '../conflicts/document-row.js'
import { writeRow } from '../conflicts/write-row.js'
import type { SentLinkage } from '../document/sent-linkage.js'
import { changedParents, concealedColumns } from '../linkage/guarded-keys.js'
import type { LinkageChange, MemberOf } from '../linkage/linkage-change.js'
import { checkParents, linkedRows, parentRows, parentsOf } from './check-parents.js'
import { checkRules, storedRow } from './check-rules.js'
import { checkDraft, checkForeignRows, checkWritten } from './check-written.js'
import type { DocumentWrite, HiddenMembers } from './hidden-members.js'
import { hiddenByDraft, hiddenByRow } from './hidden-members.js'
import { linkToItself } from './link-to-itself.js'
import type { WriteCheck } from './rows-outside.js'
import type { RollBack } from './in-transaction.js'
import type { EndWrite } from './write-flattened.js'
import { writeEnds } from './write-flattened.js'
import type { MemberMutation } from './write-members.js'
import { withMembers } from './write-members.js'
import type { WriteOutcome } from './write-outcome.js'
import { setColumns, writeOutcome } from './write-outcome.js'

/**
 * What a write stores in a transaction: the row of a resource, which is created or updated, the rows of members, and those of flattened
 * attributes. Listeners have changed the columns already.
 */
export interface ResourceWrite extends DocumentRow {
  readonly changes: readonly LinkageChange[]
  readonly memberOf: MemberOf
  readonly mutations: readonly MemberMutation[]
  readonly ends: readonly EndWrite[]
  /** The linkage in which a new resource names itself. */
  readonly selfLinkage: readonly SentLinkage[]
  /** The ability that the row must have after the write; `null` if it needs none. */
  readonly ability: 'create' | 'updated' | null
  /** The abilities that a new row must have because its document sets relations. */
  readonly relationAbilities: readonly string[]
  /** Whether the row itself is written, even if no column is set. */
  readonly isRowWritten: boolean
  /** What the caller must see in the row, because it has sent it; `null` for linkage only, which is checked before. */
  readonly sent: DocumentWrite | null
}

/** The transactions of a write, and its request. */
export interface Writing {
  readonly open: OpenTransactions
  readonly request: ReadContext
  readonly work: WorkContext
  readonly rollBack: RollBack<HiddenMembers>
}

/**
 * Writes a resource: its row with its foreign keys, then the rows that refer to it. Checks before and after that the caller may change
 * all of these rows, and rolls back if the row would hide from the caller what it has sent.
 */
export async function writeResource(resource: ResourceWrite, writing: Writing): Promise<WriteOutcome> {
  const { served, row, mutations, ends, changes, ability, relationAbilities, sent } = resource
  const { open, request, work, rollBack } = writing
  const { context, services } = request
  const check = { context, open, limit: services.maxErrors }
  const values = withVersion(resource)
  const change = { served, before: row, values, concealed: concealedColumns(changes) }
  const parents = await parentsOf({ change, mutations, ends }, check)
  await checkForeignRows({ mutations, ends, parents }, check)
  const draft = { ...row, ...values }
  const mode = row === null ? 'create' : 'update'
  for (const each of [ability, ...relationAbilities]) await checkDraft(served, draft, { mode, ability: each }, context)
  const hiddenNow = sent === null ? null : await hiddenByDraft(sent, draft, context)
  if (hiddenNow !== null) rollBack(hiddenNow)

  const write = { transaction: writeTransaction(served, open), context: work, relationships: mutations }
  const outcome = await storeRow({ ...resource, values }, write, writing)
  const withRelated = await withMembers(served, outcome, mutations, { open, write })
  const complete = await writeEnds(served, withRelated, ends, { open, write })
  const written = await linkToItself(served, complete, resource.selfLinkage, { open, request })

  const linked = linkedRows(served, changes, resource.memberOf, context)
  const checked = await checkWritten(served, written, { mutations, ends, parents, linked, ability }, check)
  if (checked.kind === 'accepted') return checked
  const result = rowObject(checked.rows.columns, checked.rows.rows[0] ?? [])
  await checkNewRelations(resource, result, check)
  const hidden = sent === null ? null : await hiddenByRow(sent, result, check)
  if (hidden !== null) rollBack(hidden)
  return checked
}

/** Members and flattened attributes are a part of the resource, wherever they are stored: the version changes with them. */
function withVersion({ served, row, values, mutations, ends, changes }: ResourceWrite): ResourceWrite['values'] {
  if (row === null) return values
  const isChangedElsewhere = mutations.length + ends.length > 0 || changes.some(({ isConcealed }) => isConcealed)
  return isChangedElsewhere
    ? { ...values, ...raisedVersion(served.type, row) }
    : withRaisedVersion(served.type, row, values)
}

async function storeRow(
  { ends, isRowWritten, ...documentRow }: ResourceWrite,
  write: WriteContext,
  { request: { services, context } }: Writing,
): Promise<WriteOutcome> {
  const { served, row, values } = documentRow
  const { type, persister } = served
  invariant(persister !== null, `'${type.type}' is written, but has no persister`)
  if (row === null) {
    const stored = await writeRow(documentRow, ends, () => persister.create(type, values, write))
    return writeOutcome(served, stored, { responses: type.responses.create, services, context })
  }
  if (!isRowWritten && Object.keys(values).length === 0) return { kind: 'row', rows: rowSetOf([row]) }
  return writeRow(documentRow, ends, () => setColumns(served, row, values, { write, services }))
}

/** Checks the rules about the relations that the document of a new resource sets, now that its row is known. */
async function checkNewRelations(
  { served, row, values, selfLinkage, relationAbilities }: ResourceWrite,
  result: ReturnType<typeof rowObject>,
  check: WriteCheck,
): Promise<void> {
  if (row !== null) return
  if (selfLinkage.length > 0) {
    const own = changedParents({ served, before: values, values: result, concealed: [] })
    await checkParents(await parentRows(own, check), check)
  }
  // A function of the policy was called before, with the sent values.
  const rules = relationAbilities.filter((ability) => permissionIn(served, ability, check.context) instanceof RowRule)
  for (const ability of rules) await checkRules([storedRow(served, result)], ability, check)
}
