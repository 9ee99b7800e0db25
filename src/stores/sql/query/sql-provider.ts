import { sql } from 'kysely'
import type {
  CollectionCriteria,
  CollectionResult,
  FetchCollection,
  FetchOne,
  Provider,
  ReadCriteria,
  ReadFunctions,
} from '../../../declare/resource/capabilities/provider.js'
import type { CompiledType } from '../../../declare/resource/compiled/compiled-type.js'
import type { RowCondition } from '../../../declare/resource/querying/row-condition.js'
import type { RowEdges, RowPosition } from '../../../declare/resource/querying/row-window.js'
import type { RequestContext } from '../../../declare/resource/request/request-context.js'
import { isNull } from '../../row-query/stored-value.js'
import type { Row } from '../../../core/rows/row-set.js'
import { rowSet } from '../../../core/rows/row-set.js'
import type { Operand } from '../dialect/operand.js'
import type { SqlStatement } from '../driver/sql-statement.js'
import type { ReadColumns, SqlTables } from '../schema/sql-table.js'
import { columnOf, isKeyOfRows, wantedColumns } from '../schema/sql-table.js'
import type { SqlStore } from '../sql-store.js'
import { comparedColumn } from './compared-column.js'
import { countRows } from './count-rows.js'
import { countRelated, relatedReader } from './fetch-related.js'
import { groupReader } from './fetch-groups.js'
import type { ListStatement } from './list-statement.js'
import { readList, selectedColumn } from './list-statement.js'
import { tableAs } from './related-source.js'
import type { PreparedRead } from './scope-variants.js'
import { cachedReads, scopeVariants } from './scope-variants.js'
import { selectedFlags, sqlConditions } from './sql-conditions.js'
import { sqlOrders } from './sql-orders.js'
import { firstAliases, rowsOf, where } from './statement-build.js'

/** A prepared read of one row by its key. */
interface PreparedOne extends Pick<ReadColumns, 'properties' | 'decode'> {
  statementFor(key: unknown, context: RequestContext): SqlStatement
}

interface OneCriteria extends Pick<ReadCriteria, 'columns' | 'conditions' | 'flags'> {
  readonly type: CompiledType
  readonly isLocked: boolean
}

/** Prepares a read. It holds the criteria, but not the request, since other requests may use it too. */
function preparedOne(store: SqlStore, tables: SqlTables, criteria: OneCriteria): PreparedOne {
  const { type, columns, conditions, flags = [], isLocked } = criteria
  const rows = rowsOf(type, tables)
  const wanted = wantedColumns(rows.table, columns, flags)
  const lock = isLocked ? store.dialect.spell.lock('update') : sql``
  const { operand } = comparedColumn(columnOf(rows.table, type.id.column), byKey, store.dialect)
  const variantFor = scopeVariants(store, tables, (build, key: unknown) => {
    build.shape.describe('find', rows.table)
    build.shape.addKeyPart(`one ${rows.table.cacheKey} ${wanted.names} ${isLocked}`)
    const condition = sqlConditions([keyIs(type, key), ...conditions], rows, build)
    const flagged = selectedFlags(flags, rows, build)
    const text = store.statements.text(build.shape, () => {
      const at = firstAliases()
      const all = [...wanted.columns.map((column) => selectedColumn(column)), ...flagged]
      const selected = sql.join(all.map(({ expression }) => expression(at)))
      return sql`select ${selected} from ${tableAs(rows.table, at.row)}${where(condition)(at)}${lock}`
    })
    return { text, read: null }
  })
  return {
    properties: wanted.properties,
    decode: wanted.decode,
    statementFor(key, context) {
      const compared = isNull(key) ? null : operand(key)
      const { text, values } = variantFor(formOf(compared), context, key)
      if (compared !== null) values[0] = compared.value
      return text.withValues(values)
    },
  }
}

/** The text of the comparison depends on this, and on nothing else of the key. */
function formOf(key: Operand | null): string | null {
  if (key === null) return 'never'
  return key.fine ? `fine ${key.type}` : key.type
}

const byKey = Object.freeze({ kind: null, isKey: true })

function keyIs({ id }: CompiledType, value: unknown): RowCondition {
  return { kind: 'compare', column: { of: 'row', name: id.column, ...byKey }, operator: '=', value }
}

export function sqlProvider(store: SqlStore): Provider {
  const reads = Object.freeze<ReadFunctions>({
    fetchOne: oneReader(store),
    fetchCollection: collectionReader(store),
    fetchRelated: relatedReader(store),
    countRelated: (relation, parents, criteria) => countRelated(store, relation, parents, criteria),
    fetchGroups: groupReader(store),
  })
  return Object.freeze<Provider>({ ...reads, acceptsScopes: reads, acceptsSearch: store.dialect.search !== null })
}

function oneReader(store: SqlStore): FetchOne {
  const ones = cachedReads<PreparedOne>()
  return async (type, id, { columns, conditions, flags, cacheKey, forChange = false, transaction, context }) => {
    const key = type.id.decode(id)
    if (key === null || key === undefined) return null
    const tables = store.knownTables() ?? (await store.tables())
    const isLocked = forChange && transaction !== null
    const readKey = { cacheKey, criteria: [type, isLocked, columns, flags, ...conditions] }
    const one =
      ones.find(readKey, tables) ??
      ones.add(readKey, tables, preparedOne(store, tables, { type, columns, conditions, flags: flags ?? [], isLocked }))
    const [row] = (await store.read(one.statementFor(key, context), { transaction, context })).rows
    return row === undefined ? null : { rows: rowSet(one.properties, [one.decode(row)]) }
  }
}

function collectionReader(store: SqlStore): FetchCollection {
  const lists = cachedReads<PreparedList>()
  return async (type, criteria) => {
    const tables = store.knownTables() ?? (await store.tables())
    const { columns, conditions, flags, orders, window, cacheKey, transaction, context, wantsCount } = criteria
    const isLocked = criteria.forReference === true && transaction !== null
    const readKey = { cacheKey, criteria: [type, isLocked, columns, conditions, flags, orders, window] }
    const list =
      lists.find(readKey, tables) ??
      lists.add(
        readKey,
        tables,
        preparedList(store, tables, { type, columns, conditions, flags: flags ?? [], orders, window, isLocked }),
      )
    const { text, values, read } = list.readFor(context)
    const pendingRead = store.read(text.withValues(values), { transaction, context })
    if (!wantsCount || window === null) {
      const { rows } = await pendingRead
      // If all rows are read, no statement has to count them.
      return collectionResult(rows, list, { read, total: wantsCount ? rows.length : null })
    }
    const [{ rows }, counted] = await Promise.all([pendingRead, countRows(store, tables, type, criteria)])
    return collectionResult(rows, list, { read, ...counted })
  }
}

type ListWindow = Pick<ListStatement, 'limit' | 'reversed' | 'positionOf'>

/** A prepared read of a list. */
interface PreparedList extends Pick<ReadColumns, 'properties' | 'decode'> {
  readonly isVerified: boolean
  readFor(context: RequestContext): PreparedRead<ListWindow>
}

interface ListCriteria extends OneCriteria, Pick<CollectionCriteria, 'orders' | 'window'> {}

/** Prepares a list. Like the read of one row, it does not hold the request. */
function preparedList(store: SqlStore, tables: SqlTables, criteria: ListCriteria): PreparedList {
  const { type, columns, conditions, flags = [], orders, window, isLocked } = criteria
  const rows = rowsOf(type, tables)
  const { table } = rows
  const wanted = wantedColumns(table, columns, flags)
  const variantFor = scopeVariants<ListWindow, null>(store, tables, (build) => {
    build.shape.describe('list', table)
    build.shape.addKeyPart(`list ${table.cacheKey} ${wanted.names}`)
    const condition = sqlConditions(conditions, rows, build)
    const flagged = selectedFlags(flags, rows, build)
    const { write, limit, reversed, positionOf } = readList(
      {
        from: ({ row }) => tableAs(table, row),
        condition,
        levels: sqlOrders(orders, rows, build),
        selected: [...wanted.columns.map((column) => selectedColumn(column)), ...flagged],
        isJoined: false,
        lock: isLocked ? 'key share' : null,
        partition: null,
      },
      window,
      build,
    )
    return { text: store.statements.text(build.shape, write), read: { limit, reversed, positionOf } }
  })
  return {
    properties: wanted.properties,
    decode: wanted.decode,
    isVerified: isKeyOfRows(table, type.id.column),
    readFor: (context) => variantFor(null, context, null),
  }
}

function collectionResult(
  found: readonly Row[],
  { properties, decode, isVerified }: PreparedList,
  { read, total, estimate = null }: { readonly read: ListWindow } & Pick<CollectionResult, 'total' | 'estimate'>,
): CollectionResult {
  const { limit, reversed, positionOf } = read
  // The extra row only shows that more rows follow.
  const more = limit !== null && found.length > limit
  const inWindow = more ? found.slice(0, limit) : found
  const shown = reversed ? inWindow.toReversed() : inWindow
  const [first, last] = [shown[0], shown.at(-1)]
  const hasEdges = positionOf !== null && first !== undefined && last !== undefined
  const edges = hasEdges ? new Edges(first, last, positionOf) : null
  return { isVerified, rows: rowSet(properties, shown.map(decode)), total, more, edges, estimate }
}

/** The positions of the first and the last row. Most pages use only one of them, so each is read on access. */
class Edges implements RowEdges {
  readonly #first: Row
  readonly #last: Row
  readonly #positionOf: (row: Row) => RowPosition

  constructor(first: Row, last: Row, positionOf: (row: Row) => RowPosition) {
    this.#first = first
    this.#last = last
    this.#positionOf = positionOf
  }

  get first(): RowPosition {
    return this.#positionOf(this.#first)
  }

  get last(): RowPosition {
    return this.#positionOf(this.#last)
  }
}
