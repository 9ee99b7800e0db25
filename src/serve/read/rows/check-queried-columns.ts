import type { ServedType } from '../../../declare/resource/capabilities/served-type.js'
import type { RowObject } from '../../../declare/resource/fields/field-spec.js'
import type { RowCondition } from '../../../declare/resource/querying/row-condition.js'
import type { RowOrder } from '../../../declare/resource/querying/row-order.js'
import { keyColumns } from '../../../declare/resource/parts/key-columns.js'
import { referenceColumn } from '../../../declare/resource/compiled/relation-link.js'

/** Row objects of one type, and the query on them. */
interface QueriedObjects {
  readonly served: ServedType
  readonly objects: readonly RowObject[]
  readonly conditions: readonly RowCondition[]
  readonly orders: readonly RowOrder[]
}

/**
 * Throws if the rows lack a column that the query uses. A missing column looks like null in every row: a filter would
 * match no row, and a scope might match every row.
 */
export function checkQueriedColumns({ served, objects, conditions, orders }: QueriedObjects): void {
  const { type, serializer } = served
  const ordering = orders.flatMap((order) => orderColumns(order, served))
  // If a serializer makes the ids, rows need no key column: they keep the order of the provider.
  const idColumns = keyColumns(type.id.column)
  const sortColumns = serializer === null ? ordering : ordering.filter((name) => !idColumns.includes(name))
  checkNamedColumns(served, objects, [...conditions.flatMap(conditionColumns), ...sortColumns])
}

/** Throws if the rows lack one of these columns. */
export function checkNamedColumns(
  { type }: ServedType,
  objects: readonly RowObject[],
  columns: readonly string[],
): void {
  const missing = objects.length === 0 ? undefined : columns.find((name) => !objects.some((object) => name in object))
  if (missing === undefined) return
  throw new TypeError(
    `Rows of '${type.type}' have no column '${missing}', which the query uses: a provider that returns plain rows must return all columns.`,
  )
}

function conditionColumns(condition: RowCondition): readonly string[] {
  switch (condition.kind) {
    case 'compare':
    case 'range':
    case 'in':
    case 'null':
      return condition.column.of === 'row' ? keyColumns(condition.column.name) : []
    case 'all':
    case 'any':
      return condition.conditions.flatMap(conditionColumns)
    case 'search':
      return condition.columns.map(({ column }) => column.name)
    case 'not':
      return conditionColumns(condition.condition)
    case 'related':
    case 'custom':
    case 'scope':
      return []
  }
}

function orderColumns(order: RowOrder, { type }: ServedType): readonly string[] {
  if (order.kind === 'key') return keyColumns(referenceColumn(type))
  if ((order.kind !== 'column' && order.kind !== 'visibleColumn') || order.path.length > 0) return []
  return order.column.of === 'row' ? [order.column.name] : []
}
