import { fail } from '../../errors/json-api-error.js'
import type { ReadCriteria } from '../../resource/capabilities/provider.js'
import type { ServedType } from '../../resource/capabilities/served-type.js'
import type { RowObject } from '../../resource/fields/field-spec.js'
import type { RowSet } from '../../rows/row-set.js'
import { rowObject } from '../../rows/row-set.js'
import { invariant } from '../../util/invariant.js'
import { checkedRows } from './checked-rows.js'

/** The row with an id; 404 when there is none. */
export async function fetchRow(served: ServedType, id: string, criteria: ReadCriteria): Promise<RowSet> {
  const { type, provider } = served
  invariant(provider !== null, `'${type.type}' is read, but has no provider`)
  const found = await provider.fetchOne(type, id, criteria)
  const rows = found === null || found === undefined ? null : checkedRows(served, found)
  if (rows === null || rows.rows.length === 0) fail('RESOURCE_NOT_FOUND')
  return rows
}

/** The same as an object, whole, for an operation that is about to change it. */
export async function fetchObject(
  served: ServedType,
  id: string,
  criteria: Omit<ReadCriteria, 'columns'>,
): Promise<RowObject> {
  const { columns, rows } = await fetchRow(served, id, { ...criteria, columns: null })
  return rowObject(columns, rows[0] ?? [])
}
