import { keyText } from '../../../stores/row-query/key-text.js'
import { pointer as pointerTo } from '../../../core/document/json-pointer.js'
import type { Problem } from '../../../core/errors/json-api-error.js'
import { sentence } from '../../../core/errors/sentence.js'
import type { ServedRelation } from '../../../declare/resource/capabilities/served-type.js'
import type { Conflict } from '../../../declare/resource/capabilities/store-conflict.js'
import { isStoreConflict } from '../../../declare/resource/capabilities/store-conflict.js'
import { keyColumns } from '../../../declare/resource/parts/key-columns.js'
import { sameColumns, uniqueSets } from '../../../declare/resource/compiled/unique-sets.js'
import type { Awaitable } from '../../../core/util/types.js'
import type { Member } from '../linkage/linkage-change.js'
import { StoreRefusal, reportMissing } from './store-refusal.js'
import { violation, takenProblem } from './conflict-problem.js'

/** The linkage of a body that is written to join rows or to the rows of the members. */
export interface SentMembers {
  readonly relation: ServedRelation
  /** The JSON pointer to the linkage in the body. */
  readonly pointer: string
  /** New members, each with its pointer. */
  readonly added: readonly NamedMember<string>[]
  /** Members whose join rows change. */
  readonly updated: readonly NamedMember<string>[]
  /** Removed members; the pointer is `null` if the body does not name them. */
  readonly removed: readonly NamedMember<string | null>[]
}

/** A member with its JSON pointer in the body. */
export interface NamedMember<Pointer> extends Member {
  readonly pointer: Pointer
}

/**
 * Writes the members of a relation, and converts a store conflict to problems of the body. A unique conflict or a
 * violated constraint is a 422 at the identifier of the member, or at the linkage if the store does not report which
 * row it was. A member that was deleted after it was read is a 404 at its identifier.
 */
export async function writeLinkage(sent: SentMembers, write: () => Awaitable<unknown>): Promise<void> {
  try {
    await write()
  } catch (thrown) {
    if (!isStoreConflict(thrown)) throw thrown
    const reported = thrown.conflicts.filter(({ kind }) => kind !== 'reference')
    const problems = reported.flatMap((conflict) => problemsOf(conflict, sent))
    // Rows of other types, which a user-defined persister wrote too, are not in the body.
    const isOfMembers = thrown.conflicts.every(({ type }) => sent.relation.related.has(type))
    if (!isOfMembers || !problems.every((each) => each !== null)) throw thrown
    throw new StoreRefusal(thrown, async (request) => {
      if (reported.length < thrown.conflicts.length) await reportMissing([linkageOf(sent)], thrown, request)
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
      if (field !== null) return [violation(sentence('required'), field)]
      const isKey =
        relation.storage.kind === 'relatedKey' &&
        keyColumns(relation.storage.key.id).some((name) => columns.includes(name))
      return isKey ? neededProblems(sent) : null
    }
    case 'check':
      return [violation(conflict.allowed ?? sentence('allowed'), fieldAt(relation, columns, member) ?? at)]
    case 'value': {
      const field = fieldAt(relation, columns, member)
      if (field === null) return [violation(sentence('storableValues'), at)]
      return [violation(conflict.allowed ?? sentence('storable'), field)]
    }
    case 'reference':
      return null
  }
}

/**
 * Returns problems for members that must have an owner: at each identifier to remove, or at the linkage that omits
 * them.
 */
function neededProblems({ pointer, removed }: SentMembers): readonly Problem[] {
  const pointers = removed.flatMap((each) => each.pointer ?? [])
  return pointers.length === 0
    ? [violation(sentence('relationNeededElsewhere'), pointer)]
    : pointers.map((removedPointer) => violation(sentence('relationNeeded'), removedPointer))
}

/**
 * Returns the pointer to the field of a join row that sets a column; `null` if no field does, or if the member is
 * unknown.
 */
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
