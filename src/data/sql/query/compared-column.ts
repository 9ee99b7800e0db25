import type { RawBuilder } from 'kysely'
import { sql } from 'kysely'
import type { ComparedAs } from '../../../resource/fields/value-kind.js'
import type { QueryColumn } from '../../../resource/querying/row-condition.js'
import { keyText } from '../../../row-query/key-text.js'
import type { EngineName } from '../driver/sql-driver.js'
import type { ColumnType } from '../schema/column-type.js'
import type { SqlColumn } from '../schema/sql-table.js'
import type { Operand } from './operands.js'
import { operands } from './operands.js'
import { isReadAsHeld, readAs } from './read-as.js'

/** How the values of a column are compared with others. */
export interface ComparedColumn {
  readonly as: ComparedAs | 'key'
  /** Notes what its part of the text depends on. */
  readonly name: string
  /** Whether it is compared as it is held. Else there may be values that cannot be compared: they count as none. */
  readonly isHeld: boolean
  /** `null` for what no value of the column can be compared with. */
  readonly operand: (asked: unknown) => Operand | null
  /** The column as it is compared, by its reference. */
  read(reference: RawBuilder<unknown>, fine: boolean): RawBuilder<unknown>
  /** The same in orders and ranges: text goes by code points. */
  inOrder(reference: RawBuilder<unknown>, fine: boolean): RawBuilder<unknown>
}

/** Keys are compared as the column holds them, everything else by what its kind says, or else by what the column holds. */
export function comparedColumn(
  column: SqlColumn,
  { kind, isKey }: Pick<QueryColumn, 'kind' | 'isKey'>,
  engine: EngineName,
): ComparedColumn {
  const { type, isUniform } = column
  const as = isKey ? 'key' : (kind?.comparedAs ?? naturally(type))
  const read = (reference: RawBuilder<unknown>, fine: boolean): RawBuilder<unknown> =>
    readAs[as](reference, { type, isUniform, engine, fine })
  const isText = as === 'text' || as === 'json' || (isKey && textual.has(type))
  const collates = isText && (engine === 'sqlite' || type !== 'uuid')
  return {
    as,
    name: `${JSON.stringify(column.name)} ${type} ${as} ${isUniform}`,
    isHeld: isReadAsHeld(as, column),
    operand: (asked) => operands[as](as === 'json' ? asked : heldBy(column, asked, isKey), type, engine),
    read,
    inOrder: (reference, fine) =>
      collates ? sql`${read(reference, fine)} collate ${codePoints[engine]}` : read(reference, fine),
  }
}

/** What the column holds for a value of rows. What cannot be mapped is none, nor is a key that rows would show otherwise. */
function heldBy({ mapping }: SqlColumn, value: unknown, isKey: boolean): unknown {
  if (mapping?.fromRow === undefined || value === null || value === undefined) return value
  try {
    const held = mapping.fromRow(value)
    return isKey && keyText(mapping.toRow(held)) !== keyText(value) ? null : held
  } catch {
    return null
  }
}

/** On SQLite it is that of most columns: their indexes serve what names it, too. */
const codePoints = Object.freeze({ postgres: sql.id('C'), sqlite: sql.raw('binary') })

const textual: ReadonlySet<ColumnType> = new Set(['text', 'other'])

/** What a column holds, where no attribute says. */
function naturally(type: ColumnType): ComparedAs {
  switch (type) {
    case 'integer':
    case 'bigint':
    case 'number':
    case 'real':
    case 'decimal':
      return 'number'
    case 'boolean':
      return 'boolean'
    case 'instant':
    case 'timestamp':
    case 'epochSeconds':
    case 'epochMilliseconds':
    case 'date':
    case 'time':
      return 'moment'
    case 'json':
    case 'list':
      return 'json'
    default:
      return 'text'
  }
}
