import type { RawBuilder } from 'kysely'
import type { SqlDialect } from '../dialect/dialect.js'
import type { Operand } from '../dialect/operand.js'

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
export function rowParts(
  list: RawBuilder<unknown>,
  types: readonly string[],
  { lists }: Pick<SqlDialect, 'lists'>,
): readonly RawBuilder<unknown>[] {
  return types.map((type, index) => lists.item(list, index, type))
}

/** Serializes values to JSON, including bigints, which `JSON.stringify` does not support. */
export function jsonList(values: readonly unknown[]): string {
  return `[${values.map((value) => (typeof value === 'bigint' ? String(value) : JSON.stringify(value))).join(',')}]`
}
