import { listRows } from '../../row-query/list-rows.js'
import type { CollectionCriteria, ListFacts, ReadCriteria } from '../../resource/capabilities/provider.js'
import type { ServedType } from '../../resource/capabilities/served-type.js'
import type { RowSet } from '../../rows/row-set.js'
import { rowObject, rowSetOf } from '../../rows/row-set.js'
import { checkQueriedColumns } from './check-queried-columns.js'
import { rowsQueryContext } from './rows-query-context.js'

/** The rows of a list, past the border to providers. */
export interface RowList extends ListFacts {
  readonly rows: RowSet
}

type Asked = Pick<ReadCriteria, 'conditions' | 'transaction' | 'context'> &
  Partial<Pick<CollectionCriteria, 'orders' | 'window' | 'wantsCount'>>

/** What was asked for of rows that a provider answered without looking at it. */
export async function queryRows(served: ServedType, { columns, rows }: RowSet, asked: Asked): Promise<RowList> {
  const { conditions, orders = [], window = null, wantsCount = false } = asked
  const objects = rows.map((row) => rowObject(columns, row))
  const start = { served, objects, conditions, orders }
  checkQueriedColumns(start)
  const world = await rowsQueryContext([start], asked)
  const candidates = objects.map((row) => ({ row, pivot: null, type: 0 }))
  const criteria = { types: [served.type], conditions, orders, window, wantsCount }
  const { candidates: kept, ...facts } = listRows(candidates, criteria, world)
  return {
    ...facts,
    rows: rowSetOf(
      kept.map(({ row }) => row),
      columns,
    ),
  }
}
