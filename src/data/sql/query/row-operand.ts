import type { RawBuilder } from 'kysely'
import { sql } from 'kysely'
import type { EngineName } from '../driver/sql-driver.js'
import { jsonList } from './json-list.js'
import type { Operand } from './operands.js'

/**
 * Returns the operand of a composite key: a JSON list of the operands of its columns. So a key is one parameter, like a
 * key of one column, and several keys are one parameter too.
 */
export function rowOperand(parts: readonly Operand[]): Operand {
  return {
    value: jsonList(parts.map(({ value }) => value)),
    type: `${prefix}${parts.map(({ type }) => type).join(',')}`,
    fine: false,
  }
}

const prefix = 'row '

/** Returns the types of the columns of a composite operand; `null` for another operand. */
export function rowTypes(type: string | null): readonly string[] | null {
  return type?.startsWith(prefix) === true ? type.slice(prefix.length).split(',') : null
}

/** Returns the values of a composite key, for a JSON list in a statement. */
export function rowValues(
  list: RawBuilder<unknown>,
  types: readonly string[],
  engine: EngineName,
): RawBuilder<unknown> {
  return sql.join(
    types.map((type, index) =>
      engine === 'postgres'
        ? sql`(${list}->>${sql.lit(index)})::${sql.raw(type)}`
        : sql`json_extract(${list}, ${sql.lit(`$[${index}]`)})`,
    ),
  )
}
