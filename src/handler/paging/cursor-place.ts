import type { CompiledId, CompiledType } from '../../resource/compiled-type.js'
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
  return place.map((value, level) => {
    const id = codedIdAt(level, place, typed)
    return id === null || value === null || value === undefined ? value : id.encode(value)
  })
}

/** A place as stores know it; `null` where an id in it has no key. */
export function placeInStore(place: RowPlace, typed: TypedOrders): RowPlace | null {
  const stored = place.map((value, level) => {
    const id = codedIdAt(level, place, typed)
    if (id === null || value === null) return value
    return typeof value === 'string' ? (id.decode(value) ?? undefined) : undefined
  })
  return stored.includes(undefined) ? null : stored
}

/** The id whose keys a level holds, where its wire form is another. */
function codedIdAt(level: number, place: RowPlace, { orders, types }: TypedOrders): CompiledId | null {
  const type = typeAt(place, { orders, types })
  const order = orders[level]
  if (type === undefined || order === undefined || type.id.spec.codec === null) return null
  return columnOf(order, type) === type.id.column ? type.id : null
}

function columnOf(order: RowOrder, type: CompiledType): string | null {
  if (order.kind === 'key') return referenceColumn(type)
  const own = order.kind === 'column' && order.path.length === 0 && order.column.of === 'row'
  return own ? order.column.name : null
}

/** Rows of several types say first which of them they are of. */
function typeAt(place: RowPlace, { orders, types }: TypedOrders): CompiledType | undefined {
  const level = orders.findIndex(({ kind }) => kind === 'type')
  return types[level === -1 ? 0 : Number(place[level])]
}
