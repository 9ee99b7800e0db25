import type { RawBuilder } from 'kysely'
import type { ComparedAs } from '../../../declare/resource/fields/value-kind.js'
import type { ColumnType } from '../schema/column-type.js'

/** A value in the form in which it is compared with a column. */
export interface Operand {
  readonly value: unknown
  /** The type of the parameter in the database; `null` if the engine needs none. */
  readonly type: string | null
  /** Whether the column must be converted to a higher precision, as a date column that is compared with an instant. */
  readonly fine: boolean
}

/** Converts a value; `null` if no value of the column can be compared with it. */
type OperandOf = (value: unknown, type: ColumnType) => Operand | null

/** Converts values to operands, by what they are compared as. */
export type Operands = Readonly<Record<ComparedAs | 'key', OperandOf>>

/** How a column stores its values. */
export interface ReadColumn {
  readonly type: ColumnType
  readonly isUniform: boolean
  readonly fine: boolean
}

/** Returns the expression that is compared, by what the column is compared as. */
export type ReadAs = Readonly<
  Record<ComparedAs | 'key', (reference: RawBuilder<unknown>, column: ReadColumn) => RawBuilder<unknown>>
>
