import { sql } from 'kysely'
import type { CollectionCriteria, CollectionResult, Provider } from '../../../resource/capabilities/provider.js'
import type { CompiledType } from '../../../resource/compiled-type.js'
import type { RowEdges, RowPlace } from '../../../resource/querying/row-window.js'
import type { Row } from '../../../rows/row-set.js'
import { rowSet } from '../../../rows/row-set.js'
import type { SqlStatement } from '../driver/sql-driver.js'
import type { SqlTables } from '../schema/sql-table.js'
import { isKeyOfRows } from '../schema/sql-table.js'
import type { SqlOccasion, SqlStore } from '../sql-store.js'
import { countRelated } from './count-related.js'
import { relatedReader } from './fetch-related.js'
import type { ListStatement } from './list-statement.js'
import { readList, selectedColumn } from './list-statement.js'
import type { OneStatement } from './one-statement.js'
import { oneStatement } from './one-statement.js'
import { tableAs, tableFor } from './reach.js'
import { readConditions } from './read-condition.js'
import { readOrders } from './read-orders.js'
import type { Recurring } from './recurring.js'
import { recurringReads } from './recurring.js'
import type { Aliases, RowsRead } from './sql-reading.js'
import { freshAliases, readingOf } from './sql-reading.js'
import { wantedColumns } from './wanted-columns.js'
import { where } from './written-parts.js'

export function sqlProvider(store: SqlStore): Provider {
  const ones = recurringReads<OneStatement>()
  const lists = recurringReads<ReadyList>()
  return Object.freeze<Provider>({
    async fetchOne(type, id, { columns, conditions, recurring, forChange = false, transaction, context }) {
      const key = type.id.decode(id)
      if (key === null || key === undefined) return null
      const tables = store.knownTables() ?? (await store.tables())
      const isLocked = forChange && transaction !== null
      const asked = { type, columns, conditions, context, isLocked, recurring, isPlain: !isLocked, asked: conditions }
      let one = ones.find(asked, tables)
      let statement = one?.statementFor(key) ?? null
      if (one === undefined || statement === null) {
        const ready = oneStatement(store, tables, asked, key)
        if (ready.isKept) ones.keep(asked, tables, ready)
        ;[one, statement] = [ready, ready.first]
      }
      const [row] = (await store.read(statement, { transaction, context })).rows
      return row === undefined ? null : { rows: rowSet(one.columns, [one.decode(row)]) }
    },

    async fetchCollection(type, criteria) {
      const tables = store.knownTables() ?? (await store.tables())
      const { transaction, context, wantsCount, window } = criteria
      const ready = readyList({ store, tables, lists }, type, criteria)
      const reading = store.read(ready.statement, { transaction, context })
      if (!wantsCount || window === null) {
        const { rows } = await reading
        // Where all of them are read, they are counted.
        return listed(rows, ready, wantsCount ? rows.length : null)
      }
      const [{ rows }, total] = await Promise.all([reading, countRows(store, tables, type, criteria)])
      return listed(rows, ready, total)
    },

    fetchRelated: relatedReader(store),
    countRelated: (relation, parents, criteria) => countRelated(store, relation, parents, criteria),
  })
}

function rowsOf(type: CompiledType, tables: SqlTables): RowsRead {
  return { type, table: tableFor(tables, type), pivot: null }
}

/** A read of a list, ready to be run. */
interface ReadyList extends Pick<ListStatement, 'limit' | 'reversed' | 'placeOf'> {
  readonly statement: SqlStatement
  readonly columns: readonly string[]
  readonly decode: (row: Row) => Row
  readonly isVouched: boolean
}

interface Readying {
  readonly store: SqlStore
  readonly tables: SqlTables
  readonly lists: Recurring<ReadyList>
}

function readyList({ store, tables, lists }: Readying, type: CompiledType, criteria: CollectionCriteria): ReadyList {
  const { columns, conditions, orders, window, recurring, forReference = false, transaction, context } = criteria
  const isLocked = forReference && transaction !== null
  const asked = { columns, recurring, isPlain: !isLocked, asked: [conditions, orders, window] }
  const known = lists.find(asked, tables)
  if (known !== undefined) return known
  const reading = readingOf(store, tables, context)
  const rows = rowsOf(type, tables)
  const wanted = wantedColumns(rows.table, columns)
  reading.shape.note(`list ${rows.table.model} ${wanted.names}`)
  const condition = readConditions(conditions, rows, reading)
  const list = readList(
    {
      from: ({ row }) => tableAs(rows.table, row),
      condition,
      levels: readOrders(orders, rows, reading),
      selected: wanted.columns.map((column) => selectedColumn(column)),
      isJoined: false,
      lock: isLocked ? 'key share' : null,
      partition: null,
    },
    window,
    reading,
  )
  const text = store.statements.text(reading.shape, list.write)
  const ready: ReadyList = {
    limit: list.limit,
    reversed: list.reversed,
    placeOf: list.placeOf,
    statement: text.withValues(reading.shape.values),
    columns: wanted.properties,
    decode: wanted.decode,
    isVouched: isKeyOfRows(rows.table, type.id.column),
  }
  if (text.isKept) lists.keep(asked, tables, ready)
  return ready
}

function listed(found: readonly Row[], ready: ReadyList, total: number | null): CollectionResult {
  const { columns, decode, placeOf, isVouched } = ready
  const { shown, more } = cutList(found, ready)
  const [first, last] = [shown[0], shown.at(-1)]
  const hasEdges = placeOf !== null && first !== undefined && last !== undefined
  const edges = hasEdges ? new Edges(first, last, placeOf) : null
  return { isVouched, rows: rowSet(columns, shown.map(decode)), total, more, edges }
}

/** The places of the first and the last row. Most pages lead on by one of them alone, so each is read when it is asked for. */
class Edges implements RowEdges {
  readonly #first: Row
  readonly #last: Row
  readonly #placeOf: (row: Row) => RowPlace

  constructor(first: Row, last: Row, placeOf: (row: Row) => RowPlace) {
    this.#first = first
    this.#last = last
    this.#placeOf = placeOf
  }

  get first(): RowPlace {
    return this.#placeOf(this.#first)
  }

  get last(): RowPlace {
    return this.#placeOf(this.#last)
  }
}

/** Takes away the row that only says that there are more, and puts the others in their order. */
function cutList(
  found: readonly Row[],
  { limit, reversed }: Pick<ListStatement, 'limit' | 'reversed'>,
): { readonly shown: readonly Row[]; readonly more: boolean } {
  const more = limit !== null && found.length > limit
  const kept = more ? found.slice(0, limit) : found
  return { shown: reversed ? kept.toReversed() : kept, more }
}

async function countRows(
  store: SqlStore,
  tables: SqlTables,
  type: CompiledType,
  { conditions, transaction, context }: Pick<CollectionCriteria, 'conditions' | 'context' | 'transaction'>,
): Promise<number> {
  const reading = readingOf(store, tables, context)
  const rows = rowsOf(type, tables)
  reading.shape.note(`count ${rows.table.model}`)
  const condition = readConditions(conditions, rows, reading)
  const statement = store.statements.statement(reading.shape, () => {
    const fresh = freshAliases()
    const at: Aliases = { row: fresh(), pivot: null, fresh }
    const query = sql`select count(*) from ${tableAs(rows.table, at.row)}${where(condition)(at)}`
    return { compile: () => query.compile(store.builder) }
  })
  const { rows: counted } = await store.read(statement, { transaction, context } satisfies SqlOccasion)
  return Number(counted[0]?.[0] ?? 0)
}
