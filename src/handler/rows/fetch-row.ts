import { fail } from '../../errors/json-api-error.js'
import type { WantedColumns } from '../../resource/capabilities/provider.js'
import type { ServedType } from '../../resource/capabilities/served-type.js'
import type { RowObject } from '../../resource/fields/field-spec.js'
import type { RowSet } from '../../rows/row-set.js'
import { isRowSet, rowObject } from '../../rows/row-set.js'
import { invariant } from '../../util/invariant.js'
import { scopeConditions } from '../query/scope-conditions.js'
import type { Reading } from '../reading.js'
import { checkedRows } from './checked-rows.js'
import { listOf } from './list-of.js'

type Read = Pick<Reading, 'context' | 'transaction'>

/** The row with an id; 404 when there is none, or none for this caller. */
export async function fetchRow(
  served: ServedType,
  id: string,
  columns: WantedColumns,
  { context, transaction }: Read,
): Promise<RowSet> {
  const { type, provider } = served
  invariant(provider !== null, `'${type.type}' is read, but has no provider`)
  const conditions = scopeConditions(served, context)
  const found = await provider.fetchOne(type, id, { columns, conditions, transaction, context })
  if (found === null || found === undefined) fail('RESOURCE_NOT_FOUND')
  const rows = checkedRows(served, found)
  // Of a plain object it is not known whether the conditions were looked at.
  const those = isRowSet(found) || conditions.length === 0 ? rows : listOf(served, rows, { conditions, context }).rows
  if (those.rows.length === 0) fail('RESOURCE_NOT_FOUND')
  if (those.rows.length > 1) throw new TypeError(`The provider of '${type.type}' answered several rows for one id.`)
  return those
}

/** The same as an object, whole, for an operation that is about to change it. */
export async function fetchObject(served: ServedType, id: string, read: Read): Promise<RowObject> {
  const { columns, rows } = await fetchRow(served, id, null, read)
  return rowObject(columns, rows[0] ?? [])
}
