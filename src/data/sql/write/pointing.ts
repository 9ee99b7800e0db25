import { sql } from 'kysely'
import type { RelationKey } from '../../../resource/relations/relation-spec.js'
import type { EngineName } from '../driver/sql-driver.js'
import { keyColumns } from '../query/join-pair.js'
import type { Operand } from '../query/operands.js'
import type { Binding } from '../query/statement-build.js'
import type { SqlColumn, SqlTable } from '../schema/sql-table.js'
import type { KeyCondition } from './key-condition.js'
import { hasKey, keyOperand } from './key-condition.js'

/** The columns of a row that point at a row of a type, and at which. */
export interface Pointing {
  readonly columns: readonly SqlColumn[]
  readonly values: ReadonlyMap<SqlColumn, unknown>
  /** What the columns are compared with; `null` where they cannot hold it. */
  readonly operands: readonly (readonly [SqlColumn, Operand])[] | null
}

export interface PointedAt {
  readonly type: string
  readonly key: unknown
}

export function pointingAt(
  table: SqlTable,
  key: RelationKey,
  { type, key: value }: PointedAt,
  engine: EngineName,
): Pointing {
  const columns = keyColumns(table, key)
  const values = new Map(columns.map((column, index) => [column, index === 0 ? value : type]))
  const operands = [...values].map(([column, each]) => [column, keyOperand(column, each, engine)] as const)
  const isPossible = operands.every((each): each is readonly [SqlColumn, Operand] => each[1] !== null)
  return { columns, values, operands: isPossible ? operands : null }
}

/** Whether a row points there. */
export function pointsThere(operands: NonNullable<Pointing['operands']>, binding: Binding): KeyCondition {
  const conditions = operands.map(([column, operand]) => hasKey(column, operand, binding))
  return (alias) =>
    sql.join(
      conditions.map((condition) => condition(alias)),
      sql` and `,
    )
}
