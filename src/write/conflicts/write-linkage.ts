import { keyText } from '../../row-query/key-text.js'
import { pointer as pointerTo } from '../../document/json-pointer.js'
import type { Problem } from '../../errors/json-api-error.js'
import type { ServedRelation } from '../../resource/capabilities/served-type.js'
import type { Conflict } from '../../resource/capabilities/store-conflict.js'
import { isStoreConflict } from '../../resource/capabilities/store-conflict.js'
import { sameColumns, uniqueSets } from '../../resource/unique-sets.js'
import type { Awaitable } from '../../util/types.js'
import type { Member } from '../document/member.js'
import { StoreRefusal } from './store-refusal.js'
import { violation } from './refused-problem.js'
import { takenProblem } from './taken-problem.js'
import { reportMissing } from './report-missing.js'

/** The linkage of a body, where what stands in it is written to the rows of members. */
export interface SentMembers {
  readonly relation: ServedRelation
  /** Where the linkage stands in the body. */
  readonly pointer: string
  /** Each with its own place. */
  readonly added: readonly NamedMember<string>[]
  /** Members whose join rows change. */
  readonly updated: readonly NamedMember<string>[]
  /** Without a place where the body leaves them out. */
  readonly removed: readonly NamedMember<string | null>[]
}

/** A member, and where the body names it. */
export interface NamedMember<Place> extends Member {
  readonly pointer: Place
}

/**
 * Has a store write the members of a relation. 422 at the identifier whose row cannot be a member, because another one
 * has the same values together with the key of the owner, or because of what the store demands of it; at the linkage
 * where the store does not say which row that is. 404 at those that are gone.
 */
export async function writeLinkage(sent: SentMembers, write: () => Awaitable<unknown>): Promise<void> {
  try {
    await write()
  } catch (thrown) {
    if (!isStoreConflict(thrown)) throw thrown
    const told = thrown.conflicts.filter(({ kind }) => kind !== 'reference')
    const problems = told.flatMap((conflict) => problemsOf(conflict, sent))
    // What a persister of the author's wrote besides is not in the body.
    const isOwn = thrown.conflicts.every(({ type }) => sent.relation.related.has(type))
    if (!isOwn || !problems.every((each) => each !== null)) throw thrown
    throw new StoreRefusal(thrown, async (reading) => {
      if (told.length < thrown.conflicts.length) await reportMissing([linkageOf(sent)], thrown, reading)
      return problems
    })
  }
}

function linkageOf({ relation, added }: SentMembers): Parameters<typeof reportMissing>[0][number] {
  return { relation, added: added.map(({ type, id, pointer }) => ({ type, id, pointer, pivot: {} })) }
}

function problemsOf(conflict: Conflict, sent: SentMembers): readonly Problem[] | null {
  const { relation, pointer, added, updated } = sent
  const related = relation.related.get(conflict.type)
  if (conflict.kind === 'inUse' || conflict.kind === 'key' || related === undefined) return null
  const { kind, type, columns, key } = conflict
  const member = [...added, ...updated].find((each) => {
    return each.type === type && keyText(key) !== null && keyText(each.key) === keyText(key)
  })
  const at = member?.pointer ?? pointer
  switch (kind) {
    case 'unique': {
      const set = uniqueSets(related.type).find((each) => sameColumns(each.columns, columns))
      return [takenProblem(set?.rule ?? null, at)]
    }
    case 'null': {
      const field = fieldAt(relation, columns, member)
      if (field !== null) return [violation('This is required.', field)]
      const isKey = relation.storage.kind === 'relatedKey' && columns.includes(relation.storage.key.id)
      return isKey ? neededProblems(sent) : null
    }
    case 'check':
      return [violation('This value is not allowed.', fieldAt(relation, columns, member) ?? at)]
    case 'value':
      return [violation('This has a value that cannot be stored.', at)]
    case 'reference':
      return null
  }
}

/** Members that must have an owner: each that the body names to be removed, or the linkage that leaves them out. */
function neededProblems({ pointer, removed }: SentMembers): readonly Problem[] {
  const places = removed.flatMap((each) => each.pointer ?? [])
  return places.length === 0
    ? [violation('A resource that is left out here cannot be without this relationship.', pointer)]
    : places.map((place) => violation('This resource cannot be without this relationship.', place))
}

/** The field of the join row of a member that is kept in a column; `null` where no field is, or it is not told whose. */
function fieldAt(
  { spec }: ServedRelation,
  columns: readonly string[],
  member: { readonly pointer: string } | undefined,
): string | null {
  const [column, ...others] = columns
  const field = Object.entries(spec.pivot).find(([name, { storedAs }]) => (storedAs ?? name) === column)
  if (member === undefined || field === undefined || others.length > 0) return null
  return `${member.pointer}${pointerTo('meta', 'pivot', field[0])}`
}
