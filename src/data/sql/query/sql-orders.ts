import type { RawBuilder } from 'kysely'
import { sql } from 'kysely'
import type { RowOrder } from '../../../resource/querying/row-order.js'
import type { QueryColumn } from '../../../resource/querying/row-condition.js'
import { referenceColumn } from '../../../resource/relations/relation-link.js'
import type { EngineName } from '../driver/sql-driver.js'
import { cursorValue } from '../../../row-query/stored-value.js'
import { columnReference } from '../schema/column-reference.js'
import type { SqlColumn } from '../schema/sql-table.js'
import type { ComparedColumn } from './compared-column.js'
import { comparedColumn } from './compared-column.js'
import { farthest } from './operands.js'
import { readCustomSort } from './custom-expressions.js'
import { sqlConditions } from './sql-conditions.js'
import { reachOne } from './read-related-condition.js'
import type { RowsRead, Selected, SqlReading, SqlPart } from './sql-reading.js'
import { aliasOf, queriedColumn } from './sql-reading.js'

/** One level of an order, as statements sort by it. */
export interface OrderLevel {
  readonly descending: boolean
  /** Whether rows may have no value there. */
  readonly nullable: boolean
  /** What is sorted by. */
  readonly expression: SqlPart<unknown>
  /** Whether that is what is held, as it is. */
  readonly isPlain: boolean
  /** What the place of a row is read from. `null` for an order of the author's, which has no places. */
  readonly place: PlaceReading | null
}

export interface PlaceReading {
  readonly compared: ComparedColumn
  /** The value as it is held, with all its digits. */
  readonly held: Selected
  /** From what the driver gives for `held`. */
  readonly decode: (held: unknown) => unknown
}

/** Orders by the place of the type are none here: a statement is about one type. */
export function sqlOrders(orders: readonly RowOrder[], rows: RowsRead, reading: SqlReading): readonly OrderLevel[] {
  return orders.filter(({ kind }) => kind !== 'type').map((order) => readOrder(order, rows, reading))
}

function readOrder(order: RowOrder, rows: RowsRead, reading: SqlReading): OrderLevel {
  const { descending } = order
  reading.shape.addKeyPart(descending ? 'desc' : 'asc')
  switch (order.kind) {
    case 'column':
      return { descending, ...columnLevel(order, rows, reading) }
    case 'key': {
      const column: QueryColumn = { of: 'row', name: referenceColumn(rows.type), kind: null, isKey: true }
      return { descending, ...columnLevel({ ...order, kind: 'column', path: [], column }, rows, reading) }
    }
    case 'custom':
      return {
        descending,
        nullable: true,
        isPlain: false,
        expression: readCustomSort(order, rows, reading),
        place: null,
      }
    case 'type':
      throw new Error('A statement about one type was to be sorted by type.')
  }
}

type Level = Omit<OrderLevel, 'descending'>

function columnLevel(
  { path, column: asked }: Extract<RowOrder, { kind: 'column' }>,
  rows: RowsRead,
  reading: SqlReading,
): Level {
  const [first, ...rest] = path
  if (first === undefined) return ownLevel(asked, rows, reading)
  reading.shape.addKeyPart(`through ${first.relation.name}`)
  const { reach, value } = reachOne(first, { rows, reading, sqlConditions })
  const end = columnLevel({ kind: 'column', path: rest, column: asked, descending: false }, reach, reading)
  return {
    nullable: true,
    isPlain: false,
    expression: value(end.expression),
    place: end.place === null ? null : { ...end.place, held: { name: null, written: value(end.place.held.written) } },
  }
}

function ownLevel(asked: QueryColumn, rows: RowsRead, reading: SqlReading): Level {
  const column = queriedColumn(asked, rows)
  const compared = comparedColumn(column, asked, reading.engine)
  reading.shape.addKeyPart(`${asked.of} ${compared.name} ${column.nullable}`)
  const expression: SqlPart<unknown> = (at) => compared.inOrder(columnReference(column, aliasOf(asked, at)), false)
  const nullable = column.nullable || !compared.isHeld
  const isPlain = compared.inOrder(anyReference, false) === anyReference
  return { nullable, isPlain, expression, place: placeReading(asked, column, { compared, reading }) }
}

const anyReference = sql.id('any')

/** A `Date` holds milliseconds and PostgreSQL microseconds: what would be lost is read as the number that it is. */
function placeReading(
  asked: QueryColumn,
  column: SqlColumn,
  { compared, reading }: { readonly compared: ComparedColumn; readonly reading: SqlReading },
): PlaceReading {
  const name = `${asked.of} ${column.name}`
  const reference: SqlPart<unknown> = (at) => columnReference(column, aliasOf(asked, at))
  if (reading.engine === 'postgres' && (column.type === 'instant' || column.type === 'timestamp')) {
    const held: Selected = { name: `epoch of ${name}`, written: (at) => sql`extract(epoch from ${reference(at)})` }
    return { compared, held, decode: instantPlace }
  }
  // A mapping that nothing leads back from may lose digits; what it is made from is compared.
  const decode = column.mapping === null || column.mapping.fromRow !== undefined ? column.codec.decode : null
  const readPlace = (held: unknown): unknown => cursorValue(held === null || decode === null ? held : decode(held))
  if (compared.isHeld) {
    return { compared, held: { name, written: reference }, decode: column.type === 'date' ? dayPlace : readPlace }
  }
  // Where it cannot be compared it lies where null lies.
  const spelled: SqlPart<unknown> = (at) =>
    sql`case when ${compared.read(reference(at), false)} is not null then ${reference(at)} end`
  return { compared, held: { name: null, written: spelled }, decode: readPlace }
}

/** Seconds since the epoch of a moment that a `Date` holds. */
const wholeMilliseconds = /^(\d{1,12})\.(\d{3})000$/

/** From the seconds of the epoch, with all their digits. */
function instantPlace(held: unknown): unknown {
  const text = typeof held === 'number' ? held.toFixed(6) : held
  if (typeof text !== 'string') return null
  const [, seconds, milliseconds] = wholeMilliseconds.exec(text) ?? []
  if (seconds !== undefined) return new Date(Number(seconds) * 1000 + Number(milliseconds))
  if (endless.has(text)) return endless.get(text)
  const [, sign = '', whole = '', fraction = ''] = /^(-?)(\d+)(?:\.(\d{1,6}))?/.exec(text) ?? []
  const micros = BigInt(`${sign}${whole}${fraction.padEnd(6, '0')}`)
  const rest = ((micros % 1000n) + 1000n) % 1000n
  const moment = new Date(Number((micros - rest) / 1000n))
  return rest === 0n ? moment : moment.toISOString().replace('Z', `${String(rest).padStart(3, '0')}Z`)
}

/** PostgreSQL's instants without an end, and its days. */
const endless: ReadonlyMap<unknown, Date> = new Map([
  ['Infinity', new Date(farthest)],
  ['infinity', new Date(farthest)],
  ['-Infinity', new Date(-farthest)],
  ['-infinity', new Date(-farthest)],
])

function dayPlace(held: unknown): unknown {
  return endless.get(held) ?? cursorValue(held)
}

/** `order by` of the levels, in their directions or in the opposite ones. Null is the largest value. */
export function orderBy(
  levels: readonly SortedBy[],
  { reversed, engine }: { readonly reversed: boolean; readonly engine: EngineName },
): RawBuilder<unknown> {
  return sql.join(
    levels.map(({ expression, nullable, descending }) => {
      const down = descending !== reversed
      // Said only where SQLite would do otherwise: an index serves the order of its engine.
      const nulls = nullable && engine === 'sqlite' ? (down ? sql` nulls first` : sql` nulls last`) : sql``
      return sql`${expression}${down ? sql` desc` : sql` asc`}${nulls}`
    }),
  )
}

/** An expression to sort by. */
export interface SortedBy extends Pick<OrderLevel, 'nullable' | 'descending'> {
  readonly expression: RawBuilder<unknown>
}
