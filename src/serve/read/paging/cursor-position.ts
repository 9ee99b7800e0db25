import { canHold, isNull } from '../../../stores/row-query/stored-value.js'
import type { CompiledId, CompiledType } from '../../../declare/resource/compiled/compiled-type.js'
import { isComposite, keyColumns } from '../../../declare/resource/parts/key-columns.js'
import type { RowOrder } from '../../../declare/resource/querying/row-order.js'
import type { RowPosition } from '../../../declare/resource/querying/row-window.js'
import { referenceColumn } from '../../../declare/resource/compiled/relation-link.js'

/** The order of a list and the types of its rows. The members of a relation may have several types. */
export interface TypedOrders {
  readonly orders: readonly RowOrder[]
  readonly types: readonly CompiledType[]
}

/** Converts the position of a row for clients: keys from which ids are made become ids. */
export function positionOnWire(position: RowPosition, typed: TypedOrders): RowPosition {
  const composite = compositeLevels(typed)
  if (composite !== null) return withCompositeId(position, composite)
  return typed.orders.map((order, level) => {
    const value = position[level]
    const id = idAt(order, typeAt(position, typed))
    return id === null || value === null || value === undefined ? value : id.encode(value)
  })
}

/**
 * Converts the position in a cursor token for stores. Returns `null` if a level has a value that no row can have there: the
 * declarations may have changed since the token was made.
 */
export function positionInStore(position: RowPosition, typed: TypedOrders): RowPosition | null {
  const composite = compositeLevels(typed)
  if (composite !== null) return withCompositeKey(position, composite, typed)
  const type = typeAt(position, typed)
  const stored = typed.orders.map((order, level) =>
    storedValue(position[level], order, { type, count: typed.types.length }),
  )
  return stored.includes(undefined) ? null : stored
}

/** The levels that hold the columns of a composite id, in the order of the id. */
interface CompositeLevels {
  readonly id: CompiledId
  readonly levels: readonly number[]
}

/** Returns the levels of a composite id; `null` if the rows have none. */
function compositeLevels({ orders, types }: TypedOrders): CompositeLevels | null {
  const [type, ...others] = types
  if (type === undefined || others.length > 0 || !isComposite(type.id.column)) return null
  const levels = keyColumns(type.id.column).map((name) => orders.findIndex((order) => isOwnColumn(order, name)))
  return levels.includes(-1) ? null : { id: type.id, levels }
}

function isOwnColumn(order: RowOrder, name: string): boolean {
  return order.kind === 'column' && order.path.length === 0 && order.column.of === 'row' && order.column.name === name
}

/** Puts a composite id at the position of its first column. The other columns become null, so that a codec can hide them. */
function withCompositeId(position: RowPosition, { id, levels }: CompositeLevels): RowPosition {
  const key = levels.map((level) => position[level])
  return position.map((value, level) => (level === levels[0] ? id.encode(key) : levels.includes(level) ? null : value))
}

function withCompositeKey(
  position: RowPosition,
  { id, levels: [first = -1, ...rest] }: CompositeLevels,
  { orders }: TypedOrders,
): RowPosition | null {
  const key = keyOf(position[first], id)
  if (!Array.isArray(key) || rest.some((level) => position[level] !== null)) return null
  const stored = orders.map((order, level) => {
    const part = [first, ...rest].indexOf(level)
    return part === -1 ? storedValue(position[level], order, { type: undefined, count: 1 }) : (key[part] as unknown)
  })
  return stored.includes(undefined) ? null : stored
}

interface RowTypes {
  /** The type of the row at the position. */
  readonly type: CompiledType | undefined
  /** The number of types that rows of the list may have. */
  readonly count: number
}

/** Returns `undefined` for a value that no row can have at this level. */
function storedValue(value: unknown, order: RowOrder, { type, count }: RowTypes): unknown {
  const id = idAt(order, type)
  switch (order.kind) {
    case 'type':
      return isNumber(value) && Number.isInteger(value) && Number(value) >= 0 && Number(value) < count
        ? value
        : undefined
    case 'key':
      return id === null ? keyOtherThanId(value) : keyOf(value, id)
    case 'visibleColumn':
      return value === null || canHold(order.column.kind, value) ? value : undefined
    case 'column':
      // A path may end at no row, and then there is no id.
      if (value === null) return id === null || order.path.length > 0 ? null : undefined
      if (id !== null) return keyOf(value, id)
      return canHold(order.column.kind, value) ? value : undefined
    case 'relevance':
      return Number.isSafeInteger(value) ? value : undefined
    case 'custom':
      return undefined
  }
}

function keyOf(value: unknown, id: CompiledId): unknown {
  const key = typeof value === 'string' ? id.decode(value) : null
  return isNull(key) ? undefined : key
}

function keyOtherThanId(value: unknown): unknown {
  return value === null || typeof value === 'boolean' ? undefined : value
}

function isNumber(value: unknown): boolean {
  return typeof value === 'number' || typeof value === 'bigint'
}

/** Returns the id whose keys a level holds; `null` if it holds other values. */
function idAt(order: RowOrder, type: CompiledType | undefined): CompiledId | null {
  const end = order.kind === 'column' && order.path.length > 0 ? order.path.at(-1)?.relation.targets[0] : type
  return end !== undefined && columnAt(order, end) === end.id.column ? end.id : null
}

function columnAt(order: RowOrder, type: CompiledType): string | null {
  if (order.kind === 'key') return referenceColumn(type)
  return order.kind === 'column' && order.column.of === 'row' ? order.column.name : null
}

/** Returns the type of the row at a position. If the rows have several types, one level of the position is the type. */
function typeAt(position: RowPosition, { orders, types }: TypedOrders): CompiledType | undefined {
  const level = orders.findIndex(({ kind }) => kind === 'type')
  return types[level === -1 ? 0 : Number(position[level])]
}
