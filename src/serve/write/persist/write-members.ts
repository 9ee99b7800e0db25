import type {
  MemberKey,
  MemberValues,
  RelationshipChange,
  WriteContext,
} from '../../../declare/resource/capabilities/persister.js'
import type { ServedRelation, ServedType } from '../../../declare/resource/capabilities/served-type.js'
import type { ChildSpecs } from '../../../declare/resource/fields/attribute-declaration.js'
import type { RowObject } from '../../../declare/resource/fields/field-spec.js'
import type { CompiledType } from '../../../declare/resource/compiled/compiled-type.js'
import { keyIn, keyValues } from '../../../declare/resource/parts/key-columns.js'
import { clearedColumns } from '../../../declare/resource/compiled/cleared-columns.js'
import { referenceColumn } from '../../../declare/resource/compiled/relation-link.js'
import type { RequestContext } from '../../../declare/resource/request/request-context.js'
import { invariant } from '../../../core/util/invariant.js'
import type { NamedMember, SentMembers } from '../conflicts/write-linkage.js'
import { writeLinkage } from '../conflicts/write-linkage.js'
import { raisedValues } from '../../hooks/raised-values.js'
import { pivotReader } from '../../read/graph/pivot-reader.js'
import { hydrateFields } from '../columns/hydrate.js'
import type { OpenTransactions } from '../../read/read-context.js'
import { writeTransaction, readTransaction } from '../../read/read-context.js'
import type { LinkageChange, MemberOf, Member } from '../linkage/linkage-change.js'
import { countsAsChange, memberNamed, identityOf } from '../linkage/linkage-change.js'
import { writablePivot } from '../columns/pivot-fields.js'
import type { SentIdentifier } from '../document/sent-linkage.js'
import { rowObject } from '../../../core/rows/row-set.js'
import { findRow } from '../../read/rows/fetch-row.js'
import type { WriteOutcome } from './write-outcome.js'

/** A change of members that is stored outside the owner's row, ready to be written. */
export interface MemberMutation extends SentMembers {
  readonly change: RelationshipChange
  /**
   * Resources that the body names and that nothing is written for. The caller must be permitted to change them too: a refusal
   * must not reveal whether they are members.
   */
  readonly concealed: readonly NamedMember<string>[]
}

/** Returns the changes to write besides the owner's row: join rows, and foreign keys in rows of the related types. */
export async function memberMutations(
  changes: readonly LinkageChange[],
  memberOf: MemberOf,
  context: RequestContext,
): Promise<readonly MemberMutation[]> {
  const outsideOwner = changes.filter((change) => {
    const { writeBy } = change.relation
    return (writeBy === 'owner' || writeBy === 'targets') && countsAsChange(change)
  })
  return Promise.all(outsideOwner.map((change) => mutationOf(change, memberOf, context)))
}

async function mutationOf(
  { relation, pointer, sent: named, added, unchanged, removed, isConcealed }: LinkageChange,
  memberOf: MemberOf,
  context: RequestContext,
): Promise<MemberMutation> {
  const members = added.map((sent) => ({ sent, member: memberNamed(sent, memberOf) }))
  const updated = unchanged.filter(({ isJoinRowChanged }) => isJoinRowChanged)
  const [onCreate, onUpdate] = [
    memberWithFields(relation, 'create', context),
    memberWithFields(relation, 'update', context),
  ]
  const change: RelationshipChange = {
    added: await Promise.all(members.map(({ sent, member }) => onCreate(sent, member, null))),
    updated: await Promise.all(updated.map(({ sent, current }) => onUpdate(sent, current, current.join))),
    removed: removed.map(keyOf),
  }
  const written = new Set([...added, ...updated.map(({ sent }) => sent)])
  const removedIds = new Set(removed.map(identityOf))
  const others = isConcealed ? named.filter((sent) => !written.has(sent) && !removedIds.has(identityOf(sent))) : []
  const currentOf = new Map(unchanged.map(({ sent, current }) => [sent, current]))
  const pointerOf = new Map(named.map((sent) => [identityOf(sent), sent.pointer]))
  return {
    relation,
    pointer,
    change,
    added: members.map(({ sent, member }) => ({ ...member, pointer: sent.pointer })),
    updated: updated.map(({ sent, current }) => ({ ...current, pointer: sent.pointer })),
    removed: removed.map((member) => ({ ...member, pointer: pointerOf.get(identityOf(member)) ?? null })),
    concealed: others.flatMap((sent) => {
      const member: Member | undefined = currentOf.get(sent) ?? memberOf(sent)
      return member === undefined ? [] : [{ ...member, pointer: sent.pointer }]
    }),
  }
}

/**
 * Writes the changes that are stored outside the owner's row.
 *
 * @param row the stored row of the owner
 */
async function writeMembers(
  owner: ServedType,
  mutations: readonly MemberMutation[],
  row: RowObject,
  writing: MemberWriting,
): Promise<void> {
  for (const mutation of mutations) {
    const { added, updated, removed } = mutation.change
    if (added.length + updated.length + removed.length === 0) continue
    if (mutation.relation.writeBy === 'targets') await writeByTargets(mutation, row, writing)
    else await writeByOwner(owner, mutation, row, writing)
  }
}

/**
 * Whether writing members may also change the owner's row: the members may be rows of the same model, and a
 * user-defined provider of the owner may store the relation anywhere.
 */
function touchesOwnerRow({ type }: ServedType, mutations: readonly MemberMutation[]): boolean {
  return mutations.some(({ relation: { storage, targets } }) => {
    const isSameModel = targets.some(({ model }) => model !== null && model.name === type.model?.name)
    return isSameModel || storage.kind === 'provider'
  })
}

/** The transactions and the context in which members are written. */
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
  invariant(
    persister?.mutateRelationship !== undefined,
    `'${type.type}.${relation.name}' is written, but '${type.type}' has no mutateRelationship`,
  )
  const mutate = persister.mutateRelationship.bind(persister)
  await writeLinkage(mutation, () => mutate(relation, row, change, write))
}

/** @param join the existing join row; `null` for a new member */
type MemberWithFields = (sent: SentIdentifier, member: Member, join: RowObject | null) => Promise<MemberValues>

/**
 * Returns a function that adds the columns of the join row to a member. The writable fields are computed once for all
 * members.
 */
function memberWithFields(
  { spec }: ServedRelation,
  mode: 'create' | 'update',
  context: RequestContext,
): MemberWithFields {
  const writable = writablePivot(spec, mode, context)
  const fields: ChildSpecs = Object.fromEntries(writable.map((field) => [field.name, field.spec]))
  if (writable.length === 0) return async (_sent, { type, key }) => ({ type, key, values: noFields })
  const wireOf = pivotReader(spec, context)
  return async ({ pivot, pointer }, member, join) => {
    const stored = { raw: join ?? {}, wire: wireOf(join)?.pivot }
    return { ...keyOf(member), values: await hydrateFields(fields, pivot, stored, `${pointer}/meta/pivot`) }
  }
}

const noFields: RowObject = Object.freeze({})

function keyOf({ type, key }: Member): MemberKey {
  return { type, key }
}

/**
 * Updates related rows of another store, which hold the key of the owner. Each row is one update, so that a conflict is
 * reported for it.
 */
async function writeByTargets(
  { relation, pointer, added, removed }: MemberMutation,
  row: RowObject,
  { open, write }: MemberWriting,
): Promise<void> {
  const { storage, owner } = relation
  invariant(storage.kind === 'relatedKey', `'${owner.type}.${relation.name}' is not held by related rows`)
  const { id, type } = storage.key
  const columns = (isMember: boolean, target: CompiledType): RowObject => ({
    ...(isMember
      ? keyValues(id, keyIn(row, referenceColumn(owner)))
      : Object.fromEntries(clearedColumns(target, id).map((column) => [column, null]))),
    ...(type === null ? {} : { [type]: isMember ? owner.storedType : null }),
  })
  const set = async (member: NamedMember<string | null>, isMember: boolean): Promise<void> => {
    const served = relation.related.get(member.type)
    const persister = served?.persister ?? null
    invariant(
      served !== undefined && persister !== null,
      `rows of '${member.type}' are written, but it has no persister`,
    )
    const options = { ...write, transaction: writeTransaction(served, open) }
    const conflictMembers = { added: [], updated: [], removed: isMember ? [] : [member] }
    const linkage = { relation, pointer: member.pointer ?? pointer, ...conflictMembers }
    const change = { key: member.idKey, values: columns(isMember, served.type) }
    const values = await raisedValues(served, change, { open, context: write.context })
    await writeLinkage(linkage, () => persister.update(served.type, member.idKey, values, options))
  }
  for (const member of removed) await set(member, false)
  for (const member of added) await set(member, true)
}

/**
 * Writes the members of a row that has been written. Skips them if the persister accepted the work for later: it does
 * all of it.
 */
export async function withMembers(
  served: ServedType,
  result: WriteOutcome,
  mutations: readonly MemberMutation[],
  writing: MemberWriting,
): Promise<WriteOutcome> {
  if (result.kind === 'accepted' || mutations.length === 0) return result
  const { columns, rows } = result.rows
  const row = rowObject(columns, rows[0] ?? [])
  await writeMembers(served, mutations, row, writing)
  return touchesOwnerRow(served, mutations) ? rereadRow(served, result, writing) : result
}

/** Reads a written row again, because later statements may have changed it. */
export async function rereadRow(
  served: ServedType,
  result: Extract<WriteOutcome, { kind: 'row' }>,
  { open, write }: MemberWriting,
): Promise<WriteOutcome> {
  const { type } = served
  const { columns, rows } = result.rows
  const row = rowObject(columns, rows[0] ?? [])
  const read = { columns: null, conditions: [], transaction: readTransaction(served, open), context: write.context }
  const reread = await findRow(served, type.id.encode(keyIn(row, type.id.column)), read)
  return reread === null ? result : { kind: 'row', rows: reread }
}
