import { keyColumns } from '../../../resource/key-columns.js'
import { defaultNotation } from './instant-notation.js'
import type { SqlColumn } from './sql-table.js'

/**
 * Returns the composite keys of a table as columns, for conditions and joins: a row value in statements, and one list
 * of values in rows. They are not selected. A key without all its columns is left out: these are reported as missing.
 */
export function compositeColumns(
  names: ReadonlySet<string>,
  columnOf: ReadonlyMap<string, SqlColumn>,
): readonly SqlColumn[] {
  return [...names].flatMap((name) => {
    const parts = keyColumns(name).flatMap((column) => columnOf.get(column) ?? [])
    if (parts.length < keyColumns(name).length) return []
    return [
      Object.freeze<SqlColumn>({
        property: name,
        name: parts.map((part) => part.name).join(', '),
        parts: Object.freeze(parts),
        expression: null,
        type: 'other',
        storedType: 'other',
        declaredType: null,
        nullable: parts.some(({ nullable }) => nullable),
        isUniform: true,
        readAsText: null,
        items: null,
        isFiner: false,
        notation: defaultNotation,
        codec: { decode: null, encode: (value) => value },
        mapping: null,
      }),
    ]
  })
}

/** Returns the stored columns of a column: the column itself, or the columns of a composite key. */
export function partsOf(column: SqlColumn): readonly SqlColumn[] {
  return column.parts ?? [column]
}
