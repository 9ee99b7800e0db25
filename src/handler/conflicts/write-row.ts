import { keyText } from '../../data/row-query/key-text.js'
import { pointer } from '../../document/json-pointer.js'
import type { Problem } from '../../errors/json-api-error.js'
import { fail } from '../../errors/json-api-error.js'
import type { Conflict, StoreConflict } from '../../resource/capabilities/store-conflict.js'
import { isStoreConflict } from '../../resource/capabilities/store-conflict.js'
import type { UniqueSet } from '../../resource/unique-sets.js'
import { sameColumns, uniqueSets } from '../../resource/unique-sets.js'
import type { Awaitable } from '../../util/types.js'
import { readTransaction } from '../open-transactions.js'
import type { Reading } from '../reading.js'
import type { DocumentRow } from './document-row.js'
import { Refusal } from './refusal.js'
import { takenProblem } from './taken-problem.js'
import { takenSets } from './taken-sets.js'

/**
 * Has a store write a row of a body. What it refuses because of other rows is told at the members of the body that say
 * what these have: 422 for values, 409 for an id of the client's. Conflicts of what an author's code writes are its own.
 *
 * @param others further rows that are yet to be written, in which values may be taken too
 */
export async function writeRow<Result>(
  row: DocumentRow,
  others: readonly DocumentRow[],
  write: () => Awaitable<Result>,
): Promise<Result> {
  try {
    return await write()
  } catch (thrown) {
    if (!isStoreConflict(thrown)) throw thrown
    for (const conflict of thrown.conflicts) checkTellable(conflict, thrown, row)
    throw new Refusal(thrown, async (reading) => {
      const problems = [...(await takenProblems(row, thrown.conflicts, reading))]
      for (const other of others) problems.push(...(await takenProblems(other, [], reading)))
      return problems
    })
  }
}

/** What a persister of the author's wrote besides is not in the body, and neither is a key that the client did not choose. */
function checkTellable(conflict: Conflict, thrown: StoreConflict, { served, clientId }: DocumentRow): void {
  const { type, id } = served.type
  if (conflict.type !== type || conflict.kind === 'inUse') throw thrown
  if (conflict.kind !== 'key') return
  const isClients = clientId !== null && keyText(conflict.key) === keyText(id.decode(clientId))
  if (!isClients) throw thrown
  const source = { pointer: pointer('data', 'id') }
  fail('CLIENT_GENERATED_ID_ALREADY_EXISTS', { id: clientId }, { source, cause: thrown })
}

/** What the store said of a row, and what it would have said next. */
async function takenProblems(
  row: DocumentRow,
  conflicts: readonly Conflict[],
  { context, open }: Reading,
): Promise<readonly Problem[]> {
  const { served, placeOf } = row
  const told = conflicts.flatMap((each) => (each.kind === 'unique' ? [each.columns] : []))
  const sets = uniqueSets(served.type)
  const isTold = (set: UniqueSet): boolean => told.some((columns) => sameColumns(columns, set.columns))
  const unsaid = sets.filter((set) => !isTold(set))
  const found = await takenSets(row, unsaid, { transaction: readTransaction(served, open), context })
  // A store may have indexes of which no declaration tells.
  const undeclared = told.filter((columns) => !sets.some((set) => sameColumns(columns, set.columns)))
  return [
    ...sets
      .filter((set) => isTold(set) || found.includes(set))
      .map(({ rule, columns }) => takenProblem(rule, placeOf(columns))),
    ...undeclared.map((columns) => takenProblem(null, placeOf(columns))),
  ]
}
