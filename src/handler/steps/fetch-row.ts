import { fail } from '../../errors/json-api-error.js'
import type { ServedType } from '../../resource/capabilities/served-type.js'
import type { ReadCriteria } from '../../resource/capabilities/provider.js'
import type { RowSet } from '../../rows/row-set.js'
import { rowSetOf } from '../../rows/row-set.js'
import { invariant } from '../../util/invariant.js'

/** The row with an id; 404 when there is none. */
export async function fetchRow({ type, provider }: ServedType, id: string, criteria: ReadCriteria): Promise<RowSet> {
  invariant(provider !== null, `'${type.type}' is read, but has no provider`)
  const found = await provider.fetchOne(type, id, criteria)
  const rows = found === null ? null : asRowSet(found)
  if (rows === null || rows.rows.length === 0) fail('RESOURCE_NOT_FOUND')
  return rows
}

/** A provider may answer plain objects; past this border there are only row sets. */
export function asRowSet(found: RowSet | object | readonly object[]): RowSet {
  if (Array.isArray(found)) return rowSetOf(found as readonly object[])
  return isRowSet(found) ? found : rowSetOf([found])
}

function isRowSet(found: object): found is RowSet {
  return 'columns' in found && 'rows' in found && Array.isArray(found.columns) && Array.isArray(found.rows)
}
