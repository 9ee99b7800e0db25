import { keyText } from '../../row-query/key-text.js'
import { pointer } from '../../document/json-pointer.js'
import type { Problem } from '../../errors/json-api-error.js'
import { fail } from '../../errors/json-api-error.js'
import type { Conflict, StoreConflict } from '../../resource/capabilities/store-conflict.js'
import { isStoreConflict } from '../../resource/capabilities/store-conflict.js'
import type { UniqueSet } from '../../resource/unique-sets.js'
import { sameColumns, uniqueSets } from '../../resource/unique-sets.js'
import type { Awaitable } from '../../util/types.js'
import { readTransaction } from '../../read/open-transactions.js'
import type { ReadContext } from '../../read/read-context.js'
import type { DocumentRow } from './document-row.js'
import { StoreRefusal } from './store-refusal.js'
import { refusedProblem } from './refused-problem.js'
import { takenProblem } from './taken-problem.js'
import { takenSets } from './taken-sets.js'
import { reportMissing } from './report-missing.js'

/**
 * Has a store write a row of a body. What it refuses is told at the members of the body that say it: 422 for values, 409
 * for an id of the client's, 404 for linkage to what is gone. Conflicts of what an author's code writes are its own.
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
    const refused = thrown.conflicts.flatMap((conflict) => refusedProblems(conflict, thrown, row))
    throw new StoreRefusal(thrown, async (reading) => {
      const linkages = thrown.conflicts.flatMap((each) => {
        return each.kind === 'reference' ? row.pointers.linkageOf(each.columns) : []
      })
      if (linkages.length > 0) await reportMissing(linkages, thrown, reading)
      const problems = [...refused, ...(await takenProblems(row, thrown.conflicts, reading))]
      for (const other of others) problems.push(...(await takenProblems(other, [], reading)))
      return problems
    })
  }
}

/**
 * What is wrong with the body, as far as that is known at once. What a persister of the author's wrote besides is not in
 * the body, and neither is a key that the client did not choose, nor a column that no member sets.
 */
function refusedProblems(conflict: Conflict, thrown: StoreConflict, row: DocumentRow): readonly Problem[] {
  const { served, clientId, pointers: places } = row
  const { type, id } = served.type
  if (conflict.type !== type) throw thrown
  switch (conflict.kind) {
    case 'unique':
      return []
    case 'inUse':
      throw thrown
    case 'key': {
      const isClients = clientId !== null && keyText(conflict.key) === keyText(id.decode(clientId))
      if (!isClients) throw thrown
      const source = { pointer: pointer('data', 'id') }
      return fail('CLIENT_GENERATED_ID_ALREADY_EXISTS', { id: clientId }, { source, cause: thrown })
    }
    case 'reference':
      if (places.linkageOf(conflict.columns).length === 0) throw thrown
      return []
    case 'null':
    case 'check':
    case 'value': {
      const problem = refusedProblem(conflict, row)
      if (problem === null) throw thrown
      return [problem]
    }
  }
}

/** What the store said of a row, and what it would have said next. */
async function takenProblems(
  row: DocumentRow,
  conflicts: readonly Conflict[],
  { context, open }: ReadContext,
): Promise<readonly Problem[]> {
  const { served, pointers: places } = row
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
      .map(({ rule, columns }) => takenProblem(rule, places.pointerTo(columns))),
    ...undeclared.map((columns) => takenProblem(null, places.pointerTo(columns))),
  ]
}
