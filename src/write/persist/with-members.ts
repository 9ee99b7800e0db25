import type { ServedType } from '../../resource/capabilities/served-type.js'
import { rowObject } from '../../rows/row-set.js'
import type { MemberMutation, MemberWriting } from './write-members.js'
import { touchesOwnRow, writeMembers } from './write-members.js'
import { findRow } from '../../read/rows/fetch-row.js'
import { readTransaction } from '../../read/open-transactions.js'
import type { WriteOutcome } from './write-outcome.js'

/** Writes the members of a row that was written, where it was: work that was put off takes its members along. */
export async function withMembers(
  served: ServedType,
  result: WriteOutcome,
  mutations: readonly MemberMutation[],
  writing: MemberWriting,
): Promise<WriteOutcome> {
  if (result.kind === 'accepted' || mutations.length === 0) return result
  const { columns, rows } = result.rows
  const row = rowObject(columns, rows[0] ?? [])
  await writeMembers(served, mutations, row, writing)
  return touchesOwnRow(served, mutations) ? rereadRow(served, result, writing) : result
}

/** A row that was written, after something else may have been written to it. */
export async function rereadRow(
  served: ServedType,
  result: Extract<WriteOutcome, { kind: 'row' }>,
  { open, write }: MemberWriting,
): Promise<WriteOutcome> {
  const { type } = served
  const { columns, rows } = result.rows
  const row = rowObject(columns, rows[0] ?? [])
  const read = { columns: null, conditions: [], transaction: readTransaction(served, open), context: write.context }
  const again = await findRow(served, type.id.encode(row[type.id.column]), read)
  return again === null ? result : { kind: 'row', rows: again }
}
