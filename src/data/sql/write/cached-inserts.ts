import type { Row } from '../../../rows/row-set.js'
import type { SqlStatement } from '../driver/sql-driver.js'
import { rowDecoder } from '../query/row-decoder.js'
import type { StatementBuild } from '../query/statement-build.js'
import { propertiesOf } from '../query/wanted-columns.js'
import type { SqlColumn, SqlTable } from '../schema/sql-table.js'
import type { SqlStore } from '../sql-store.js'
import { StatementShape } from '../statement/statement-shape.js'
import type { StatementText } from '../statement/statement-cache.js'
import type { SetColumns } from './new-row.js'
import type { ReferencedRow } from './referenced-rows.js'
import { referencesExist, referenceValues } from './referenced-rows.js'
import { encoded } from './sql-writing.js'
import { insertText } from './write-row.js'

/** What the rows that are pointed at are looked for with. */
type Looking = Pick<StatementBuild, 'tables' | 'context'>

/** How rows of a table are inserted one by one, and answered. */
interface LoneInserts {
  /** Inserts a row where all that it points at is there. */
  readonly statementOf: (set: SetColumns, pointed: readonly ReferencedRow[], looking: Looking) => SqlStatement
  /** Those of the rows that it answers. */
  readonly columns: readonly string[]
  readonly decode: (row: Row) => Row
}

const known = new WeakMap<SqlTable, LoneInserts>()

/** A table is of one store. */
export function cachedInserts(store: SqlStore, table: SqlTable): LoneInserts {
  const before = known.get(table)
  if (before !== undefined) return before
  const made = {
    statementOf: statementsOf(store, table),
    columns: Object.freeze(propertiesOf(table.stored)),
    decode: rowDecoder(table.stored),
  }
  known.set(table, made)
  return made
}

/** An insert that was written before, by what its text depends on. */
interface WrittenInsert {
  readonly columns: readonly SqlColumn[]
  readonly pointed: readonly ReferencedRow[]
  readonly text: StatementText
}

/** How many texts are kept at hand: clients that leave out attributes do so in a few ways. */
const size = 16

/** What is sent is mostly of the same few columns: for these not even the shape of the statement is worked out again. */
function statementsOf({ statements, builder, engine }: SqlStore, table: SqlTable): LoneInserts['statementOf'] {
  let lately: readonly WrittenInsert[] = []
  return (set, pointed, looking) => {
    // What is asked besides may be something else each time.
    const isUsual = pointed.every(({ conditions }) => conditions.length === 0)
    const met = isUsual ? lately.find((each) => isWrittenSo(each, set, pointed)) : undefined
    if (met !== undefined) return met.text.withValues(valuesOf(set, pointed))
    const shape = new StatementShape()
    const condition =
      pointed.length === 0 ? null : referencesExist(pointed, { engine, builder, scopes: [], ...looking })
    const write = insertText(shape, { table, set, condition }, engine)
    const text = statements.text(shape, () => ({ compile: () => write().compile(builder) }))
    if (isUsual && text.isCached) lately = [{ columns: [...set.keys()], pointed, text }, ...lately.slice(0, size - 1)]
    return text.withValues(shape.values)
  }
}

function isWrittenSo(
  { columns, pointed: before }: WrittenInsert,
  set: SetColumns,
  pointed: readonly ReferencedRow[],
): boolean {
  if (columns.length !== set.size || before.length !== pointed.length) return false
  let index = 0
  for (const column of set.keys()) if (columns[index++] !== column) return false
  return pointed.every((row, position) => isSamePart(row, before[position]))
}

/** Whether the part of a statement that looks for a row has the same text as for another. */
function isSamePart({ target, operand }: ReferencedRow, other: ReferencedRow | undefined): boolean {
  return other?.target === target && other.operand.type === operand.type && other.operand.fine === operand.fine
}

/** In the order in which the text takes them. */
function valuesOf(set: SetColumns, pointed: readonly ReferencedRow[]): readonly unknown[] {
  const values: unknown[] = []
  for (const [column, value] of set) values.push(encoded(column, value))
  for (const row of pointed) for (const value of referenceValues(row)) values.push(value)
  return values
}
