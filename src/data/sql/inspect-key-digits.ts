import type { CompiledType } from '../../resource/compiled-type.js'
import { keyColumns } from '../../resource/key-columns.js'
import type { SqlFinding } from './finding.js'
import { finding } from './finding.js'
import { isDeclaredColumn } from './schema/key-column.js'
import type { SqlColumn, SqlTables } from './schema/sql-table.js'
import { tableText } from './schema/table-model.js'

/**
 * Reports ids over instants of PostgreSQL with microseconds. A `Date` in a row has milliseconds, so the id that a response shows would not
 * be that of the row. A column that the model declares is not reported: as text it has all digits, as an instant it has milliseconds only.
 */
export function keyDigitProblems(types: readonly CompiledType[], tables: SqlTables): readonly SqlFinding[] {
  return types.flatMap((type) => {
    const table = type.model === null ? undefined : tables.get(type.model)
    if (table === undefined) return []
    const name = tableText({ schema: table.schema, name: table.name })
    return keyColumns(type.id.column)
      .filter((member) => !isDeclaredColumn(type, member))
      .flatMap((member) => table.columnOf.get(member) ?? [])
      .filter(losesDigits)
      .map((column) =>
        finding(
          'key-digits',
          `${type.type}.id`,
          `The column '${column.name}' of the table '${name}' may have microseconds, which the id of '${type.type}' would lose: a resource would not be found by its id. Declare { columns: { ${column.property}: 'text' } } in table(), or '${column.type}' instead of 'text' if it has milliseconds only.`,
        ),
      )
  })
}

function losesDigits({ type, isFiner }: SqlColumn): boolean {
  return (type === 'instant' || type === 'timestamp') && isFiner
}
