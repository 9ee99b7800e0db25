import { sql } from 'kysely'
import type {
  CollectionCriteria,
  CollectionResult,
  Provider,
  WantedColumns,
} from '../../../resource/capabilities/provider.js'
import type { CompiledType } from '../../../resource/compiled-type.js'
import type { RowCondition } from '../../../resource/querying/row-condition.js'
import type { RequestContext } from '../../../resource/request-context.js'
import type { Row, RowSet } from '../../../rows/row-set.js'
import { rowSet } from '../../../rows/row-set.js'
import type { SqlStatement } from '../driver/sql-driver.js'
import type { SqlColumn, SqlTables } from '../schema/sql-table.js'
import type { SqlOccasion, SqlStore } from '../sql-store.js'
import { countRelated } from './count-related.js'
import { fetchRelated } from './fetch-related.js'
import type { ListStatement } from './list-statement.js'
import { readList, selectedColumn } from './list-statement.js'
import { tableAs, tableFor } from './reach.js'
import { readConditions } from './read-condition.js'
import { readOrders } from './read-orders.js'
import { rowDecoder } from './row-decoder.js'
import type { Aliases, RowsRead } from './sql-reading.js'
import { freshAliases, readingOf } from './sql-reading.js'
import { namesOf, propertiesOf, wantedColumns } from './wanted-columns.js'
import { where } from './written-parts.js'

export function sqlProvider(store: SqlStore): Provider {
  return Object.freeze<Provider>({
    async fetchOne(type, id, { columns, conditions, forChange = false, ...occasion }) {
      const key = type.id.decode(id)
      if (key === null || key === undefined) return null
      const tables = await store.tables()
      const asked = {
        columns,
        conditions: [keyIs(type, key), ...conditions],
        isLocked: forChange && occasion.transaction !== null,
      }
      const { wanted, statement } = oneStatement(store, tables, { type, context: occasion.context, ...asked })
      const { rows } = await store.read(statement, occasion)
      const [row] = rows
      return row === undefined ? null : { rows: rowSet(propertiesOf(wanted), [rowDecoder(wanted)(row)]) }
    },

    async fetchCollection(type, criteria) {
      const tables = await store.tables()
      const [listed, total] = await Promise.all([
        listRows(store, tables, type, criteria),
        criteria.wantsCount && criteria.window !== null ? countRows(store, tables, type, criteria) : null,
      ])
      // Where all of them are read, they are counted.
      return { ...listed, total: total ?? (criteria.wantsCount ? listed.rows.rows.length : null) }
    },

    fetchRelated: (relation, parents, criteria) => fetchRelated(store, relation, parents, criteria),
    countRelated: (relation, parents, criteria) => countRelated(store, relation, parents, criteria),
  })
}

function keyIs({ id }: CompiledType, value: unknown): RowCondition {
  return { kind: 'compare', column: { of: 'row', name: id.column, kind: null, isKey: true }, operator: '=', value }
}

function rowsOf(type: CompiledType, tables: SqlTables): RowsRead {
  return { type, table: tableFor(tables, type), pivot: null }
}

interface AskedOne {
  readonly type: CompiledType
  readonly columns: WantedColumns
  readonly conditions: readonly RowCondition[]
  readonly isLocked: boolean
  readonly context: RequestContext
}

/** On SQLite a transaction that writes has the database to itself. */
function oneStatement(
  store: SqlStore,
  tables: SqlTables,
  { type, columns, conditions, isLocked, context }: AskedOne,
): { readonly wanted: readonly SqlColumn[]; readonly statement: SqlStatement } {
  const reading = readingOf(store, tables, context)
  const rows = rowsOf(type, tables)
  const wanted = wantedColumns(rows.table, columns)
  const lock = isLocked && store.engine === 'postgres' ? sql` for update` : sql``
  reading.shape.note(`one ${rows.table.model} ${namesOf(wanted)} ${isLocked}`)
  const condition = readConditions(conditions, rows, reading)
  const statement = store.statements.statement(reading.shape, () => {
    const fresh = freshAliases()
    const at: Aliases = { row: fresh(), pivot: null, fresh }
    const selected = sql.join(wanted.map((column) => selectedColumn(column).written(at)))
    const query = sql`select ${selected} from ${tableAs(rows.table, at.row)}${where(condition)(at)}${lock}`
    return { compile: () => query.compile(store.builder) }
  })
  return { wanted, statement }
}

interface ListedRows extends Omit<CollectionResult, 'total' | 'rows'> {
  readonly rows: RowSet
}

async function listRows(
  store: SqlStore,
  tables: SqlTables,
  type: CompiledType,
  { columns, conditions, orders, window, forReference = false, ...occasion }: CollectionCriteria,
): Promise<ListedRows> {
  const reading = readingOf(store, tables, occasion.context)
  const rows = rowsOf(type, tables)
  const wanted = wantedColumns(rows.table, columns)
  reading.shape.note(`list ${rows.table.model} ${namesOf(wanted)}`)
  const condition = readConditions(conditions, rows, reading)
  const levels = readOrders(orders, rows, reading)
  const list = readList(
    {
      from: ({ row }) => tableAs(rows.table, row),
      condition,
      levels,
      selected: wanted.map((column) => selectedColumn(column)),
      isJoined: false,
      lock: forReference && occasion.transaction !== null ? 'key share' : null,
      partition: null,
    },
    window,
    reading,
  )
  const { rows: found } = await store.read(store.statements.statement(reading.shape, list.write), occasion)
  const { shown, more } = cutList(found, list)
  const [first, last] = [shown[0], shown.at(-1)]
  const { placeOf } = list
  return {
    rows: rowSet(propertiesOf(wanted), shown.map(rowDecoder(wanted))),
    more,
    edges:
      placeOf === null || first === undefined || last === undefined
        ? null
        : { first: placeOf(first), last: placeOf(last) },
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
