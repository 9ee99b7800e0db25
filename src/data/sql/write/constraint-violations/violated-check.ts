import type { Sentence } from '../../../../errors/sentence.js'
import { sentence } from '../../../../errors/sentence.js'
import type { SqlFault } from '../../driver/sql-fault.js'
import type { TableName } from '../../schema/live-schema.js'
import type { SqlColumn, SqlTable } from '../../schema/sql-table.js'
import type { SqlWriting } from '../sql-writing.js'
import { runRead } from '../sql-writing.js'
import { allowedByCheck } from './allowed-values.js'
import { constraintColumns } from './constraint-columns.js'

/** A check constraint that a row violates. */
export interface ViolatedCheck {
  /** The columns of the constraint, as far as they are known. */
  readonly columns: readonly SqlColumn[]
  /** A sentence for clients: which values are allowed. Null if the constraint is about several columns, or cannot be parsed. */
  readonly allowed: Sentence | null
}

export async function violatedCheck(
  { constraint, partitionedBy = [] }: Extract<SqlFault, { kind: 'check' }>,
  { table, constrained }: { readonly table: SqlTable; readonly constrained: TableName },
  writing: SqlWriting,
): Promise<ViolatedCheck> {
  if (constraint === null) {
    const columns = partitionedBy.flatMap((name) => table.columnNamed.get(name) ?? [])
    return { columns, allowed: columns.length === 1 ? sentence('partition') : null }
  }
  const { columnsOf, checkText } = writing.store.dialect.constraints
  const text = await checkText(constraint, constrained, (build) => runRead(writing, build))
  const columns =
    columnsOf === null ? columnsIn(text, table) : await constraintColumns(constraint, { table, constrained }, writing)
  const [only, ...others] = columns
  return { columns, allowed: only === undefined || others.length > 0 ? null : allowedByCheck(text, only.name) }
}

/** Returns the columns that the text of a constraint names. String literals are ignored. */
function columnsIn(text: string, { stored }: SqlTable): readonly SqlColumn[] {
  const words = new Set(
    text
      .replaceAll(/'[^']*'/g, '')
      .match(/\w+/g)
      ?.map((word) => word.toLowerCase()),
  )
  return stored.filter(({ name }) => words.has(name.toLowerCase()))
}
