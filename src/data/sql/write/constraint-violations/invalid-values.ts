import type { Sentence } from '../../../../errors/sentence.js'
import type { SqlColumn, SqlTable } from '../../schema/sql-table.js'
import type { SetColumns } from '../new-row.js'
import type { SqlWriting } from '../sql-writing.js'
import { encodedValue, runRead } from '../sql-writing.js'

/** A column whose new value does not fit. */
export interface InvalidValue {
  readonly column: SqlColumn
  /** A sentence for clients: which values are allowed. Null if that is unknown. */
  readonly allowed: Sentence | null
}

/** Returns the values of a refused row that do not fit into their columns, as far as the engine can tell. */
export async function invalidValues(
  { table, set }: { readonly table: SqlTable; readonly set: SetColumns },
  writing: SqlWriting,
): Promise<readonly InvalidValue[]> {
  const sent = [...set].flatMap(([column, value]) => {
    const text = textOf(encodedValue(column, value))
    return text === null ? [] : [{ name: column.name, text }]
  })
  const found = await writing.store.dialect.constraints.invalidValues(table, sent, (build) => runRead(writing, build))
  return found.flatMap(({ name, allowed }) => {
    const column = table.columnNamed.get(name)
    return column === undefined ? [] : [{ column, allowed }]
  })
}

/** Returns a value as the driver sends it; null for lists, bytes and other values whose form is always valid. */
function textOf(value: unknown): string | null {
  switch (typeof value) {
    case 'string':
      return value
    case 'number':
    case 'bigint':
    case 'boolean':
      return String(value)
    default:
      return null
  }
}
