import type { MemberKey, RelationshipChange } from '../../declare/resource/capabilities/persister.js'
import { storeConflict } from '../../declare/resource/capabilities/store-conflict.js'
import type { Transaction } from '../../declare/resource/request/transactions.js'
import type { CompiledType } from '../../declare/resource/compiled/compiled-type.js'
import type { RowObject } from '../../declare/resource/fields/field-spec.js'
import { keyIn } from '../../declare/resource/parts/key-columns.js'
import { clearedColumns } from '../../declare/resource/compiled/cleared-columns.js'
import type { RelationLink, RelationStorage } from '../../declare/resource/compiled/relation-link.js'
import { referenceColumn, storedTypeOf } from '../../declare/resource/compiled/relation-link.js'
import { columnsFor, hasColumns, memberText } from '../row-query/relation-columns.js'
import type { RelationKey } from '../../declare/resource/relations/relation-spec.js'
import { withRaisedVersion } from '../../declare/resource/versions/raised-version.js'
import { invariant } from '../../core/util/invariant.js'
import { keyText } from '../row-query/key-text.js'
import type { RowEntry } from './layered-rows.js'
import { byColumn, findRows } from './layered-rows.js'
import type { MemoryStore } from './memory-store.js'
import type { MemoryTable, TableDraft } from './memory-table.js'
import { draftOf, insertInto, removeFrom, replaceIn, findTableRow } from './memory-table.js'
import { modelOf } from './memory-query-context.js'
import type { WrittenRow } from './unique-conflicts.js'
import { throwConflicts, uniqueConflicts } from './unique-conflicts.js'

interface Mutation {
  /** The owner's row. */
  readonly owner: RowObject
  readonly change: RelationshipChange
  readonly transaction: Transaction
}

/** Changes the members of a relation, in the rows of the members or in join rows. */
export function changeMemoryMembers(store: MemoryStore, relation: RelationLink, mutation: Mutation): void {
  const { storage } = relation
  switch (storage.kind) {
    case 'relatedKey':
      return changeKeys(store, relation, storage.key, mutation)
    case 'join':
      return changeJoins(store, relation, storage, mutation)
    case 'ownKey':
    case 'function':
    case 'provider':
      invariant(
        false,
        `the memory store cannot change the members of '${relation.name}', because it does not store them`,
      )
  }
}

/** Changes the foreign keys in the rows of the members, which hold the key of their owner. */
function changeKeys(
  store: MemoryStore,
  { owner, targets }: RelationLink,
  key: RelationKey,
  { owner: row, change, transaction }: Mutation,
): void {
  const ownerColumns = columnsFor(key, owner.storedType, keyIn(row, referenceColumn(owner)))
  const drafts = new Map<string, TableDraft>()
  const written: (WrittenRow & { readonly target: CompiledType })[] = []
  const rowOf = ({ type, key: member }: MemberKey): MemberRow => {
    const target = targets.find((each) => each.type === type)
    invariant(target !== undefined, `a member is of the type '${type}', which its relation does not name`)
    const model = modelOf(target)
    const draft = drafts.get(model.name) ?? draftOf(store.table(model, transaction))
    drafts.set(model.name, draft)
    return { target, draft, stored: findTableRow(draft, referenceColumn(target), member) }
  }
  for (const member of change.removed) {
    const { target, draft, stored } = rowOf(member)
    if (stored === undefined || !hasColumns(stored.row, ownerColumns)) continue
    replaceIn(draft, stored, withRaisedVersion(target, stored.row, nullColumns(target, key)))
  }
  for (const member of change.added) {
    const { target, draft, stored } = rowOf(member)
    // The write looked the member up before; a hook may have deleted it since.
    if (stored === undefined)
      throw storeConflict({ kind: 'reference', type: target.type, columns: Object.keys(ownerColumns) })
    const columns = withRaisedVersion(target, stored.row, ownerColumns)
    written.push({ target, row: replaceIn(draft, stored, columns), stored: stored.row })
  }
  // The changed foreign key may be a column of a unique index.
  const conflicts = targets.map((target) => {
    const draft = drafts.get(modelOf(target).name)
    const ofTarget = written.filter((each) => each.target === target)
    return draft === undefined ? [] : uniqueConflicts(target, draft, ofTarget)
  })
  throwConflicts(conflicts.flat())
  for (const [name, draft] of drafts) store.write(name, draft, transaction)
}

/** The stored row of a member, if it exists, and the draft of its table. */
interface MemberRow {
  readonly target: CompiledType
  readonly draft: TableDraft
  readonly stored: RowEntry | undefined
}

/**
 * Changes join rows, which hold the keys of the owner and of the member. A member that is added twice has one join row.
 */
function changeJoins(
  store: MemoryStore,
  { owner, targets }: RelationLink,
  { model, owner: ownerKey, member: memberKey }: Extract<RelationStorage, { kind: 'join' }>,
  { owner: row, change, transaction }: Mutation,
): void {
  const ownerColumns = columnsFor(ownerKey, owner.storedType, keyIn(row, referenceColumn(owner)))
  const draft = draftOf(store.joinTable(model, transaction))
  const joins = joinsByMember(draft, ownerColumns, { owner: ownerKey, member: memberKey })
  const columnsOf = ({ type, key }: MemberKey): RowObject => ({
    ...ownerColumns,
    ...columnsFor(memberKey, storedTypeOf({ targets }, type), key),
  })
  const joinsOf = (member: MemberKey): readonly RowEntry[] => joins.get(memberText(columnsOf(member), memberKey)) ?? []
  for (const member of change.removed) for (const join of joinsOf(member)) removeFrom(draft, join)
  for (const member of [...change.added, ...change.updated]) {
    const [join] = joinsOf(member)
    if (join === undefined) insertInto(draft, { ...member.values, ...columnsOf(member) }, 'number')
    else replaceIn(draft, join, member.values)
  }
  store.write(model, draft, transaction)
}

/** Returns the join rows of one owner. */
export function memoryJoins(
  store: MemoryStore,
  { owner, storage }: RelationLink,
  row: RowObject,
  transaction: Transaction | null,
): readonly RowObject[] {
  invariant(storage.kind === 'join', 'the relation has no join rows')
  const ownerColumns = columnsFor(storage.owner, owner.storedType, keyIn(row, referenceColumn(owner)))
  const joins = joinsByMember(store.joinTable(storage.model, transaction), ownerColumns, storage)
  return [...joins.values()].flatMap((entries) => entries.map((entry) => entry.row))
}

/** Returns the join rows of one owner, by their member. */
function joinsByMember(
  { rows }: MemoryTable,
  ownerColumns: RowObject,
  keys: { readonly owner: RelationKey; readonly member: RelationKey },
): ReadonlyMap<string, readonly RowEntry[]> {
  const joins = new Map<string, RowEntry[]>()
  const owner = keyText(keyIn(ownerColumns, keys.owner.id))
  for (const join of owner === null ? [] : findRows(rows, byColumn(keys.owner.id), owner)) {
    if (!hasColumns(join.row, ownerColumns)) continue
    const member = memberText(join.row, keys.member)
    const sameMember = joins.get(member)
    if (sameMember === undefined) joins.set(member, [join])
    else sameMember.push(join)
  }
  return joins
}

function nullColumns(target: CompiledType, { id, type }: RelationKey): RowObject {
  const columns = [...clearedColumns(target, id), ...(type === null ? [] : [type])]
  return Object.fromEntries(columns.map((column) => [column, null]))
}
