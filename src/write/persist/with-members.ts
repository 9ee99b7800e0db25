import type { ServedType } from '../../resource/capabilities/served-type.js'
import { keyIn } from '../../resource/key-columns.js'
import { rowObject } from '../../rows/row-set.js'
import type { MemberMutation, MemberWriting } from './write-members.js'
import { touchesOwnerRow, writeMembers } from './write-members.js'
import { findRow } from '../../read/rows/fetch-row.js'
import { readTransaction } from '../../read/open-transactions.js'
import type { WriteOutcome } from './write-outcome.js'

/**
 * Writes the members of a row that has been written. Skips them if the persister accepted the work for later: it does
 * all of it.
 */
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
  return touchesOwnerRow(served, mutations) ? rereadRow(served, result, writing) : result
}

/** Reads a written row again, because later statements may have changed it. */
export async function rereadRow(
  served: ServedType,
  result: Extract<WriteOutcome, { kind: 'row' }>,
  { open, write }: MemberWriting,
): Promise<WriteOutcome> {
  const { type } = served
  const { columns, rows } = result.rows
  const row = rowObject(columns, rows[0] ?? [])
  const read = { columns: null, conditions: [], transaction: readTransaction(served, open), context: write.context }
  const reread = await findRow(served, type.id.encode(keyIn(row, type.id.column)), read)
  return reread === null ? result : { kind: 'row', rows: reread }
}
