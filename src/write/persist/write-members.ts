import type {
  MemberKey,
  MemberValues,
  RelationshipChange,
  WriteContext,
} from '../../resource/capabilities/persister.js'
import type { ServedRelation, ServedType } from '../../resource/capabilities/served-type.js'
import type { ChildSpecs } from '../../resource/fields/attribute-declaration.js'
import type { RowObject } from '../../resource/fields/field-spec.js'
import { referenceColumn } from '../../resource/relations/relation-link.js'
import type { RequestContext } from '../../resource/request-context.js'
import { invariant } from '../../util/invariant.js'
import type { NamedMember, SentMembers } from '../conflicts/write-linkage.js'
import { writeLinkage } from '../conflicts/write-linkage.js'
import { pivotReader } from '../../read/graph/pivot-reader.js'
import { hydrateFields } from '../columns/hydrate.js'
import type { OpenTransactions } from '../../read/open-transactions.js'
import { writeTransaction } from '../../read/open-transactions.js'
import type { LinkageChange } from '../linkage/linkage-change.js'
import { changesAnything } from '../linkage/linkage-change.js'
import type { Member } from '../document/member.js'
import { identityOf } from '../document/member.js'
import { writablePivot } from '../columns/pivot-fields.js'
import type { MemberOf } from '../linkage/resolve-members.js'
import { memberNamed } from '../linkage/resolve-members.js'
import type { SentIdentifier } from '../document/sent-linkage.js'

/** A change that is not in the owner's own row, ready to be written. */
export interface MemberMutation extends SentMembers {
  readonly change: RelationshipChange
}

/** What is to be written besides the owner's row: join rows, and keys in rows of the related types. */
export async function memberMutations(
  changes: readonly LinkageChange[],
  memberOf: MemberOf,
  context: RequestContext,
): Promise<readonly MemberMutation[]> {
  const elsewhere = changes.filter((change) => {
    const { writeBy } = change.relation
    return (writeBy === 'owner' || writeBy === 'targets') && changesAnything(change)
  })
  return Promise.all(elsewhere.map((change) => mutationOf(change, memberOf, context)))
}

async function mutationOf(
  { relation, pointer, sent: named, added, kept, removed }: LinkageChange,
  memberOf: MemberOf,
  context: RequestContext,
): Promise<MemberMutation> {
  const members = added.map((sent) => ({ sent, member: memberNamed(sent, memberOf) }))
  const updated = kept.filter(({ isChanged }) => isChanged)
  const [onCreate, onUpdate] = [joining(relation, 'create', context), joining(relation, 'update', context)]
  const change: RelationshipChange = {
    added: await Promise.all(members.map(({ sent, member }) => onCreate(sent, member, null))),
    updated: await Promise.all(updated.map(({ sent, current }) => onUpdate(sent, current, current.join))),
    removed: removed.map(keyOf),
  }
  const placeOf = new Map(named.map((sent) => [identityOf(sent), sent.pointer]))
  return {
    relation,
    pointer,
    change,
    added: members.map(({ sent, member }) => ({ ...member, pointer: sent.pointer })),
    updated: updated.map(({ sent, current }) => ({ ...current, pointer: sent.pointer })),
    removed: removed.map((member) => ({ ...member, pointer: placeOf.get(identityOf(member)) ?? null })),
  }
}

/**
 * Writes what is not in the owner's own row.
 *
 * @param row the owner as it is stored
 */
export async function writeMembers(
  owner: ServedType,
  mutations: readonly MemberMutation[],
  row: RowObject,
  writing: MemberWriting,
): Promise<void> {
  for (const mutation of mutations) {
    if (mutation.relation.writeBy === 'targets') await writeByTargets(mutation, row, writing)
    else await writeByOwner(owner, mutation, row, writing)
  }
}

/**
 * Whether what is written of members may be in the owner's own row after all: they may be rows of the same model, and a
 * provider of the owner's own may keep them anywhere.
 */
export function touchesOwnRow({ type }: ServedType, mutations: readonly MemberMutation[]): boolean {
  return mutations.some(({ relation: { storage, targets } }) => {
    const isKin = targets.some(({ model }) => model !== null && model.name === type.model?.name)
    return isKin || storage.kind === 'provider'
  })
}

/** Where members are written. */
export interface MemberWriting {
  readonly open: OpenTransactions
  readonly write: WriteContext
}

async function writeByOwner(
  { type, persister }: ServedType,
  mutation: MemberMutation,
  row: RowObject,
  { write }: MemberWriting,
): Promise<void> {
  const { relation, change } = mutation
  invariant(persister?.mutateRelationship !== undefined, `nobody writes '${type.type}.${relation.name}'`)
  const mutate = persister.mutateRelationship.bind(persister)
  await writeLinkage(mutation, () => mutate(relation, row, change, write))
}

/** @param join the join row that there is; `null` for a new member */
type Joining = (sent: SentIdentifier, member: Member, join: RowObject | null) => Promise<MemberValues>

/** Makes members with what a client may say of their join rows, worked out once for all of them. */
function joining({ spec }: ServedRelation, mode: 'create' | 'update', context: RequestContext): Joining {
  const writable = writablePivot(spec, mode, context)
  const fields: ChildSpecs = Object.fromEntries(writable.map((field) => [field.name, field.spec]))
  const wireOf = pivotReader(spec, context)
  return async ({ pivot, pointer }, member, join) => {
    const stored = { raw: join ?? {}, wire: wireOf(join)?.['pivot'] }
    return { ...keyOf(member), values: await hydrateFields(fields, pivot, stored, `${pointer}/meta/pivot`) }
  }
}

function keyOf({ type, key }: Member): MemberKey {
  return { type, key }
}

/** The related rows live elsewhere, and hold the key of the owner: each is told apart from the others. */
async function writeByTargets(
  { relation, pointer, added, removed }: MemberMutation,
  row: RowObject,
  { open, write }: MemberWriting,
): Promise<void> {
  const { storage, owner } = relation
  invariant(storage.kind === 'relatedKey', `'${owner.type}.${relation.name}' is not held by related rows`)
  const { id, type } = storage.key
  const columns = (pointing: boolean): RowObject => ({
    [id]: pointing ? row[referenceColumn(owner)] : null,
    ...(type === null ? {} : { [type]: pointing ? owner.type : null }),
  })
  const set = async (member: NamedMember<string | null>, pointing: boolean): Promise<void> => {
    const served = relation.related.get(member.type)
    const persister = served?.persister ?? null
    invariant(served !== undefined && persister !== null, `nobody writes the rows of '${member.type}'`)
    const into = { ...write, transaction: writeTransaction(served, open) }
    const own = { added: [], updated: [], removed: pointing ? [] : [member] }
    const place = { relation, pointer: member.pointer ?? pointer, ...own }
    await writeLinkage(place, () => persister.update(served.type, member.idKey, columns(pointing), into))
  }
  for (const member of removed) await set(member, false)
  for (const member of added) await set(member, true)
}
