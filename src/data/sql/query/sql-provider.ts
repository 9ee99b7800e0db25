import { sql } from 'kysely'
import type {
  CollectionCriteria,
  CollectionResult,
  FetchCollection,
  FetchOne,
  Provider,
  ReadCriteria,
  ReadFunctions,
} from '../../../resource/capabilities/provider.js'
import type { CompiledType } from '../../../resource/compiled-type.js'
import type { RowCondition } from '../../../resource/querying/row-condition.js'
import type { RowEdges, RowPosition } from '../../../resource/querying/row-window.js'
import type { Row } from '../../../rows/row-set.js'
import { rowSet } from '../../../rows/row-set.js'
import type { Operand } from '../dialect/operand.js'
import type { SqlStatement } from '../driver/sql-statement.js'
import type { ReadColumns, SqlTables } from '../schema/sql-table.js'
import { columnOf, isKeyOfRows, tableFor, wantedColumns } from '../schema/sql-table.js'
import type { SqlRunOptions, SqlStore } from '../sql-store.js'
import type { StatementText } from '../statement/statement-cache.js'
import type { ComparedColumn } from './compared-column.js'
import { comparedColumn } from './compared-column.js'
import { countRelated, relatedReader } from './fetch-related.js'
import type { ListStatement } from './list-statement.js'
import { readList, selectedColumn } from './list-statement.js'
import { tableAs } from './related-source.js'
import type { ScopeValues, ScopeVariants } from './scope-variants.js'
import { cachedReads, scopeVariants, withScopeValues } from './scope-variants.js'
import { selectedFlags, sqlConditions } from './sql-conditions.js'
import { sqlOrders } from './sql-orders.js'
import type { Aliases, RowsRead, ScopeSlot, StatementBuild } from './statement-build.js'
import { freshAliases, statementBuild, where } from './statement-build.js'

/** A prepared read of one row by its key, for keys of one type. */
export interface OneStatement {
  /** Whether its text is the same for every key of that type. */
  readonly isCacheable: boolean
  readonly columns: readonly string[]
  readonly decode: (row: Row) => Row
  /** Returns `null` for a key that needs another comparison. */
  statementFor(key: unknown, scopeValues: ScopeValues): SqlStatement | null
}

export interface OneCriteria extends Pick<ReadCriteria, 'columns' | 'conditions' | 'flags' | 'context'> {
  readonly type: CompiledType
  readonly isLocked: boolean
}

interface BuiltStatement {
  readonly one: OneStatement
  /** The statement for the first key. */
  readonly statement: SqlStatement
  readonly build: StatementBuild
}

/** Builds the statement, with the key of the first row that is read by it. */
function oneStatement(store: SqlStore, tables: SqlTables, criteria: OneCriteria, firstKey: unknown): BuiltStatement {
  const { type, columns, conditions, flags = [], isLocked, context } = criteria
  const build = statementBuild(store, tables, context)
  const rows = { type, table: tableFor(tables, type), pivot: null }
  const wanted = wantedColumns(rows.table, columns, flags)
  const lock = isLocked ? store.dialect.spell.lock('update') : sql``
  build.shape.describe('find', rows.table)
  build.shape.addKeyPart(`one ${rows.table.cacheKey} ${wanted.names} ${isLocked}`)
  const condition = sqlConditions([keyIs(type, firstKey), ...conditions], rows, build)
  const flagged = selectedFlags(flags, rows, build)
  const text = store.statements.text(build.shape, () => {
    const fresh = freshAliases()
    const at: Aliases = { row: fresh(), pivot: null, fresh }
    const all = [...wanted.columns.map((column) => selectedColumn(column)), ...flagged]
    const selected = sql.join(all.map(({ expression }) => expression(at)))
    return sql`select ${selected} from ${tableAs(rows.table, at.row)}${where(condition)(at)}${lock}`
  })
  const { scopes } = build
  const { values } = build.shape
  const { operand } = comparedColumn(columnOf(rows.table, type.id.column), byKey, store.dialect)
  const one = preparedOne({ text, values, scopes, operand, wanted, first: operand(firstKey) })
  return { one, statement: text.withValues(values), build }
}

interface OneParts {
  readonly text: StatementText
  readonly values: readonly unknown[]
  readonly scopes: readonly ScopeSlot[]
  readonly operand: ComparedColumn['operand']
  readonly wanted: ReadColumns
  readonly first: Operand | null
}

/** A separate function, so that its closures share no scope with the build, which refers to the request. */
function preparedOne({ text, values, scopes, operand, wanted, first }: OneParts): OneStatement {
  return {
    isCacheable: text.isCached && first !== null && values[0] === first.value,
    columns: wanted.properties,
    decode: wanted.decode,
    statementFor(key, scopeValues) {
      const compared = operand(key)
      if (compared === null || compared.type !== first?.type || compared.fine !== first.fine) return null
      if (values.length === 1) return text.withValues([compared.value])
      const all = withScopeValues(values, scopes, scopeValues)
      all[0] = compared.value
      return text.withValues(all)
    },
  }
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
  })
  return Object.freeze<Provider>({ ...reads, acceptsScopes: reads })
}

function oneReader(store: SqlStore): FetchOne {
  const ones = cachedReads<ScopeVariants<OneStatement>>()
  return async (type, id, { columns, conditions, flags, cacheKey, forChange = false, transaction, context }) => {
    const key = type.id.decode(id)
    if (key === null || key === undefined) return null
    const tables = store.knownTables() ?? (await store.tables())
    const isLocked = forChange && transaction !== null
    const readKey = { cacheKey, columns, criteria: [type, isLocked, flags, ...conditions] }
    const variants = ones.find(readKey, tables)
    const known = variants?.find('', context)
    let one = known?.prepared
    let statement = known === undefined ? null : known.prepared.statementFor(key, known.scopeValues)
    if (one === undefined || statement === null) {
      const built = oneStatement(
        store,
        tables,
        { type, columns, conditions, flags: flags ?? [], context, isLocked },
        key,
      )
      ;({ one, statement } = built)
      if (one.isCacheable && cacheKey !== undefined) {
        const all = variants ?? scopeVariants<OneStatement>(store, tables)
        if (variants === undefined) ones.add(readKey, tables, all)
        all.add('', one, built.build)
      }
    }
    const [row] = (await store.read(statement, { transaction, context })).rows
    return row === undefined ? null : { rows: rowSet(one.columns, [one.decode(row)]) }
  }
}

function collectionReader(store: SqlStore): FetchCollection {
  const lists = cachedReads<ScopeVariants<PreparedList>>()
  /** Returns the cached statement of a list, or builds it. */
  const preparedList = (tables: SqlTables, type: CompiledType, criteria: CollectionCriteria): ListToRead => {
    const { columns, conditions, flags, orders, window, cacheKey, forReference = false, context } = criteria
    const isLocked = forReference && criteria.transaction !== null
    const readKey = { cacheKey, columns, criteria: [type, isLocked, conditions, flags, orders, window] }
    const variants = lists.find(readKey, tables)
    const known = variants?.find('', context)
    if (known !== undefined) return { list: known.prepared, statement: known.prepared.statementWith(known.scopeValues) }
    const build = statementBuild(store, tables, context)
    const { list, statement, isCacheable } = buildList(store, { type, criteria, isLocked }, build)
    if (isCacheable && cacheKey !== undefined) {
      const all = variants ?? scopeVariants<PreparedList>(store, tables)
      if (variants === undefined) lists.add(readKey, tables, all)
      all.add('', list, build)
    }
    return { list, statement }
  }
  return async (type, criteria) => {
    const tables = store.knownTables() ?? (await store.tables())
    const { transaction, context, wantsCount, window } = criteria
    const { list, statement } = preparedList(tables, type, criteria)
    const pendingRead = store.read(statement, { transaction, context })
    if (!wantsCount || window === null) {
      const { rows } = await pendingRead
      // If all rows are read, no statement has to count them.
      return collectionResult(rows, list, wantsCount ? rows.length : null)
    }
    const [{ rows }, total] = await Promise.all([pendingRead, countRows(store, tables, type, criteria)])
    return collectionResult(rows, list, total)
  }
}

function rowsOf(type: CompiledType, tables: SqlTables): RowsRead {
  return { type, table: tableFor(tables, type), pivot: null }
}

/** A prepared read of a list. */
interface PreparedList extends Pick<ListStatement, 'limit' | 'reversed' | 'positionOf'> {
  statementWith(scopeValues: ScopeValues): SqlStatement
  readonly columns: readonly string[]
  readonly decode: (row: Row) => Row
  readonly isVerified: boolean
}

interface ListToBuild {
  readonly type: CompiledType
  readonly criteria: CollectionCriteria
  readonly isLocked: boolean
}

interface ListToRead {
  readonly list: PreparedList
  readonly statement: SqlStatement
}

function buildList(
  store: SqlStore,
  { type, criteria, isLocked }: ListToBuild,
  build: StatementBuild,
): ListToRead & { readonly isCacheable: boolean } {
  const { columns, conditions, flags = [], orders, window } = criteria
  const rows = rowsOf(type, build.tables)
  const wanted = wantedColumns(rows.table, columns, flags)
  build.shape.describe('list', rows.table)
  build.shape.addKeyPart(`list ${rows.table.cacheKey} ${wanted.names}`)
  const condition = sqlConditions(conditions, rows, build)
  const flagged = selectedFlags(flags, rows, build)
  const { limit, reversed, positionOf, write } = readList(
    {
      from: ({ row }) => tableAs(rows.table, row),
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
  const text = store.statements.text(build.shape, write)
  const { scopes } = build
  const { values } = build.shape
  const statement = text.withValues(values)
  const list: PreparedList = {
    limit,
    reversed,
    positionOf,
    columns: wanted.properties,
    decode: wanted.decode,
    isVerified: isKeyOfRows(rows.table, type.id.column),
    statementWith: (scopeValues) =>
      scopes.length === 0 ? statement : text.withValues(withScopeValues(values, scopes, scopeValues)),
  }
  return { list, statement, isCacheable: text.isCached }
}

function collectionResult(found: readonly Row[], list: PreparedList, total: number | null): CollectionResult {
  const { columns, decode, positionOf, isVerified } = list
  const { shown, more } = cutList(found, list)
  const [first, last] = [shown[0], shown.at(-1)]
  const hasEdges = positionOf !== null && first !== undefined && last !== undefined
  const edges = hasEdges ? new Edges(first, last, positionOf) : null
  return { isVerified, rows: rowSet(columns, shown.map(decode)), total, more, edges }
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

/** Removes the extra row, which only shows that more rows follow, and restores the order of the others. */
function cutList(
  found: readonly Row[],
  { limit, reversed }: Pick<ListStatement, 'limit' | 'reversed'>,
): { readonly shown: readonly Row[]; readonly more: boolean } {
  const more = limit !== null && found.length > limit
  const inWindow = more ? found.slice(0, limit) : found
  return { shown: reversed ? inWindow.toReversed() : inWindow, more }
}

async function countRows(
  store: SqlStore,
  tables: SqlTables,
  type: CompiledType,
  { conditions, transaction, context }: Pick<CollectionCriteria, 'conditions' | 'context' | 'transaction'>,
): Promise<number> {
  const build = statementBuild(store, tables, context)
  const rows = rowsOf(type, tables)
  build.shape.describe('count', rows.table)
  build.shape.addKeyPart(`count ${rows.table.cacheKey}`)
  const condition = sqlConditions(conditions, rows, build)
  const statement = store.statements.statement(build.shape, () => {
    const fresh = freshAliases()
    const at: Aliases = { row: fresh(), pivot: null, fresh }
    return sql`select count(*) from ${tableAs(rows.table, at.row)}${where(condition)(at)}`
  })
  const { rows: counted } = await store.read(statement, { transaction, context } satisfies SqlRunOptions)
  return Number(counted[0]?.[0] ?? 0)
}
