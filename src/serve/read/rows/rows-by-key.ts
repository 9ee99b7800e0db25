import type { ServedType } from '../../../declare/resource/capabilities/served-type.js'
import type { RowObject } from '../../../declare/resource/fields/field-spec.js'
import type { QueryColumn } from '../../../declare/resource/querying/row-condition.js'
import { rowObject } from '../../../core/rows/row-set.js'
import { readTransaction } from '../read-context.js'
import type { ReadContext } from '../read-context.js'
import { findRow } from './fetch-row.js'
import { readCollection } from './read-collection.js'

/**
 * Returns the rows with these keys, with all columns, whether the client can see them or not. Takes one read, unless the
 * provider has no collections.
 *
 * @param column the name of the key: that of the id, or another one that relations refer to
 */
export async function rowsByKey(
  served: ServedType,
  column: string,
  keys: readonly unknown[],
  { context, open }: Pick<ReadContext, 'context' | 'open'>,
): Promise<readonly RowObject[]> {
  const { type, provider } = served
  if (keys.length === 0 || provider === null) return []
  const whole = { columns: null, transaction: readTransaction(served, open), context }
  if (provider.fetchCollection === undefined) {
    const found = await Promise.all(
      keys.map((key) => findRow(served, type.id.encode(key), { ...whole, conditions: [] })),
    )
    return found.flatMap((each) => each?.rows.map((row) => rowObject(each.columns, row)) ?? [])
  }
  const keyColumn: QueryColumn = { of: 'row', name: column, kind: null, isKey: true }
  const { rows } = await readCollection(served, {
    ...whole,
    conditions: [{ kind: 'in', column: keyColumn, values: keys, negated: false }],
    orders: [{ kind: 'key', descending: false }],
    window: null,
    wantsCount: false,
  })
  return rows.rows.map((row) => rowObject(rows.columns, row))
}
