import type { OpenTransactions } from '../../read/open-transactions.js'
import { readTransaction } from '../../read/open-transactions.js'
import { findRow } from '../../read/rows/fetch-row.js'
import { withScopes } from '../../read/rows/fill-scopes.js'
import { queryRows, readCollection } from '../../read/rows/read-collection.js'
import type { ServedType } from '../../resource/capabilities/served-type.js'
import type { RowObject } from '../../resource/fields/field-spec.js'
import { keyColumns, keyReader } from '../../resource/key-columns.js'
import type { RowCondition } from '../../resource/querying/row-condition.js'
import type { RequestContext } from '../../resource/request-context.js'
import { keyText } from '../../row-query/key-text.js'
import { rowSetOf } from '../../rows/row-set.js'

/** A row that a write has changed. */
export interface WrittenRow {
  readonly served: ServedType
  /** The key that the id of the resource encodes. */
  readonly key: unknown
  /** The row as stored; `null` if it is not known. */
  readonly row: RowObject | null
  /** The JSON pointer to the part of the body that changed the row; `null` if there is no body. */
  readonly pointer: string | null
}

/** The write that rows are checked for. */
export interface WriteCheck {
  readonly context: RequestContext
  readonly open: OpenTransactions | null
  /** The maximum number of problems to report. */
  readonly limit: number
}

/** Returns the rows that do not meet the conditions, as the store sees them in the transaction. */
export async function rowsOutside(
  served: ServedType,
  rows: readonly WrittenRow[],
  conditions: readonly RowCondition[],
  { context, open }: WriteCheck,
): Promise<readonly WrittenRow[]> {
  const { type, provider, serializer } = served
  if (isReadElsewhere(served)) {
    const isMet = await Promise.all(
      rows.map(async ({ row }) => row === null || meetsConditions(served, row, conditions, context)),
    )
    return rows.filter((_, index) => isMet[index] === false)
  }
  const criteria = { columns: keyColumns(type.id.column), transaction: readTransaction(served, open), context }
  if (rows.length === 1 || provider?.fetchCollection === undefined || serializer !== null) {
    const found = await Promise.all(
      rows.map(({ key }) => findRow(served, type.id.encode(key), { ...criteria, columns: null, conditions })),
    )
    return rows.filter((_, index) => found[index] === null)
  }
  const values = rows.map(({ key }) => type.id.decode(type.id.encode(key)))
  const column = { of: 'row', name: type.id.column, kind: null, isKey: true } as const
  const { rows: found } = await readCollection(served, {
    ...criteria,
    conditions: [{ kind: 'in', column, values, negated: false }, ...conditions],
    orders: [{ kind: 'key', descending: false }],
    window: null,
    wantsCount: false,
  })
  const keyOf = keyReader(found.columns, type.id.column)
  const inScope = new Set(found.rows.map((row) => keyText(keyOf(row))))
  return rows.filter(({ key }) => !inScope.has(keyText(key)))
}

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

export function byType(rows: readonly WrittenRow[]): ReadonlyMap<ServedType, readonly WrittenRow[]> {
  const grouped = new Map<ServedType, WrittenRow[]>()
  for (const each of rows) {
    const others = grouped.get(each.served)
    if (others === undefined) grouped.set(each.served, [each])
    else others.push(each)
  }
  return grouped
}

/** Whether another store reads the rows, and does not see them before the commit. */
export function isReadElsewhere({ transactions, readsInTransaction }: ServedType): boolean {
  return transactions !== null && !readsInTransaction
}
