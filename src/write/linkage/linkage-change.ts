import { isDeepStrictEqual } from 'node:util'
import type { ServedRelation } from '../../resource/capabilities/served-type.js'
import type { RelationshipMode } from '../../resource/hooks.js'
import type { RequestContext } from '../../resource/request-context.js'
import { pivotReader } from '../../read/graph/pivot-reader.js'
import type { CurrentMember } from './current-members.js'
import { identityOf } from '../document/member.js'
import { writablePivot } from '../columns/pivot-fields.js'
import type { SentIdentifier, SentLinkage } from '../document/sent-linkage.js'

/** What a write makes of the members of a relation. */
export interface LinkageChange {
  readonly relation: ServedRelation
  readonly mode: RelationshipMode
  /** Where the linkage stands in the body. */
  readonly pointer: string
  /** Each resource once. */
  readonly sent: readonly SentIdentifier[]
  readonly added: readonly SentIdentifier[]
  /** Members that were sent and stay. */
  readonly kept: readonly UnchangedMember[]
  readonly removed: readonly CurrentMember[]
  /** Who the members are afterwards, as far as the caller sees them. */
  readonly resulting: readonly ResultingMember[]
  /** Members that the caller does not see, and that stay therefore; none where nobody has to know. */
  readonly unseen: readonly ResultingMember[]
}

type ResultingMember = Pick<CurrentMember, 'type' | 'id'>

export interface UnchangedMember {
  readonly sent: SentIdentifier
  readonly current: CurrentMember
  /** Whether what was sent for its join row differs from what a client would read there. */
  readonly isChanged: boolean
}

/** The difference between the members that there are and those that a body asks for. */
export function linkageChange(
  { relation, members, pointer }: SentLinkage,
  mode: RelationshipMode,
  current: readonly CurrentMember[],
  context: RequestContext,
): LinkageChange {
  // Of a new resource, all that is sent is new.
  if (current.length === 0 && mode !== 'remove') {
    const added = distinct(members)
    return { relation, mode, pointer, sent: added, unseen: [], added, kept: [], removed: [], resulting: added }
  }
  const sent = new Map(members.map((member) => [identityOf(member), member]))
  const there = new Map(current.map((member) => [identityOf(member), member]))
  const common = { relation, mode, pointer, sent: [...sent.values()], unseen: [] }
  if (mode === 'remove') {
    const stays = current.filter((member) => !sent.has(identityOf(member)))
    const removed = current.filter((member) => sent.has(identityOf(member)))
    return { ...common, added: [], kept: [], removed, resulting: stays }
  }
  const added = common.sent.filter((member) => !there.has(identityOf(member)))
  const isChanged = joinComparison(relation, context)
  const kept = common.sent.flatMap((member) => {
    const found = there.get(identityOf(member))
    return found === undefined ? [] : [{ sent: member, current: found, isChanged: isChanged(member, found) }]
  })
  if (mode === 'add') return { ...common, added, kept, removed: [], resulting: [...current, ...added] }
  return { ...common, added, kept, removed: removedBy(relation, sent, current), resulting: common.sent }
}

function distinct(members: readonly SentIdentifier[]): readonly SentIdentifier[] {
  if (members.length < 2) return members
  return [...new Map(members.map((member) => [identityOf(member), member])).values()]
}

/** Whether anything is written at all: a body that repeats what is stored changes nothing. */
export function changesAnything({ added, kept, removed }: LinkageChange): boolean {
  return added.length > 0 || removed.length > 0 || kept.some(({ isChanged }) => isChanged)
}

/** Of several that claim to be the one, the first is shown: who repeats that one repeats what is stored. */
function removedBy(
  { spec }: ServedRelation,
  sent: ReadonlyMap<string, SentIdentifier>,
  current: readonly CurrentMember[],
): readonly CurrentMember[] {
  const [first] = current
  if (!spec.traits.toMany && first !== undefined && sent.has(identityOf(first))) return []
  return current.filter((member) => !sent.has(identityOf(member)))
}

function joinComparison(
  { spec }: ServedRelation,
  context: RequestContext,
): (sent: SentIdentifier, current: CurrentMember) => boolean {
  const writable = writablePivot(spec, 'update', context)
  if (writable.length === 0) return () => false
  const wireOf = pivotReader(spec, context)
  return ({ pivot }, { join }) => {
    const stored = wireOf(join)?.['pivot'] as Readonly<Record<string, unknown>> | undefined
    return writable.some(({ name }) => Object.hasOwn(pivot, name) && !isDeepStrictEqual(pivot[name], stored?.[name]))
  }
}
