import type { Row } from '../../../rows/row-set.js'
import type { SqlStatement } from '../driver/sql-statement.js'
import type { ScopeValues } from '../query/scope-variants.js'
import { areSame, readScopes } from '../query/scope-variants.js'
import type { ScopeSlot, StatementBuild } from '../query/statement-build.js'
import { propertiesOf, rowDecoder } from '../query/wanted-columns.js'
import type { SqlColumn, SqlTable } from '../schema/sql-table.js'
import type { SqlStore } from '../sql-store.js'
import type { StatementText } from '../statement/statement-cache.js'
import { StatementShape } from '../statement/statement-shape.js'
import type { SetColumns } from './new-row.js'
import type { ReferencedRow } from './referenced-rows.js'
import { referencesExist, referenceValues } from './referenced-rows.js'
import { encodedValue } from './sql-writing.js'
import { insertText } from './write-row.js'

/** The context for reading the referenced rows. */
type ReferenceContext = Pick<StatementBuild, 'tables' | 'context'>

/** The cached parts of single-row inserts into a table. */
interface TableInserts {
  /** Returns the statement that inserts a row if all rows that it refers to exist. */
  readonly statementOf: (
    set: SetColumns,
    referenced: readonly ReferencedRow[],
    referenceContext: ReferenceContext,
  ) => SqlStatement
  /** The names of the columns that the statement returns. */
  readonly columns: readonly string[]
  readonly decode: (row: Row) => Row
}

const insertsByTable = new WeakMap<SqlTable, TableInserts>()

/** Returns the cached inserts of a table. The table is the whole cache key, because it belongs to one store. */
export function cachedInserts(store: SqlStore, table: SqlTable): TableInserts {
  const cached = insertsByTable.get(table)
  if (cached !== undefined) return cached
  const made = {
    statementOf: statementsOf(store, table),
    columns: Object.freeze(propertiesOf(table.stored)),
    decode: rowDecoder(table.stored),
  }
  insertsByTable.set(table, made)
  return made
}

/** The text of an insert, with everything that the text depends on. */
interface CachedInsert {
  readonly columns: readonly SqlColumn[]
  readonly referenced: readonly ReferencedRow[]
  readonly text: StatementText
  /** The scopes of the referenced rows, at most one of each, and the structures that they had. */
  readonly scopes: readonly ScopeSlot[]
  readonly structures: readonly string[]
}

/** The maximum number of cached texts of a table: clients send only a few different sets of attributes. */
const maxCachedTexts = 16

/**
 * Caches statement texts by column set. Most inserts set the same columns, and then skip even the shape of the
 * statement: a fast path of `insertText`. Without it, a create takes 9 % more CPU time (W5 on SQLite).
 */
function statementsOf(store: SqlStore, table: SqlTable): TableInserts['statementOf'] {
  const { statements, builder, dialect } = store
  let inserts: readonly CachedInsert[] = []
  return (set, referenced, referenceContext) => {
    const { tables, context } = referenceContext
    for (const each of inserts) {
      if (!hasSameText(each, set, referenced)) continue
      const scopes = readScopes(each.scopes, { store, tables, context })
      if (scopes !== null && areSame(scopes.structures, each.structures)) {
        return each.text.withValues(valuesOf(set, referenced, scopes.values))
      }
    }
    const shape = new StatementShape()
    const scopes: ScopeSlot[] = []
    const condition =
      referenced.length === 0 ? null : referencesExist(referenced, { dialect, builder, scopes, ...referenceContext })
    const write = insertText(shape, { table, set, condition }, dialect)
    const text = statements.text(shape, () => ({ compile: () => write().compile(builder) }))
    const read = readScopes(scopes, { store, tables, context })
    // Conditions besides scopes could have further values.
    const isCacheable = read !== null && valuesOf(set, referenced, read.values).length === shape.values.length
    if (isCacheable && text.isCached) {
      const { structures } = read
      const columns = [...set.keys()]
      const cached = { columns, referenced: referenced.map(withoutKey), text, scopes, structures }
      inserts = [cached, ...inserts.slice(0, maxCachedTexts - 1)]
    }
    return text.withValues(shape.values)
  }
}

/** A cached text must not keep the values of a request in memory. */
function withoutKey({ operand, ...row }: ReferencedRow): ReferencedRow {
  return { ...row, operand: { ...operand, value: null } }
}

function hasSameText(
  { columns, referenced: cached }: CachedInsert,
  set: SetColumns,
  referenced: readonly ReferencedRow[],
): boolean {
  if (columns.length !== set.size || cached.length !== referenced.length) return false
  let index = 0
  for (const column of set.keys()) if (columns[index++] !== column) return false
  return referenced.every((row, position) => isSamePart(row, cached[position]))
}

/** Returns whether the statement parts that look up two referenced rows have the same text. */
function isSamePart({ target, operand, conditions }: ReferencedRow, other: ReferencedRow | undefined): boolean {
  if (other?.target !== target || other.conditions !== conditions) return false
  return other.operand.type === operand.type && other.operand.fine === operand.fine
}

/** Returns the values in the order of the parameters of the text. */
function valuesOf(set: SetColumns, referenced: readonly ReferencedRow[], scopeValues: ScopeValues): readonly unknown[] {
  const values: unknown[] = []
  for (const [column, value] of set) values.push(encodedValue(column, value))
  let scope = 0
  for (const row of referenced) {
    for (const value of referenceValues(row)) values.push(value)
    if (row.conditions.some(({ kind }) => kind === 'scope')) values.push(...(scopeValues[scope++] ?? []))
  }
  return values
}
