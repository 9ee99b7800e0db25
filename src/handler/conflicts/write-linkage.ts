import { keyText } from '../../data/row-query/key-text.js'
import type { Problem } from '../../errors/json-api-error.js'
import type { ServedRelation } from '../../resource/capabilities/served-type.js'
import type { Conflict } from '../../resource/capabilities/store-conflict.js'
import { isStoreConflict } from '../../resource/capabilities/store-conflict.js'
import { sameColumns, uniqueSets } from '../../resource/unique-sets.js'
import type { Awaitable } from '../../util/types.js'
import type { Member } from '../linkage/member.js'
import { Refusal } from './refusal.js'
import { takenProblem } from './taken-problem.js'

/** The linkage of a body, where what stands in it is written to the rows of members. */
export interface SentMembers {
  readonly relation: ServedRelation
  /** Where the linkage stands in the body. */
  readonly pointer: string
  /** Each with its own place. */
  readonly added: readonly (Member & { readonly pointer: string })[]
}

/**
 * Has a store write the members of a relation. 422 at the identifier whose row cannot be a member, because another one
 * has the same values together with the key of the owner; at the linkage where the store does not say which row that is.
 */
export async function writeLinkage(sent: SentMembers, write: () => Awaitable<unknown>): Promise<void> {
  try {
    await write()
  } catch (thrown) {
    if (!isStoreConflict(thrown)) throw thrown
    const problems = thrown.conflicts.map((conflict) => problemOf(conflict, sent))
    // What a persister of the author's wrote besides is not in the body.
    if (!problems.every((each) => each !== null)) throw thrown
    throw new Refusal(thrown, () => problems)
  }
}

function problemOf(conflict: Conflict, { relation, pointer, added }: SentMembers): Problem | null {
  const related = relation.related.get(conflict.type)
  if (conflict.kind !== 'unique' || related === undefined) return null
  const { type, columns, key } = conflict
  const member = added.find((each) => each.type === type && keyText(key) !== null && keyText(each.key) === keyText(key))
  const set = uniqueSets(related.type).find((each) => sameColumns(each.columns, columns))
  return takenProblem(set?.rule ?? null, member?.pointer ?? pointer)
}
