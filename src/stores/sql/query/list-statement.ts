import type { RawBuilder } from 'kysely'
import { sql } from 'kysely'
import type { QueryColumn } from '../../../declare/resource/querying/row-condition.js'
import type { RowPosition, RowWindow } from '../../../declare/resource/querying/row-window.js'
import type { Row } from '../../../core/rows/row-set.js'
import { invariant } from '../../../core/util/invariant.js'
import type { RowLock } from '../dialect/spelling.js'
import type { SqlColumn } from '../schema/sql-table.js'
import { selectedReference } from '../schema/sql-table.js'
import type { OrderLevel } from './sql-orders.js'
import { orderBy, partsBeyond } from './sql-orders.js'
import type { Aliases, Selected, SqlPart, StatementBuild } from './statement-build.js'
import { allOf, always, anyOf, freshAliases, where } from './statement-build.js'

/** The rows that a statement lists, before they are cut to a window. */
export interface ListedRows {
  readonly from: (at: Aliases) => RawBuilder<unknown>
  readonly condition: SqlPart
  readonly levels: readonly OrderLevel[]
  /** The columns to read. */
  readonly selected: readonly Selected[]
  /** Whether they are joined with the rows of a join table. */
  readonly isJoined: boolean
  /** The row lock until the transaction ends: against changes, or only against deletion; `null` for none. */
  readonly lock: RowLock | null
  /**
   * The number of rows of all lists together after which the statement stops, whatever their order; `null` for no limit. It
   * is the last value of the statement.
   */
  readonly maxRows?: number | null
  /** The expression that identifies the owner, if rows are listed for several owners in one statement. */
  readonly partition: SqlPart<unknown> | null
}

/** The statement of a list, and how to interpret its rows. */
export interface ListStatement {
  /** Whether the statement returns the rows in the opposite order. */
  readonly reversed: boolean
  /** The maximum number of rows of one list. The statement reads one more, to find out whether more rows follow. */
  readonly limit: number | null
  /** The index of each selected column in the rows that the statement returns. */
  readonly positions: readonly number[]
  /** Returns the position of a row in the order; `null` if the window needs no positions. */
  readonly positionOf: ((row: Row) => RowPosition) | null
  readonly write: () => RawBuilder<unknown>
}

/** The largest offset that database engines accept. No table has so many rows. */
const maxOffset = Number.MAX_SAFE_INTEGER

/**
 * Prepares the statement for a window of rows. The database filters, sorts and cuts them, to one row more than the
 * limit.
 */
export function readList(rows: ListedRows, window: RowWindow | null, build: StatementBuild): ListStatement {
  const { shape } = build
  const { levels, selected } = rows
  const isCursor = window?.kind === 'cursor'
  const { maxRows = null } = rows
  shape.addKeyPart(`${window?.kind ?? 'all'} ${maxRows === null ? '' : 'limited'} ${rows.lock}`)
  const reversed = isCursor && window.before !== null && window.after === null
  const stored = isCursor ? levels.map(storedAt) : []
  const { distinct, positions } = withoutDuplicates([...selected, ...stored])
  const parts = isCursor ? cursorParts(levels, window, build) : [always]
  const limit = window === null ? null : window.limit
  const cut =
    window === null
      ? null
      : {
          limit: shape.bind(Math.min(window.limit + 1, maxOffset)),
          offset: window.kind === 'offset' ? shape.bind(Math.min(window.offset, maxOffset)) : null,
          end: shape.bind(Math.min((window.kind === 'offset' ? window.offset : 0) + window.limit + 1, maxOffset)),
        }
  const most = maxRows === null ? null : { limit: shape.bind(maxRows), offset: null }
  return {
    reversed,
    limit,
    positions: positions.slice(0, selected.length),
    positionOf: isCursor ? positionReader(levels, positions.slice(selected.length)) : null,
    write: () => {
      const list = { ...rows, selected: distinct, reversed, build }
      if (cut === null && most !== null && rows.lock === null) return limitedList(list, most)
      const lock = rows.lock === null ? sql`` : build.dialect.spell.lock(rows.lock)
      if (cut === null) return sql`${plainList(list, parts, most)}${lock}`
      if (rows.partition === null) return plainList(list, parts, { ...cut, ...most, offset: cut.offset })
      return sql`${partitioned(list, rows.partition, { parts, ...cut })}${cutting(most)}`
    },
  }
}

function storedAt({ position }: OrderLevel): Selected {
  invariant(position !== null, 'an order with a custom sort has no positions')
  return position.stored
}

function positionReader(levels: readonly OrderLevel[], positions: readonly number[]): (row: Row) => RowPosition {
  // The reader holds only the decoders: the levels refer to the request, and a cached list must not keep it in memory.
  const decoders = levels.map(({ position }) => position?.decode ?? null)
  return (row) => decoders.map((decode, level) => decode?.(row[positions[level] ?? -1]) ?? null)
}

/** Removes columns with the same name. Returns the index of each column among the remaining ones. */
function withoutDuplicates(selected: readonly Selected[]): {
  readonly distinct: readonly Selected[]
  readonly positions: readonly number[]
} {
  const [distinct, known] = [[] as Selected[], new Map<string, number>()]
  const positions = selected.map((each) => {
    const found = each.name === null ? undefined : known.get(each.name)
    const position = found ?? distinct.push(each) - 1
    if (each.name !== null) known.set(each.name, position)
    return position
  })
  return { distinct, positions }
}

function cursorParts(
  levels: readonly OrderLevel[],
  { after, before }: Extract<RowWindow, { kind: 'cursor' }>,
  build: StatementBuild,
): readonly SqlPart[] {
  if (after === null && before === null) return [always]
  if (after === null) return before === null ? [] : partsBeyond(levels, { position: before, side: 'before' }, build)
  const parts = partsBeyond(levels, { position: after, side: 'after' }, build)
  if (before === null) return parts
  const upTo = anyOf(partsBeyond(levels, { position: before, side: 'before' }, build))
  return parts.map((part) => allOf([part, upTo]))
}

interface List extends ListedRows {
  readonly reversed: boolean
  readonly build: StatementBuild
}

interface Cut {
  readonly limit: unknown
  readonly offset: unknown
}

/** Each part is sorted and cut before the parts are combined, so that no part reads more rows than needed. */
function plainList(list: List, parts: readonly SqlPart[], cut: Cut | null): RawBuilder<unknown> {
  const fresh = freshAliases()
  const [only = anyOf([]), ...others] = parts
  if (others.length === 0) {
    const at = aliasesFor(list, fresh)
    const sorted = orderBy(list, ({ expression }) => expression(at))
    const selection = list.selected.length === 0 ? [sql`1`] : list.selected.map(({ expression }) => expression(at))
    return sql`${selectRows(list, selection, { part: only, at })}${sorted}${cutting(cut)}`
  }
  if (list.build.dialect.can.mergeSortedParts) {
    // The database merges the parts, each read in its order, and stops at the limit: nothing is sorted if an index has the order.
    const rows = parts.map((part) => unsorted(list, { part, at: aliasesFor(list, fresh) }))
    const sorted = orderBy(list, (level, index) => sql.id(sortColumn(list, level, index)))
    return sql`${sql.join(rows, sql` union all `)}${sorted}${cutting(cut)}`
  }
  const rows = parts.map((part) => {
    const at = aliasesFor(list, fresh)
    const sorted = orderBy(list, ({ expression }) => expression(at))
    return sql`select * from (${unsorted(list, { part, at })}${sorted}${cutting(cut)}) as ${sql.id(fresh())}`
  })
  return sql`${sortedList(list, sql.join(rows, sql` union all `), fresh())}${cutting(cut)}`
}

/**
 * Cuts the list before it is sorted: if there are more rows than permitted, the request fails, and their order does not
 * matter. A cut after the sort would read all rows first.
 */
function limitedList(list: List, cut: Cut): RawBuilder<unknown> {
  const fresh = freshAliases()
  const rows = sql`${unsorted(list, { part: always, at: aliasesFor(list, fresh) })}${cutting(cut)}`
  return sql`${sortedList(list, rows, fresh())}${list.build.dialect.spell.unlimited}`
}

/** Sorts the rows of a subquery, and selects the columns of the list. */
function sortedList(list: List, rows: RawBuilder<unknown>, all: string): RawBuilder<unknown> {
  return sql`${selectFrom(list, rows, all)}${orderBy(list, (level, index) => sql.id(all, sortColumn(list, level, index)))}`
}

/** Selects the columns of the list from a subquery that names them. */
function selectFrom({ selected }: List, rows: RawBuilder<unknown>, all: string): RawBuilder<unknown> {
  const columns = sql.join(selected.map((_, position) => sql.id(all, `c${position}`)))
  return sql`select ${columns} from (${rows}) as ${sql.id(all)}`
}

/** Returns the position of the selected column that is the expression of a level; -1 if there is none. */
function selectedPosition({ selected }: List, { isPlain, position }: OrderLevel): number {
  const stored = isPlain ? (position?.stored.name ?? null) : null
  return stored === null ? -1 : selected.findIndex(({ name }) => name === stored)
}

/** Returns the column of an unsorted list that a level sorts by: one of the selected columns, or one after them. */
function sortColumn(list: List, level: OrderLevel, index: number): string {
  const position = selectedPosition(list, level)
  return position === -1 ? `o${index}` : `c${position}`
}

interface ListPart {
  readonly part: SqlPart
  readonly at: Aliases
}

/** Selects rows with the expressions to sort by, in any order. */
function unsorted(list: List, { part, at }: ListPart): RawBuilder<unknown> {
  const columns = numbered(list, at)
  const sorted = list.levels.flatMap((level, index) =>
    selectedPosition(list, level) === -1 ? [sql`${level.expression(at)} as ${sql.id(`o${index}`)}`] : [],
  )
  return selectRows(list, [...columns, ...sorted], { part, at })
}

function selectRows(
  { from, condition }: List,
  columns: readonly RawBuilder<unknown>[],
  { part, at }: ListPart,
): RawBuilder<unknown> {
  return sql`select ${sql.join(columns)} from ${from(at)}${where(condition, part)(at)}`
}

function cutting(cut: Cut | null): RawBuilder<unknown> {
  if (cut === null) return sql``
  return cut.offset === null ? sql` limit ${cut.limit}` : sql` limit ${cut.limit} offset ${cut.offset}`
}

interface PartitionCut {
  readonly parts: readonly SqlPart[]
  readonly offset: unknown
  /** The number of the last row to read in a partition. */
  readonly end: unknown
}

/** Numbers the rows of each owner, and cuts by these numbers: one statement for any number of owners. */
function partitioned(
  list: List,
  partition: SqlPart<unknown>,
  { parts, offset, end }: PartitionCut,
): RawBuilder<unknown> {
  const fresh = freshAliases()
  const at = aliasesFor(list, fresh)
  const sorted = orderBy(list, ({ expression }) => expression(at))
  const number = sql`row_number() over (partition by ${partition(at)}${sorted}) as ${sql.id('n')}`
  const columns = numbered(list, at)
  const all = fresh()
  const rows = selectRows(list, [...columns, number], { part: anyOf(parts), at })
  const from = offset === null ? sql`` : sql` and ${sql.id(all, 'n')} > ${offset}`
  return sql`${selectFrom(list, rows, all)} where ${sql.id(all, 'n')} <= ${end}${from} order by ${sql.id(all, 'n')}`
}

function aliasesFor({ isJoined }: ListedRows, fresh: () => string): Aliases {
  return { row: fresh(), pivot: isJoined ? fresh() : null, fresh }
}

/** Names the selected columns by their positions. */
function numbered({ selected }: List, at: Aliases): readonly RawBuilder<unknown>[] {
  return selected.map(({ expression }, position) => sql`${expression(at)} as ${sql.id(`c${position}`)}`)
}

/** Selects a column of the row, or of its join row. */
export function selectedColumn(column: SqlColumn, of: QueryColumn['of'] = 'row'): Selected {
  return {
    name: `${of} ${column.name}`,
    expression: (at) => selectedReference(column, of === 'row' ? at.row : (at.pivot ?? at.row)),
  }
}
