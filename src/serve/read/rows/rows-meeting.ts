import type { ServedType } from '../../../declare/resource/capabilities/served-type.js'
import type { RowObject } from '../../../declare/resource/fields/field-spec.js'
import { keyColumns, keyReader } from '../../../declare/resource/parts/key-columns.js'
import type { RowCondition } from '../../../declare/resource/querying/row-condition.js'
import type { RequestContext } from '../../../declare/resource/request/request-context.js'
import { keyText } from '../../../stores/row-query/key-text.js'
import { rowSetOf } from '../../../core/rows/row-set.js'
import { readTransaction } from '../read-context.js'
import type { ReadContext } from '../read-context.js'
import { findRow } from './fetch-row.js'
import { withScopes } from './fill-scopes.js'
import { queryRows, readCollection } from './read-collection.js'

/**
 * Returns for each key whether its row meets the conditions, as the store sees it in the transaction. Several rows take one
 * read, unless the provider has no collections.
 */
export async function rowsMeeting(
  served: ServedType,
  keys: readonly unknown[],
  conditions: readonly RowCondition[],
  { context, open }: Pick<ReadContext, 'context' | 'open'>,
): Promise<readonly boolean[]> {
  const { type, provider, serializer } = served
  const criteria = { columns: keyColumns(type.id.column), transaction: readTransaction(served, open), context }
  if (keys.length === 1 || provider?.fetchCollection === undefined || serializer !== null) {
    const found = await Promise.all(
      keys.map((key) => findRow(served, type.id.encode(key), { ...criteria, columns: null, conditions })),
    )
    return found.map((rows) => rows !== null)
  }
  const values = keys.map((key) => type.id.decode(type.id.encode(key)))
  const column = { of: 'row', name: type.id.column, kind: null, isKey: true } as const
  const { rows: found } = await readCollection(served, {
    ...criteria,
    conditions: [{ kind: 'in', column, values, negated: false }, ...conditions],
    orders: [{ kind: 'key', descending: false }],
    window: null,
    wantsCount: false,
  })
  const keyOf = keyReader(found.columns, type.id.column)
  const met = new Set(found.rows.map((row) => keyText(keyOf(row))))
  return keys.map((key) => met.has(keyText(key)))
}

/** Whether a row meets conditions, without reading the row from the store. Related rows are read. */
export async function meetsConditions(
  served: ServedType,
  row: RowObject,
  conditions: readonly RowCondition[],
  context: RequestContext,
): Promise<boolean> {
  const { rows } = await queryRows(served, rowSetOf([row]), {
    conditions: withScopes({ conditions, context }).conditions,
    transaction: null,
    context,
  })
  return rows.rows.length > 0
}
