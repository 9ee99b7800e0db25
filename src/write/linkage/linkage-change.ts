import { isDeepStrictEqual } from 'node:util'
import type { ServedRelation } from '../../resource/capabilities/served-type.js'
import type { RelationshipMode } from '../../resource/hooks.js'
import { isVisible } from '../../resource/fields/visible-field.js'
import type { RequestContext } from '../../resource/request-context.js'
import { pivotReader } from '../../read/graph/pivot-reader.js'
import type { CurrentMember } from './current-members.js'
import { identityOf } from '../document/member.js'
import { writablePivot } from '../columns/pivot-fields.js'
import type { SentIdentifier, SentLinkage } from '../document/sent-linkage.js'

/** The change of the members of a relation by a write. */
export interface LinkageChange {
  readonly relation: ServedRelation
  readonly mode: RelationshipMode
  /** The JSON pointer to the linkage in the body. */
  readonly pointer: string
  /** The sent identifiers without duplicates. */
  readonly sent: readonly SentIdentifier[]
  readonly added: readonly SentIdentifier[]
  /** Members that were sent and stay. */
  readonly kept: readonly UnchangedMember[]
  readonly removed: readonly CurrentMember[]
  /** The members after the write that are in the client's scope. */
  readonly resulting: readonly ResultingMember[]
  /** Members outside the client's scope, which stay; empty if they are not needed. See `unseenMembers()`. */
  readonly unseen: readonly ResultingMember[]
}

type ResultingMember = Pick<CurrentMember, 'type' | 'id'>

export interface UnchangedMember {
  readonly sent: SentIdentifier
  readonly current: CurrentMember
  /** Whether the sent fields of the join row differ from those that a client reads. */
  readonly isChanged: boolean
}

/** Returns the difference between the current members and the members of a body. */
export function linkageChange(
  { relation, members, pointer }: SentLinkage,
  mode: RelationshipMode,
  current: readonly CurrentMember[],
  context: RequestContext,
): LinkageChange {
  // Fast path: without current members, all sent members are new.
  if (current.length === 0 && mode !== 'remove') {
    const added = distinct(members)
    return { relation, mode, pointer, sent: added, unseen: [], added, kept: [], removed: [], resulting: added }
  }
  const sent = new Map(members.map((member) => [identityOf(member), member]))
  const currentById = new Map(current.map((member) => [identityOf(member), member]))
  const common = { relation, mode, pointer, sent: [...sent.values()], unseen: [] }
  if (mode === 'remove') {
    const remaining = current.filter((member) => !sent.has(identityOf(member)))
    const removed = current.filter((member) => sent.has(identityOf(member)))
    return { ...common, added: [], kept: [], removed, resulting: remaining }
  }
  const added = common.sent.filter((member) => !currentById.has(identityOf(member)))
  const isChanged = joinRowComparison(relation, context)
  const kept = common.sent.flatMap((member) => {
    const found = currentById.get(identityOf(member))
    return found === undefined ? [] : [{ sent: member, current: found, isChanged: isChanged(member, found) }]
  })
  if (mode === 'add') return { ...common, added, kept, removed: [], resulting: [...current, ...added] }
  return { ...common, added, kept, removed: removedMembers(relation, sent, current), resulting: common.sent }
}

function distinct(members: readonly SentIdentifier[]): readonly SentIdentifier[] {
  if (members.length < 2) return members
  return [...new Map(members.map((member) => [identityOf(member), member])).values()]
}

/** Whether a change has to be written: a body that repeats the stored members changes nothing. */
export function changesAnything({ added, kept, removed }: LinkageChange): boolean {
  return added.length > 0 || removed.length > 0 || kept.some(({ isChanged }) => isChanged)
}

/**
 * Whether the resulting linkage may say more than the body: `fillUsing()` decides what is stored, and join rows of new members have
 * fields that the body does not set.
 */
export function isMoreThanSent({ relation: { spec }, added }: LinkageChange, context: RequestContext): boolean {
  if (spec.fill !== null) return true
  const shown = Object.keys(spec.pivot).filter((name) => {
    const field = spec.pivot[name]
    return field !== undefined && isVisible(field, context)
  })
  if (shown.length === 0 || added.length === 0) return false
  const writable = new Set(writablePivot(spec, 'create', context).map(({ name }) => name))
  return added.some(({ pivot }) => !shown.every((name) => writable.has(name) && Object.hasOwn(pivot, name)))
}

/**
 * Returns the members that a replacement removes. If several rows point at the owner of a to-one relation, clients read
 * only the first: a body that repeats it changes nothing.
 */
function removedMembers(
  { spec }: ServedRelation,
  sent: ReadonlyMap<string, SentIdentifier>,
  current: readonly CurrentMember[],
): readonly CurrentMember[] {
  const [first] = current
  if (!spec.traits.toMany && first !== undefined && sent.has(identityOf(first))) return []
  return current.filter((member) => !sent.has(identityOf(member)))
}

function joinRowComparison(
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
