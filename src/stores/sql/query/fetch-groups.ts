import type { RawBuilder } from 'kysely'
import { sql } from 'kysely'
import type { FetchGroups, GroupCriteria } from '../../../declare/resource/capabilities/provider.js'
import type { CompiledType } from '../../../declare/resource/compiled/compiled-type.js'
import type { RowGroup, RowMeasure } from '../../../declare/resource/querying/row-aggregation.js'
import { isWhole, roundedNumber } from '../../../declare/resource/querying/row-aggregation.js'
import type { QueryColumn } from '../../../declare/resource/querying/row-condition.js'
import type { Row } from '../../../core/rows/row-set.js'
import type { SqlColumn, SqlTables } from '../schema/sql-table.js'
import { columnReference, tableFor } from '../schema/sql-table.js'
import type { SqlStore } from '../sql-store.js'
import type { ComparedColumn } from './compared-column.js'
import { comparedColumn } from './compared-column.js'
import { tableAs } from './related-source.js'
import { sqlConditions } from './sql-conditions.js'
import { orderBy } from './sql-orders.js'
import type { Aliases, RowsRead, SqlPart, StatementBuild } from './statement-build.js'
import { aliasOf, freshAliases, queriedColumn, statementBuild, where } from './statement-build.js'

/** A value of a group as a statement computes it, in one or several columns. */
interface GroupValue {
  readonly columns: readonly SqlPart<unknown>[]
  /** Whether the columns are texts, which are ordered by code points. */
  readonly isText: boolean
  /** How a column is selected after rows were grouped. */
  readonly select: (column: RawBuilder<unknown>) => RawBuilder<unknown>
  readonly decode: (columns: readonly unknown[]) => unknown
}

/** Groups the rows of a type: one statement, and another one if groups are counted. */
export function groupReader(store: SqlStore): FetchGroups {
  return async (type, criteria) => {
    const tables = store.knownTables() ?? (await store.tables())
    const { transaction, context, window, minGroupSize, wantsCount } = criteria
    const grouped = groupedRows(store, tables, type, criteria)
    const counts = wantsCount || minGroupSize > 1 ? countGroups(store, tables, type, criteria) : null
    const [{ rows }, counted] = await Promise.all([store.read(grouped.statement, { transaction, context }), counts])
    return {
      groups: rows.slice(0, window.limit).map(grouped.decode),
      total: wantsCount ? (counted?.large ?? null) : null,
      more: rows.length > window.limit,
      omits: (counted?.small ?? 0) > 0,
    }
  }
}

interface GroupedRows {
  readonly statement: ReturnType<SqlStore['statements']['statement']>
  readonly decode: (row: Row) => Row
}

/** Prepares the statement of a page: rows are grouped in a subquery, whose columns are selected, sorted and cut. */
function groupedRows(store: SqlStore, tables: SqlTables, type: CompiledType, criteria: GroupCriteria): GroupedRows {
  const { groups, measures, orders, window, minGroupSize } = criteria
  const build = statementBuild(store, tables, criteria.context)
  const { shape } = build
  const rows: RowsRead = { type, table: tableFor(tables, type), pivot: null }
  shape.describe('group', rows.table)
  shape.addKeyPart(`group ${rows.table.cacheKey} ${groups.length} ${minGroupSize > 1}`)
  const keys = groups.map((group) => groupValue(group, rows, build))
  const results = measures.map((measure) => measureValue(measure, rows, build))
  const condition = sqlConditions(criteria.conditions, rows, build)
  const values = [...keys, ...results]
  const starts = values.map((_, index) => values.slice(0, index).reduce((sum, each) => sum + each.columns.length, 0))
  const columnsOf = (index: number): readonly string[] =>
    values[index]?.columns.map((_, offset) => `c${(starts[index] ?? 0) + offset}`) ?? []
  const sorted = orders.map(({ of, index, descending }) => {
    const position = of === 'group' ? index : keys.length + index
    shape.addKeyPart(`${position} ${descending ? 'desc' : 'asc'}`)
    return { position, descending }
  })
  const least = minGroupSize > 1 ? shape.bind(minGroupSize) : null
  const [limit, offset] = [shape.bind(window.limit + 1), shape.bind(window.offset)]
  const statement = store.statements.statement(shape, () => {
    const all = 'g'
    const computed = values.flatMap(({ select }, index) => columnsOf(index).map((name) => select(sql.id(all, name))))
    // A fieldset may leave out all fields.
    const selected = computed.length === 0 ? [sql.id(all, 'n')] : computed
    const levels = sorted.flatMap(({ position, descending }) =>
      columnsOf(position).map((name) => {
        const column = sql.id(all, name)
        const isText = values[position]?.isText === true
        const expression = (): RawBuilder<unknown> =>
          isText ? build.dialect.spell.byCodePoints(column, false) : column
        return { descending, nullable: true, isPlain: false, position: null, expression }
      }),
    )
    const large = least === null ? sql`` : sql` where ${sql.id(all, 'n')} >= ${least}`
    const sort = orderBy({ levels, reversed: false, build }, ({ expression }) => expression(noAliases))
    const from = sql`(${grouping(rows, keys, results, condition)}) as ${sql.id(all)}`
    return sql`select ${sql.join(selected)} from ${from}${large}${sort} limit ${limit} offset ${offset}`
  })
  const decoders = values.map(({ decode, columns }, index) => ({
    decode,
    start: starts[index] ?? 0,
    length: columns.length,
  }))
  return {
    statement,
    decode: (row) => decoders.map(({ decode, start, length }) => decode(row.slice(start, start + length))),
  }
}

const noAliases: Aliases = Object.freeze({ row: '', pivot: null, fresh: () => '' })

/** Selects the values of each group, and the number of its rows as `n`. */
function grouping(
  { table }: RowsRead,
  keys: readonly GroupValue[],
  results: readonly GroupValue[],
  condition: SqlPart,
): RawBuilder<unknown> {
  const fresh = freshAliases()
  const at: Aliases = { row: fresh(), pivot: null, fresh }
  const columns = [...keys, ...results].flatMap((value) => value.columns.map((column) => column(at)))
  const selected = [
    ...columns.map((column, index) => sql`${column} as ${sql.id(`c${index}`)}`),
    sql`count(*) as ${sql.id('n')}`,
  ]
  // By position: a database does not recognize an expression with parameters that occurs twice.
  const positions = keys.flatMap(({ columns: own }) => own).map((_, index) => sql.lit(index + 1))
  const groupBy = positions.length === 0 ? sql`` : sql` group by ${sql.join(positions)}`
  return sql`select ${sql.join(selected)} from ${tableAs(table, at.row)}${where(condition)(at)}${groupBy}`
}

/** Counts the groups that are large enough, and the others. */
async function countGroups(
  store: SqlStore,
  tables: SqlTables,
  type: CompiledType,
  { groups, conditions, minGroupSize, transaction, context }: GroupCriteria,
): Promise<{ readonly large: number; readonly small: number }> {
  const build = statementBuild(store, tables, context)
  const { shape } = build
  const rows: RowsRead = { type, table: tableFor(tables, type), pivot: null }
  shape.describe('count groups', rows.table)
  shape.addKeyPart(`count groups ${rows.table.cacheKey} ${groups.length}`)
  const keys = groups.map((group) => groupValue(group, rows, build))
  const condition = sqlConditions(conditions, rows, build)
  // Without a minimum size, the group of all rows may be empty.
  const least = shape.bind(minGroupSize > 1 ? minGroupSize : 0)
  const statement = store.statements.statement(shape, () => {
    const isLarge = sql`${sql.id('g', 'n')} >= ${least}`
    const from = sql`(${grouping(rows, keys, [], condition)}) as ${sql.id('g')}`
    return sql`select count(*), count(case when ${isLarge} then 1 end) from ${from}`
  })
  const [row] = (await store.read(statement, { transaction, context })).rows
  const [all, large] = [Number(row?.[0] ?? 0), Number(row?.[1] ?? 0)]
  return { large, small: all - large }
}

const asIs = (column: RawBuilder<unknown>): RawBuilder<unknown> => column
const first = ([value]: readonly unknown[]): unknown => value ?? null

interface ComparedValue {
  readonly column: SqlColumn
  readonly compared: ComparedColumn
  readonly reference: SqlPart<unknown>
}

function comparedValue(queried: QueryColumn, rows: RowsRead, build: StatementBuild): ComparedValue {
  const column = queriedColumn(queried, rows)
  const compared = comparedColumn(column, queried, build.dialect)
  build.shape.addKeyPart(compared.name)
  return { column, compared, reference: (at) => columnReference(column, aliasOf(queried, at)) }
}

function groupValue({ column: queried, condition, part }: RowGroup, rows: RowsRead, build: StatementBuild): GroupValue {
  build.shape.addKeyPart(part ?? 'value')
  const value = comparedValue(queried, rows, build)
  const isMet = condition === null ? null : sqlConditions([condition], rows, build)
  const { day, part: partOf } = build.dialect.groups
  const { compared, column, reference } = value
  const expression: SqlPart<unknown> = (at) =>
    part === null ? compared.inOrder(reference(at), false) : partOf(day(reference(at), column.type), part)
  const visible: SqlPart<unknown> =
    isMet === null ? expression : (at) => sql`case when ${isMet(at)} then ${expression(at)} end`
  if (part !== null) return { columns: [visible], isText: true, select: asIs, decode: first }
  return { columns: [visible], ...storedValue(value) }
}

/** Returns how a value of a column, after rows were grouped, is selected and converted as that of a row. */
function storedValue({ column, compared }: ComparedValue): Omit<GroupValue, 'columns'> {
  const isText = compared.as === 'text'
  // A value that was converted to be compared is no value of the column any more. Times become moments.
  if (compared.isConverted || !compared.isDirect) {
    return { isText, select: asIs, decode: compared.as === 'moment' ? ([stored]) => momentOf(stored) : first }
  }
  const { codec, readAsText } = column
  const decode = ([stored]: readonly unknown[]): unknown =>
    stored === null || stored === undefined ? null : codec.decode === null ? stored : codec.decode(stored)
  return { isText, select: readAsText?.read ?? asIs, decode }
}

/** Attributes show the part of a moment that they have: the day, or the time. */
function momentOf(stored: unknown): unknown {
  const moment = typeof stored === 'string' ? new Date(stored) : null
  return moment === null || Number.isNaN(moment.getTime()) ? (stored ?? null) : moment
}

function measureValue(
  { function: name, column: queried }: RowMeasure,
  rows: RowsRead,
  build: StatementBuild,
): GroupValue {
  build.shape.addKeyPart(name)
  const count = { isText: false, select: asIs, decode: ([rowCount]: readonly unknown[]) => Number(rowCount) }
  if (queried === null) return { ...count, columns: [() => sql`count(*)`] }
  const value = comparedValue(queried, rows, build)
  const { compared, reference } = value
  const read: SqlPart<unknown> = (at) => compared.read(reference(at), false)
  const inOrder: SqlPart<unknown> = (at) => compared.inOrder(reference(at), false)
  const { groups } = build.dialect
  const whole = isWhole(queried)
  const rounded = { isText: false, select: asIs, decode: ([number]: readonly unknown[]) => roundedNumber(number) }
  switch (name) {
    case 'count':
      return { ...count, columns: [(at) => sql`count(${read(at)})`] }
    case 'sum': {
      if (!whole) return { ...rounded, columns: [(at) => groups.sum(read(at))] }
      const { columns, select, decode } = groups.wholeSum
      const length = columns(sql`0`).length
      const parts = Array.from(
        { length },
        (_, index): SqlPart<unknown> =>
          (at) =>
            columns(read(at))[index] ?? sql`null`,
      )
      return { columns: parts, isText: false, select, decode }
    }
    case 'avg':
      return { ...rounded, columns: [(at) => groups.average(read(at), whole)] }
    case 'min':
      return { columns: [(at) => sql`min(${inOrder(at)})`], ...storedValue(value) }
    case 'max':
      return { columns: [(at) => sql`max(${inOrder(at)})`], ...storedValue(value) }
  }
}
