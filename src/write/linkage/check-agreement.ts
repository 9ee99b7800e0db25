import { isDeepStrictEqual } from 'node:util'
import { keyText } from '../../row-query/key-text.js'
import { fail } from '../../errors/json-api-error.js'
import type { RowObject } from '../../resource/fields/field-spec.js'
import { referenceColumn } from '../../resource/relations/relation-link.js'
import type { LinkageChange } from './linkage-change.js'
import { changesAnything } from './linkage-change.js'
import type { MemberOf } from './resolve-members.js'
import type { SentIdentifier } from '../document/sent-linkage.js'

interface OwnRow {
  readonly memberOf: MemberOf
  /** What is stored, `null` on create. */
  readonly row: RowObject | null
}

/**
 * 422 where a document wants two different things of the same rows: relations may be two views of one set, and where one
 * leads back to its own type, a resource may be a member of itself. Whichever is written last would win. Who sends back
 * what there is wants nothing.
 */
export function checkAgreement(changes: readonly LinkageChange[], own: OwnRow): void {
  for (const [index, change] of changes.entries()) {
    const isRefused = changes.slice(0, index).some((other) => {
      if (!changesAnything(other) && !changesAnything(change)) return false
      if (isSameSet(other, change)) return !agreesOnMembers(other, change, own) || !agreesOnFields(other, change)
      return isOtherEnd(other, change) && hasItself(other, own) !== hasItself(change, own)
    })
    if (isRefused) contradiction(change)
  }
}

export function contradiction({ relation, pointer }: LinkageChange): never {
  const message = `This contradicts another relationship that '${relation.name}' shares its storage with.`
  fail('VALIDATION_FAILED', { message }, { source: { pointer } })
}

/** Whether two relations of one owner have the same rows for members. */
function isSameSet({ relation: { storage: a, targets } }: LinkageChange, { relation: other }: LinkageChange): boolean {
  const { storage: b } = other
  if (a.kind === 'join' && b.kind === 'join') {
    return a.model === b.model && a.owner.id === b.owner.id && a.member.id === b.member.id
  }
  if (a.kind !== 'relatedKey' || b.kind !== 'relatedKey' || a.key.id !== b.key.id) return false
  return targets.some(({ model }) => other.targets.some((target) => target.model?.name === model?.name))
}

/** Whether one leads back over the other: then only the owner itself can be told two things of. */
function isOtherEnd({ relation: one }: LinkageChange, { relation: other }: LinkageChange): boolean {
  const { storage: a } = one
  const { storage: b } = other
  if (a.kind === 'join' && b.kind === 'join') {
    return a.model === b.model && a.owner.id === b.member.id && a.member.id === b.owner.id
  }
  const [own, related] = a.kind === 'ownKey' ? [a, b] : [b, a]
  if (own.kind !== 'ownKey' || related.kind !== 'relatedKey' || own.key.id !== related.key.id) return false
  return [...one.targets, ...other.targets].every(({ model }) => model?.name === one.owner.model?.name)
}

/** Views that lead to different types may show different members of one set: there only what both speak of counts. */
function agreesOnMembers(one: LinkageChange, other: LinkageChange, own: OwnRow): boolean {
  const [wanted, alsoWanted] = [wantedKeys(one, own), wantedKeys(other, own)]
  const isHarmed = one.removed.some(({ key }) => alsoWanted.has(keyText(key)))
  if (isHarmed || other.removed.some(({ key }) => wanted.has(keyText(key)))) return false
  if (!isDeepStrictEqual([...one.relation.related.keys()], [...other.relation.related.keys()])) return true
  const [single, list] = one.relation.spec.traits.toMany ? [other, wanted] : [one, alsoWanted]
  // Of several that claim to be the one, only the first is shown.
  const isFirst = !single.relation.spec.traits.toMany && single.sent.length > 0 && !changesAnything(single)
  if (isFirst) return [...wantedKeys(single, own)].every((key) => list.has(key))
  return isDeepStrictEqual(wanted, alsoWanted)
}

/** What two views say of one join row. */
function agreesOnFields(one: LinkageChange, other: LinkageChange): boolean {
  const { pivot } = other.relation.spec
  const shared = Object.keys(one.relation.spec.pivot).filter((name) => Object.hasOwn(pivot, name))
  const there = new Map(one.sent.map((member) => [member.id, member]))
  return other.sent.every((member) => {
    const twin = there.get(member.id)
    return twin === undefined || shared.every((name) => isSameWhereBothSpeak(name, twin, member))
  })
}

function isSameWhereBothSpeak(name: string, { pivot: one }: SentIdentifier, { pivot: other }: SentIdentifier): boolean {
  return !Object.hasOwn(one, name) || !Object.hasOwn(other, name) || isDeepStrictEqual(one[name], other[name])
}

/** The keys of the members that there will be. */
function wantedKeys(
  { relation: { storage }, added, kept }: LinkageChange,
  { memberOf, row }: OwnRow,
): Set<string | null> {
  const stored = (key: unknown): unknown => (storage.kind === 'ownKey' ? row?.[storage.key.id] : key)
  return new Set([
    ...added.map((sent) => keyText(memberOf(sent)?.key)),
    ...kept.map(({ current }) => keyText(stored(current.key))),
  ])
}

function hasItself(change: LinkageChange, own: OwnRow): boolean {
  const key = keyText(own.row?.[referenceColumn(change.relation.owner)])
  return key !== null && wantedKeys(change, own).has(key)
}
