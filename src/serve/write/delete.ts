import { fail } from '../../core/errors/json-api-error.js'
import { fire } from '../hooks/fire-events.js'
import { workContext } from '../hooks/work-context.js'
import { writeTransaction } from '../read/read-context.js'
import { checkedRows } from '../read/rows/checked-rows.js'
import { fetchObject, fetchRow } from '../read/rows/fetch-row.js'
import type { RowObject } from '../../declare/resource/fields/field-spec.js'
import type { RowSet } from '../../core/rows/row-set.js'
import { rowObject } from '../../core/rows/row-set.js'
import { invariant } from '../../core/util/invariant.js'
import { rowConditions, shortcutCall } from './by-statement.js'
import type { WriteKind, WriteSteps } from './write-kind.js'
import { checkRules, storedRow } from './persist/check-rules.js'
import { checkScopes } from './persist/check-scope.js'
import { checkVersion } from './persist/check-version.js'
import { deleteRow, deleteRowPermanently, restoreRow, softDeletedNow } from './persist/delete-row.js'
import type { DeleteWrite, RestoreWrite } from './prepare-write.js'
import { respondToDelete, respondToRestore } from './respond.js'
import { writeStrategies } from './write-strategy.js'

/** DELETE `/{type}/{id}`, and POST `/{type}/{id}/-actions/force-delete` */
export const deleteKind: WriteKind<DeleteWrite, RowObject> = Object.freeze<WriteKind<DeleteWrite, RowObject>>({
  byStatement,
  types: ({ served }) => [served],
  inSteps: deleteInSteps,
  respond: respondToDelete,
})

/** POST `/{type}/{id}/-actions/restore` */
export const restoreKind: WriteKind<RestoreWrite, RowSet> = Object.freeze<WriteKind<RestoreWrite, RowSet>>({
  byStatement: () => null,
  types: ({ served }) => [served],
  inSteps: restoreInSteps,
  respond: respondToRestore,
})

/** Deletes a resource, softly if its type has soft deletes. Returns its row. */
async function byStatement({ served, id, ifMatch, isPermanent, request }: DeleteWrite): Promise<RowObject | null> {
  const { type, shortcuts } = served
  const { context, open } = request
  if (isPermanent) return null
  const { delete: strategy, raises } = writeStrategies(served)
  const call = shortcutCall(
    served,
    strategy.reason,
    type.softDeletes === null ? shortcuts.delete : shortcuts.update,
    open,
  )
  const key = type.id.decode(id)
  if (call === null || key === null) return null
  const conditions = rowConditions(served, { ability: 'delete', ifMatch }, call, context)
  if (conditions === null) return null
  const { transaction } = call
  const write = { context, transaction, references: [], conditions, clientColumns: [], flags: [], raises }
  const stored =
    type.softDeletes === null
      ? await shortcuts.delete?.autocommit?.(type, key, write)
      : await shortcuts.update?.autocommit?.(type, key, softDeletedNow(type.softDeletes), write)
  if (stored === null || stored === undefined) return null
  const { columns, rows } = checkedRows(served, stored)
  return rowObject(columns, rows[0] ?? [])
}

async function deleteInSteps(deletion: DeleteWrite, { open }: WriteSteps): Promise<RowObject> {
  const { served, id, isPermanent, action, ifMatch, request } = deletion
  const { context, services } = request
  const trash = isPermanent ? 'shown' : 'hidden'
  const row = await fetchObject(served, id, { open, context, forChange: true, trash })
  const ability = isPermanent ? (served.type.softDeletes?.abilities.forceDelete ?? 'forceDelete') : 'delete'
  const check = { context, open, limit: services.maxErrors }
  if (ability !== false) await checkRules([storedRow(served, row)], ability, check)
  checkVersion(served, row, ifMatch)
  const write = { transaction: writeTransaction(served, open), context: workContext(context, open, services) }
  if (action !== null) await fire(served, 'BeforeAction', { action, row }, () => write.context)
  await fire(served, 'BeforeDelete', { row }, () => write.context)
  const isDeleted = await (isPermanent ? deleteRowPermanently : deleteRow)(served, row, write)
  if (!isDeleted) fail('RESOURCE_NOT_FOUND')
  return row
}

/** A row that is not deleted is returned unchanged, so a request may be repeated. */
async function restoreInSteps(
  { served, id, action, ifMatch, request }: RestoreWrite,
  { open }: WriteSteps,
): Promise<RowSet> {
  const { context, services } = request
  const { softDeletes } = served.type
  invariant(softDeletes !== null, `'${served.type.type}' is restored, but has no soft deletes`)
  const found = await fetchRow(served, id, null, { open, context, forChange: true, trash: 'shown' })
  const row = rowObject(found.columns, found.rows[0] ?? [])
  const check = { context, open, limit: services.maxErrors }
  const { restore: ability } = softDeletes.abilities
  if (ability !== false) await checkRules([storedRow(served, row)], ability, check)
  checkVersion(served, row, ifMatch)
  const write = { transaction: writeTransaction(served, open), context: workContext(context, open, services) }
  await fire(served, 'BeforeAction', { action, row }, () => write.context)
  const deletedAt = row[softDeletes.column]
  if (deletedAt === null || deletedAt === undefined) return found
  const restored = await restoreRow(served, row, softDeletes, write)
  if (restored === null) fail('RESOURCE_NOT_FOUND')
  const rows = checkedRows(served, restored)
  const written = { served, key: row[served.type.id.column], row: rowObject(rows.columns, rows.rows[0] ?? []) }
  await checkScopes([{ ...written, pointer: null }], check)
  return rows
}
