import { keyText } from '../../../stores/row-query/key-text.js'
import { pointer } from '../../../core/document/json-pointer.js'
import type { Problem } from '../../../core/errors/json-api-error.js'
import { sentence } from '../../../core/errors/sentence.js'
import { fail } from '../../../core/errors/json-api-error.js'
import type { Conflict, StoreConflict } from '../../../declare/resource/capabilities/store-conflict.js'
import { isStoreConflict } from '../../../declare/resource/capabilities/store-conflict.js'
import { isComposite, keyColumns, keyIn } from '../../../declare/resource/parts/key-columns.js'
import { isIdColumn } from '../../../declare/resource/compiled/cleared-columns.js'
import { referenceColumn } from '../../../declare/resource/compiled/relation-link.js'
import type { UniqueSet } from '../../../declare/resource/compiled/unique-sets.js'
import { sameColumns, uniqueSets } from '../../../declare/resource/compiled/unique-sets.js'
import type { Awaitable } from '../../../core/util/types.js'
import { readTransaction } from '../../read/read-context.js'
import type { ReadContext } from '../../read/read-context.js'
import type { DocumentRow } from './document-row.js'
import { StoreRefusal, reportMissing } from './store-refusal.js'
import { constraintProblem, takenProblem, violation } from './conflict-problem.js'
import { takenSets } from './taken-sets.js'

/**
 * Writes a row of a body, and converts a store conflict to problems of the members that set the columns: 422 for
 * values, 409 for a client-generated id, 404 for linkage to a deleted resource. Conflicts of rows that user-defined
 * code writes are rethrown.
 *
 * @param others rows that are written later: their unique conflicts are reported in the same response
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
    const refused = thrown.conflicts.flatMap((conflict) => conflictProblems(conflict, thrown, row))
    throw new StoreRefusal(thrown, async (request) => {
      const linkages = thrown.conflicts.flatMap((each) => {
        return each.kind === 'reference' ? row.pointers.linkageOf(each.columns) : []
      })
      if (linkages.length > 0) await reportMissing(linkages, thrown, request)
      const problems = [...refused, ...(await takenProblems(row, thrown.conflicts, request))]
      for (const other of others) problems.push(...(await takenProblems(other, [], request)))
      return problems
    })
  }
}

/**
 * Returns the problems of the body that are known without further reads. Rethrows the error if the conflict is not
 * caused by the body: a row of another type, which a user-defined persister wrote too, a key that the client did not
 * choose, or a column that no member sets.
 */
function conflictProblems(conflict: Conflict, thrown: StoreConflict, row: DocumentRow): readonly Problem[] {
  const { served, clientId, pointers } = row
  const { type, id } = served.type
  if (conflict.type !== type) throw thrown
  switch (conflict.kind) {
    case 'unique':
      return []
    case 'inUse':
      throw thrown
    case 'key': {
      const isClients = clientId !== null && keyText(conflict.key) === keyText(id.decode(clientId))
      if (!isClients && isMadeByMembers(conflict.key, row)) return alreadyExists(conflict.key, thrown, row)
      const linked = isClients ? null : linkedKey(conflict.key, row)
      if (linked !== null) return [takenProblem(null, linked)]
      if (!isClients) throw thrown
      const source = { pointer: pointer('data', 'id') }
      return fail('CLIENT_GENERATED_ID_ALREADY_EXISTS', { id: clientId }, { source, cause: thrown })
    }
    case 'reference': {
      if (pointers.linkageOf(conflict.columns).length > 0) return []
      if (clientId === null || !conflict.columns.some((column) => isIdColumn(served.type, column))) throw thrown
      return [violation(sentence('idOfMissing'), pointer('data', 'id'))]
    }
    case 'null':
    case 'check':
    case 'value': {
      const problem = constraintProblem(conflict, row)
      if (problem === null) throw thrown
      return [problem]
    }
  }
}

/** Returns whether the members of a new resource make a key: a composite one, or that of a resource that it belongs to. */
function isMadeByMembers(key: unknown, { served, values, pointers }: DocumentRow): boolean {
  const { column } = served.type.id
  if (isComposite(column)) return Array.isArray(key)
  return pointers.linkageOf([column]).length > 0 && keyText(values[column]) === keyText(key)
}

/** Returns the pointer to the linkage that sets a key which is not the id; `null` if there is none. */
function linkedKey(key: unknown, { served: { type }, row, values, pointers }: DocumentRow): string | null {
  const columns = keyColumns(referenceColumn(type))
  if (referenceColumn(type) === type.id.column || pointers.linkageOf(columns).length === 0) return null
  const written = keyIn({ ...row, ...values }, referenceColumn(type))
  return keyText(written) === keyText(key) ? pointers.pointerTo(columns) : null
}

/** Fails because a row already has the id that the attributes and relationships of a new resource make. */
function alreadyExists(key: unknown, cause: StoreConflict, { served, pointers }: DocumentRow): never {
  const { type, id } = served.type
  const source = { pointer: pointers.pointerTo(keyColumns(id.column)) }
  fail('RESOURCE_ALREADY_EXISTS', { type, id: id.encode(key) }, { source, cause })
}

/** Returns the unique conflicts that the store has reported, and those that it would have reported next. */
async function takenProblems(
  row: DocumentRow,
  conflicts: readonly Conflict[],
  { context, open }: ReadContext,
): Promise<readonly Problem[]> {
  const { served, pointers } = row
  const reported = conflicts.flatMap((each) => (each.kind === 'unique' ? [each.columns] : []))
  const sets = uniqueSets(served.type)
  const isReported = (set: UniqueSet): boolean => reported.some((columns) => sameColumns(columns, set.columns))
  const unreported = sets.filter((set) => !isReported(set))
  const found = await takenSets(row, unreported, { transaction: readTransaction(served, open), context })
  // A store may have unique indexes that are not declared.
  const undeclared = reported.filter((columns) => !sets.some((set) => sameColumns(columns, set.columns)))
  return [
    ...sets
      .filter((set) => isReported(set) || found.includes(set))
      .map(({ rule, columns }) => takenProblem(rule, pointers.pointerTo(columns))),
    ...undeclared.map((columns) => takenProblem(null, pointers.pointerTo(columns))),
  ]
}
