import type { Problem } from '../../errors/json-api-error.js'
import type { ServedType } from '../../resource/capabilities/served-type.js'
import type { Transaction } from '../../resource/capabilities/transactions.js'
import type { CompiledType } from '../../resource/compiled-type.js'
import { columnsOf } from '../../resource/unique-sets.js'
import { comparableColumns, concerns } from '../validation/comparable-columns.js'
import { uniqueProblems } from '../validation/unique-problems.js'
import type { Validation } from '../validation/validation.js'
import type { ResourceDocument } from './resource-document.js'
import type { WritableMembers } from './writable-members.js'

interface Writing extends Pick<Validation, 'row' | 'context'> {
  readonly writable: WritableMembers
  readonly changes: readonly { readonly relation: { readonly name: string } }[]
  readonly transaction: Transaction | null | undefined
}

/** What a store would find taken of a document that it does not get to see, because of the problems that it has. */
export async function takenProblems(
  served: ServedType,
  document: ResourceDocument,
  { transaction, row, context, writable, changes }: Writing,
  problems: readonly Problem[],
): Promise<readonly Problem[]> {
  // A hydrator of the author's knows alone which columns it writes.
  if (transaction === undefined || served.hydrator !== null) return []
  const relinked = changes.flatMap(({ relation }) => columnsOf(served.type, relation.name))
  const written = {
    ...(await comparableColumns(writable.attributes, document.attributes, problems)),
    ...Object.fromEntries(relinked.map((column) => [column, null])),
  }
  return uniqueProblems(served, written, { row, transaction, context })
}

/** Problems of attributes in the order in which these are declared. */
export function declaredOrder({ attributes }: CompiledType, problems: readonly Problem[]): readonly Problem[] {
  const place = (problem: Problem): number => attributes.findIndex(({ name }) => concerns(problem, name))
  return problems.toSorted((one, other) => place(one) - place(other))
}
