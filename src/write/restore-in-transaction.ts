import { fail } from '../errors/json-api-error.js'
import { fire } from '../hooks/fire-events.js'
import { workContext } from '../hooks/work-context.js'
import { writeTransaction } from '../read/open-transactions.js'
import { checkedRows } from '../read/rows/checked-rows.js'
import { fetchRow } from '../read/rows/fetch-row.js'
import type { RowSet } from '../rows/row-set.js'
import { rowObject } from '../rows/row-set.js'
import { invariant } from '../util/invariant.js'
import { restoreRow } from './persist/delete-row.js'
import { checkRules, storedRow } from './persist/check-rules.js'
import { checkVersion } from './persist/check-version.js'
import { checkScopes } from './persist/check-scope.js'
import { inTransaction } from './persist/in-transaction.js'
import type { RestoreWrite } from './prepare-write.js'

/** Restores a soft-deleted resource in a transaction. A row that is not deleted is returned unchanged, so a request may be repeated. */
export function restoreInTransaction({ served, id, action, ifMatch, request }: RestoreWrite): Promise<RowSet> {
  const { context, services } = request
  const { softDeletes } = served.type
  invariant(softDeletes !== null, `'${served.type.type}' is restored, but has no soft deletes`)
  return inTransaction([served], request, async (open) => {
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
  })
}
