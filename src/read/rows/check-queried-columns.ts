import type { ServedType } from '../../resource/capabilities/served-type.js'
import type { RowObject } from '../../resource/fields/field-spec.js'
import type { RowCondition } from '../../resource/querying/row-condition.js'
import type { RowOrder } from '../../resource/querying/row-order.js'
import { referenceColumn } from '../../resource/relations/relation-link.js'

interface Asked {
  readonly served: ServedType
  readonly objects: readonly RowObject[]
  readonly conditions: readonly RowCondition[]
  readonly orders: readonly RowOrder[]
}

/** A column that is not there looks like one that is null everywhere: a filter would find nothing, and a scope all. */
export function checkQueriedColumns({ served, objects, conditions, orders }: Asked): void {
  const { type, serializer } = served
  const ordering = orders.flatMap((order) => orderedBy(order, served))
  // Rows whose ids only a serializer knows need no key: they stay as they came.
  const ordered = serializer === null ? ordering : ordering.filter((name) => name !== type.id.column)
  checkNamedColumns(served, objects, [...conditions.flatMap(lookedAt), ...ordered])
}

/** The same for columns that something else looks at. */
export function checkNamedColumns(
  { type }: ServedType,
  objects: readonly RowObject[],
  columns: readonly string[],
): void {
  const missing = objects.length === 0 ? undefined : columns.find((name) => !objects.some((object) => name in object))
  if (missing === undefined) return
  throw new TypeError(
    `Rows of '${type.type}' came without the column '${missing}', which the query looks at: a plain list has all columns.`,
  )
}

function lookedAt(condition: RowCondition): readonly string[] {
  switch (condition.kind) {
    case 'compare':
    case 'range':
    case 'in':
    case 'null':
      return condition.column.of === 'row' ? [condition.column.name] : []
    case 'all':
    case 'any':
      return condition.conditions.flatMap(lookedAt)
    case 'related':
    case 'custom':
    case 'scope':
      return []
  }
}

function orderedBy(order: RowOrder, { type }: ServedType): readonly string[] {
  if (order.kind === 'key') return [referenceColumn(type)]
  const own = order.kind === 'column' && order.path.length === 0 && order.column.of === 'row'
  return own ? [order.column.name] : []
}
