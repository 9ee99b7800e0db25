import type { RawBuilder } from 'kysely'
import { sql } from 'kysely'
import type { EngineName } from '../driver/sql-driver.js'
import type { Operand } from '../query/operands.js'
import { comparedColumn } from '../query/compared-column.js'
import { jsonList } from '../query/list-values.js'
import type { SqlColumn } from '../schema/sql-table.js'
import type { Shape } from '../statement/shape.js'

/** A condition on a row, by what its table is called in the statement. */
export type KeyCondition = (alias: string) => RawBuilder<unknown>

/** What a condition is read with. */
interface Bound {
  readonly shape: Shape
  readonly engine: EngineName
}

/** A key as a column would hold it; `null` for what can be no value of the column, so that no row has it. */
export function keyOperand(column: SqlColumn, key: unknown, engine: EngineName): Operand | null {
  return comparedColumn(column, { kind: null, isKey: true }, engine).operand(key)
}

/** Whether a column holds a key. */
export function hasKey(column: SqlColumn, { value, type }: Operand, { shape, engine }: Bound): KeyCondition {
  const slot = shape.bind(value)
  shape.note(`${column.name} = ${type}`)
  const bound = engine === 'postgres' && type !== null ? sql`${slot}::${sql.raw(type)}` : sql`${slot}`
  return (alias) => sql`${read(column, alias, engine)} = ${bound}`
}

/** Whether a column holds one of several keys, bound as one list. Those that it cannot hold are none of them. */
export function hasOneOfKeys(column: SqlColumn, keys: readonly unknown[], { shape, engine }: Bound): KeyCondition {
  const operands = keys.flatMap((key) => keyOperand(column, key, engine) ?? [])
  const values = operands.map(({ value }) => value)
  const type = sql.raw(operands[0]?.type ?? 'text')
  shape.note(`${column.name} in ${operands[0]?.type}`)
  if (operands.length === 0) return () => sql`1 = 0`
  if (engine === 'postgres') {
    const slot = shape.bind(values)
    return (alias) => sql`${read(column, alias, engine)} = any(${slot}::${type}[])`
  }
  const slot = shape.bind(jsonList(values))
  return (alias) => sql`${read(column, alias, engine)} in (select value from json_each(${slot}))`
}

function read(column: SqlColumn, alias: string, engine: EngineName): RawBuilder<unknown> {
  return comparedColumn(column, { kind: null, isKey: true }, engine).read(sql.id(alias, column.name), false)
}
