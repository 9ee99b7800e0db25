import { comparableOf, isNull } from '../../row-query/stored-value.js'
import type { CompiledId, CompiledType } from '../../resource/compiled-type.js'
import type { ValueKind } from '../../resource/fields/value-kind.js'
import type { RowOrder } from '../../resource/querying/row-order.js'
import type { RowPlace } from '../../resource/querying/row-window.js'
import { referenceColumn } from '../../resource/relations/relation-link.js'

/** An order of rows of these types: several where a relation leads to several. */
export interface TypedOrders {
  readonly orders: readonly RowOrder[]
  readonly types: readonly CompiledType[]
}

/** A place as it may leave the server: keys that ids are made of leave it as ids. */
export function placeOnWire(place: RowPlace, typed: TypedOrders): RowPlace {
  return typed.orders.map((order, level) => {
    const value = place[level]
    const id = idAt(order, typeAt(place, typed))
    return id === null || value === null || value === undefined ? value : id.encode(value)
  })
}

/**
 * A place as stores know it. Tokens are not signed: `null` where a level holds what no row has there, for then this
 * server did not put it there.
 */
export function placeInStore(place: RowPlace, typed: TypedOrders): RowPlace | null {
  const type = typeAt(place, typed)
  const stored = typed.orders.map((order, level) =>
    storedValue(place[level], order, { type, count: typed.types.length }),
  )
  return stored.includes(undefined) ? null : stored
}

interface PlacedRow {
  readonly type: CompiledType | undefined
  /** How many types rows may be of. */
  readonly count: number
}

/** `undefined` for what no row has at this level. */
function storedValue(value: unknown, order: RowOrder, { type, count }: PlacedRow): unknown {
  const id = idAt(order, type)
  switch (order.kind) {
    case 'type':
      return isNumber(value) && Number.isInteger(value) && Number(value) >= 0 && Number(value) < count
        ? value
        : undefined
    case 'key':
      return id === null ? keyOtherThanId(value) : keyOf(value, id)
    case 'column':
      // Where a path leads to no row, there is no id.
      if (value === null) return id === null || order.path.length > 0 ? null : undefined
      if (id !== null) return keyOf(value, id)
      return canHold(order.column.kind, value) ? value : undefined
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

/** By what a value is compared as: stores keep numbers and moments as text too, and text that is all digits as numbers. */
function canHold(kind: ValueKind | null, value: unknown): boolean {
  if (kind === null) return true
  const compared = comparableOf(kind)(value)
  switch (kind.comparedAs) {
    case 'moment':
      return compared instanceof Date
    case 'number':
      return typeof value !== 'boolean' && isNumber(compared)
    case 'boolean':
      return isNumber(compared)
    case 'text':
    case 'json':
      return typeof compared === 'string' || compared instanceof Date
  }
}

function isNumber(value: unknown): boolean {
  return typeof value === 'number' || typeof value === 'bigint'
}

/** The id whose keys a level holds. */
function idAt(order: RowOrder, type: CompiledType | undefined): CompiledId | null {
  const end = order.kind === 'column' && order.path.length > 0 ? order.path.at(-1)?.relation.targets[0] : type
  return end !== undefined && columnAt(order, end) === end.id.column ? end.id : null
}

function columnAt(order: RowOrder, type: CompiledType): string | null {
  if (order.kind === 'key') return referenceColumn(type)
  return order.kind === 'column' && order.column.of === 'row' ? order.column.name : null
}

/** Rows of several types say first which of them they are of. */
function typeAt(place: RowPlace, { orders, types }: TypedOrders): CompiledType | undefined {
  const level = orders.findIndex(({ kind }) => kind === 'type')
  return types[level === -1 ? 0 : Number(place[level])]
}
