import type { RowList } from '../../data/row-query/list-rows.js'
import { listRows, rowLister } from '../../data/row-query/list-rows.js'
import type { Candidate, QueryWorld } from '../../data/row-query/query-world.js'
import type { CollectionCriteria, ListFacts, RelatedCriteria } from '../../resource/capabilities/provider.js'
import type { ServedType } from '../../resource/capabilities/served-type.js'
import type { CompiledType } from '../../resource/compiled-type.js'
import type { RequestContext } from '../../resource/request-context.js'
import type { RowSet } from '../../rows/row-set.js'
import { rowObject, rowSetOf } from '../../rows/row-set.js'

/** The rows of a list, past the border to providers. */
export interface ReadRows extends ListFacts {
  readonly rows: RowSet
}

type Asked = Pick<CollectionCriteria, 'conditions' | 'context'> &
  Partial<Pick<CollectionCriteria, 'orders' | 'window' | 'wantsCount'>>

/** What was asked for of rows that a provider answered without looking at it. */
export function listOf({ type }: ServedType, { columns, rows }: RowSet, asked: Asked): ReadRows {
  const candidates = rows.map((row) => ({ row: rowObject(columns, row), pivot: null, type: 0 }))
  const { conditions, orders = [], window = null, wantsCount = false } = asked
  const criteria = { conditions, conditionsOf: new Map(), types: [type], orders, window, wantsCount }
  const { candidates: kept, ...facts } = listRows(candidates, criteria, worldOfRows(asked.context))
  return {
    ...facts,
    rows: rowSetOf(
      kept.map(({ row }) => row),
      columns,
    ),
  }
}

/** The same for the related rows of one parent after the other. */
export function relatedLister(
  types: readonly CompiledType[],
  { conditions, conditionsOf, orders, window, wantsCount, context }: RelatedCriteria,
): (candidates: readonly Candidate[]) => RowList {
  return rowLister({ types, conditions, conditionsOf, orders, window, wantsCount }, worldOfRows(context))
}

/** The total that a provider counted; where it did not, that of a list which it answered whole. */
export function totalOf(counted: unknown, whole: number | null): number | null {
  return typeof counted === 'number' && Number.isFinite(counted) ? counted : whole
}

/** Rows that are given one by one lead nowhere: filters and sorts through relations take a store. */
function worldOfRows(context: RequestContext): QueryWorld {
  return {
    context,
    related({ owner, name }) {
      throw new TypeError(
        `A query leads through '${owner.type}.${name}', and the rows are a plain list: the provider must answer it itself.`,
      )
    },
  }
}
