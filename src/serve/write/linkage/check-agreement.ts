import { isDeepStrictEqual } from 'node:util'
import { keyText } from '../../../stores/row-query/key-text.js'
import { fail } from '../../../core/errors/json-api-error.js'
import { sentence } from '../../../core/errors/sentence.js'
import type { RowObject } from '../../../declare/resource/fields/field-spec.js'
import { keyIn } from '../../../declare/resource/parts/key-columns.js'
import { referenceColumn } from '../../../declare/resource/compiled/relation-link.js'
import type { LinkageChange, MemberOf } from './linkage-change.js'
import { changesAnything } from './linkage-change.js'
import type { SentIdentifier } from '../document/sent-linkage.js'

interface OwnerRow {
  readonly memberOf: MemberOf
  /** The stored row; `null` on create. */
  readonly row: RowObject | null
}

/**
 * Fails with 422 if a document contradicts itself: two relations may have the same stored rows, and a resource may be a
 * member of its own relation, if the relation is to its own type. The relation that is written last would win. Relations
 * that the client sends back unchanged never contradict each other.
 */
export function checkAgreement(changes: readonly LinkageChange[], owner: OwnerRow): void {
  for (const [index, change] of changes.entries()) {
    const isRefused = changes.slice(0, index).some((other) => {
      if (!changesAnything(other) && !changesAnything(change)) return false
      if (isSameSet(other, change)) return !agreesOnMembers(other, change, owner) || !agreesOnFields(other, change)
      return isInverse(other, change) && containsOwner(other, owner) !== containsOwner(change, owner)
    })
    if (isRefused) contradiction(change)
  }
}

export function contradiction({ relation, pointer }: LinkageChange): never {
  const message = sentence('relationContradicts', { relation: relation.name })
  fail('VALIDATION_FAILED', { message }, { source: { pointer } })
}

/** Whether two relations of one owner store their members in the same rows. */
function isSameSet({ relation: { storage: a, targets } }: LinkageChange, { relation: other }: LinkageChange): boolean {
  const { storage: b } = other
  if (a.kind === 'join' && b.kind === 'join') {
    return a.model === b.model && a.owner.id === b.owner.id && a.member.id === b.member.id
  }
  if (a.kind !== 'relatedKey' || b.kind !== 'relatedKey' || a.key.id !== b.key.id) return false
  return targets.some(({ model }) => other.targets.some((target) => target.model?.name === model?.name))
}

/** Whether two relations are inverse to each other: then they can contradict each other only about the owner itself. */
function isInverse({ relation: one }: LinkageChange, { relation: other }: LinkageChange): boolean {
  const { storage: a } = one
  const { storage: b } = other
  if (a.kind === 'join' && b.kind === 'join') {
    return a.model === b.model && a.owner.id === b.member.id && a.member.id === b.owner.id
  }
  const [ownKey, relatedKey] = a.kind === 'ownKey' ? [a, b] : [b, a]
  if (ownKey.kind !== 'ownKey' || relatedKey.kind !== 'relatedKey' || ownKey.key.id !== relatedKey.key.id) return false
  return [...one.targets, ...other.targets].every(({ model }) => model?.name === one.owner.model?.name)
}

/**
 * Whether two relations that share their rows want the same members. Relations to different types may have different
 * members in the same rows: then it is enough that neither removes a member that the other wants.
 */
function agreesOnMembers(one: LinkageChange, other: LinkageChange, owner: OwnerRow): boolean {
  const [wanted, alsoWanted] = [wantedKeys(one, owner), wantedKeys(other, owner)]
  const removesWanted = one.removed.some(({ key }) => alsoWanted.has(keyText(key)))
  if (removesWanted || other.removed.some(({ key }) => wanted.has(keyText(key)))) return false
  if (!isDeepStrictEqual([...one.relation.related.keys()], [...other.relation.related.keys()])) return true
  const [single, list] = one.relation.spec.traits.toMany ? [other, wanted] : [one, alsoWanted]
  // If several rows point at the owner of a to-one relation, a client reads only the first of them.
  const isUnchangedToOne = !single.relation.spec.traits.toMany && single.sent.length > 0 && !changesAnything(single)
  if (isUnchangedToOne) return [...wantedKeys(single, owner)].every((key) => list.has(key))
  return isDeepStrictEqual(wanted, alsoWanted)
}

/** Whether two relations that share join rows send the same values for the same fields. */
function agreesOnFields(one: LinkageChange, other: LinkageChange): boolean {
  const { pivot } = other.relation.spec
  const shared = Object.keys(one.relation.spec.pivot).filter((name) => Object.hasOwn(pivot, name))
  const sentById = new Map(one.sent.map((member) => [member.id, member]))
  return other.sent.every((member) => {
    const same = sentById.get(member.id)
    return same === undefined || shared.every((name) => isSameIfBothSent(name, same, member))
  })
}

function isSameIfBothSent(name: string, { pivot: one }: SentIdentifier, { pivot: other }: SentIdentifier): boolean {
  return !Object.hasOwn(one, name) || !Object.hasOwn(other, name) || isDeepStrictEqual(one[name], other[name])
}

/** Returns the keys of the added members and of the sent members that stay. */
function wantedKeys(
  { relation: { storage }, added, unchanged }: LinkageChange,
  { memberOf, row }: OwnerRow,
): Set<string | null> {
  const stored = (key: unknown): unknown => (storage.kind === 'ownKey' ? keyIn(row ?? {}, storage.key.id) : key)
  return new Set([
    ...added.map((sent) => keyText(memberOf(sent)?.key)),
    ...unchanged.map(({ current }) => keyText(stored(current.key))),
  ])
}

/** Whether the owner will be a member of its own relation. */
function containsOwner(change: LinkageChange, owner: OwnerRow): boolean {
  const key = keyText(keyIn(owner.row ?? {}, referenceColumn(change.relation.owner)))
  return key !== null && wantedKeys(change, owner).has(key)
}
