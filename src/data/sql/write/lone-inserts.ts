import type { Row } from '../../../rows/row-set.js'
import { recent } from '../../../util/recent.js'
import type { SqlStatement } from '../driver/sql-driver.js'
import { rowDecoder } from '../query/row-decoder.js'
import { propertiesOf } from '../query/wanted-columns.js'
import type { SqlTable } from '../schema/sql-table.js'
import type { SqlStore } from '../sql-store.js'
import { Shape } from '../statement/shape.js'
import type { StatementText } from '../statement/statement-cache.js'
import type { SetColumns } from './new-row.js'
import type { PointedRow } from './pointed-row.js'
import { areThere, pointedValues } from './pointed-row.js'
import { encoded } from './sql-writing.js'
import { insertText } from './write-row.js'

/** How rows of a table are inserted one by one, and answered. */
interface LoneInserts {
  /** Inserts a row where all that it points at is there. */
  readonly statementOf: (set: SetColumns, pointed: readonly PointedRow[]) => SqlStatement
  /** Those of the rows that it answers. */
  readonly columns: readonly string[]
  readonly decode: (row: Row) => Row
}

const known = new WeakMap<SqlTable, LoneInserts>()

/** A table is of one store. */
export function loneInserts(store: SqlStore, table: SqlTable): LoneInserts {
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

/** How many texts are kept at hand: clients that leave out attributes do so in a few ways. */
const size = 50

/** No name of a database has it. */
const end = '\u0000'

/** What is sent is mostly of the same few columns: for these not even the shape of the statement is worked out again. */
function statementsOf({ statements, builder, engine }: SqlStore, table: SqlTable): LoneInserts['statementOf'] {
  const texts = recent<string, StatementText>(size)
  return (set, pointed) => {
    let key = ''
    const values: unknown[] = []
    for (const [column, value] of set) {
      key += column.name + end
      values.push(encoded(column, value))
    }
    for (const row of pointed) {
      key += end + row.target.name + end + row.operand.type
      values.push(...pointedValues(row))
    }
    const met = texts.get(key)
    if (met !== undefined) return met.withValues(values)
    const shape = new Shape()
    const condition = pointed.length === 0 ? null : areThere(pointed, engine)
    const write = insertText(shape, { table, set, condition }, engine)
    const text = statements.text(shape, () => ({ compile: () => write().compile(builder) }))
    if (text.isKept) texts.set(key, text)
    return text.withValues(shape.values)
  }
}
