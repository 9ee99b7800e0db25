import type { OpenTransactions } from '../../read/read-context.js'
import { meetsConditions, rowsMeeting } from '../../read/rows/rows-meeting.js'
import type { ServedType } from '../../../declare/resource/capabilities/served-type.js'
import type { RowObject } from '../../../declare/resource/fields/field-spec.js'
import type { RowCondition } from '../../../declare/resource/querying/row-condition.js'
import type { RequestContext } from '../../../declare/resource/request/request-context.js'

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
  check: WriteCheck,
): Promise<readonly WrittenRow[]> {
  if (isReadByOtherStore(served)) {
    const isMet = await Promise.all(
      // A row that the other store does not have yet cannot be checked, and is refused.
      rows.map(async ({ row }) => row !== null && (await meetsConditions(served, row, conditions, check.context))),
    )
    return rows.filter((_, index) => isMet[index] === false)
  }
  const isMet = await rowsMeeting(
    served,
    rows.map(({ key }) => key),
    conditions,
    check,
  )
  return rows.filter((_, index) => isMet[index] !== true)
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
export function isReadByOtherStore({ transactions, readsInTransaction }: ServedType): boolean {
  return transactions !== null && !readsInTransaction
}
