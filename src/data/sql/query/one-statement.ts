import { sql } from 'kysely'
import type { ReadCriteria } from '../../../resource/capabilities/provider.js'
import type { CompiledType } from '../../../resource/compiled-type.js'
import type { RowCondition } from '../../../resource/querying/row-condition.js'
import type { Row } from '../../../rows/row-set.js'
import type { Operand } from '../dialect/operand.js'
import type { SqlStatement } from '../driver/sql-statement.js'
import type { SqlTables } from '../schema/sql-table.js'
import { columnOf, tableFor } from '../schema/sql-table.js'
import type { SqlStore } from '../sql-store.js'
import type { StatementText } from '../statement/statement-cache.js'
import type { ComparedColumn } from './compared-column.js'
import { comparedColumn } from './compared-column.js'
import { selectedColumn } from './list-statement.js'
import { tableAs } from './related-source.js'
import type { ScopeValues } from './scope-variants.js'
import { withScopeValues } from './scope-variants.js'
import { selectedFlags, sqlConditions } from './sql-conditions.js'
import type { Aliases, ScopeSlot, StatementBuild } from './statement-build.js'
import { freshAliases, statementBuild, where } from './statement-build.js'
import type { ReadColumns } from './wanted-columns.js'
import { wantedColumns } from './wanted-columns.js'

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
export function oneStatement(
  store: SqlStore,
  tables: SqlTables,
  criteria: OneCriteria,
  firstKey: unknown,
): BuiltStatement {
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
    const query = sql`select ${selected} from ${tableAs(rows.table, at.row)}${where(condition)(at)}${lock}`
    return { compile: () => query.compile(store.builder) }
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
