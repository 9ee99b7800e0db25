import type { OpenTransactions } from '../read/read-context.js'
import { readTransaction } from '../read/read-context.js'
import { findRow } from '../read/rows/fetch-row.js'
import type { ColumnValues } from '../../declare/resource/capabilities/persister.js'
import type { ServedType } from '../../declare/resource/capabilities/served-type.js'
import type { RequestContext } from '../../declare/resource/request/request-context.js'
import { raisedVersion } from '../../declare/resource/versions/raised-version.js'
import { rowObject } from '../../core/rows/row-set.js'

interface RowWrite {
  readonly key: unknown
  readonly values: ColumnValues
}

/**
 * Returns the columns of a row that is written besides the resource of the request, together with its next version. The
 * row is read and locked for that, unless nothing has to be raised or the values contain the version.
 */
export async function raisedValues(
  served: ServedType,
  { key, values }: RowWrite,
  { open, context }: { readonly open: OpenTransactions | null; readonly context: RequestContext },
): Promise<ColumnValues> {
  const { type, provider } = served
  const { version } = type
  const isRaised = version?.kind === 'integer' || version?.kind === 'instant'
  if (!isRaised || provider === null || Object.hasOwn(values, version.column)) return values
  const read = { columns: null, conditions: [], transaction: readTransaction(served, open), context, forChange: true }
  const found = await findRow(served, type.id.encode(key), read)
  if (found === null) return values
  return { ...values, ...raisedVersion(type, rowObject(found.columns, found.rows[0] ?? [])) }
}
