import { listRows } from '../../row-query/list-rows.js'
import type { CollectionCriteria, ListFacts, ReadCriteria } from '../../resource/capabilities/provider.js'
import type { ServedType } from '../../resource/capabilities/served-type.js'
import type { RowSet } from '../../rows/row-set.js'
import { rowObject, rowSetOf } from '../../rows/row-set.js'
import { checkQueriedColumns } from './check-queried-columns.js'
import { rowsQueryContext } from './rows-query-context.js'

/** The checked rows of a list. */
export interface RowList extends ListFacts {
  readonly rows: RowSet
}

type RowsQuery = Pick<ReadCriteria, 'conditions' | 'transaction' | 'context'> &
  Partial<Pick<CollectionCriteria, 'orders' | 'window' | 'wantsCount'>>

/** Filters, sorts and paginates the plain rows of a provider. */
export async function queryRows(served: ServedType, { columns, rows }: RowSet, query: RowsQuery): Promise<RowList> {
  const { conditions, orders = [], window = null, wantsCount = false } = query
  const objects = rows.map((row) => rowObject(columns, row))
  const start = { served, objects, conditions, orders }
  checkQueriedColumns(start)
  const queryContext = await rowsQueryContext([start], query)
  const candidates = objects.map((row) => ({ row, pivot: null, type: 0 }))
  const criteria = { types: [served.type], conditions, orders, window, wantsCount }
  const { candidates: listed, ...facts } = listRows(candidates, criteria, queryContext)
  return {
    ...facts,
    rows: rowSetOf(
      listed.map(({ row }) => row),
      columns,
    ),
  }
}
