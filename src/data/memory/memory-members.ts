import type { MemberKey, RelationshipChange } from '../../resource/capabilities/persister.js'
import { storeConflict } from '../../resource/capabilities/store-conflict.js'
import type { Transaction } from '../../resource/capabilities/transactions.js'
import type { CompiledType } from '../../resource/compiled-type.js'
import type { RowObject } from '../../resource/fields/field-spec.js'
import type { RelationLink, RelationStorage } from '../../resource/relations/relation-link.js'
import { referenceColumn } from '../../resource/relations/relation-link.js'
import type { RelationKey } from '../../resource/relations/relation-spec.js'
import { invariant } from '../../util/invariant.js'
import { keyText } from '../../row-query/key-text.js'
import type { PlacedRow, StoredRow } from './layered-rows.js'
import { byColumn, rowsFound } from './layered-rows.js'
import type { MemoryStore } from './memory-store.js'
import type { MemoryTable, TableDraft } from './memory-table.js'
import { draftOf, insertInto, removeFrom, replaceIn, rowWith } from './memory-table.js'
import { modelOf } from './memory-world.js'
import type { WrittenRow } from './unique-conflicts.js'
import { refuse, uniqueConflicts } from './unique-conflicts.js'

interface Mutation {
  /** The owner's row. */
  readonly owner: RowObject
  readonly change: RelationshipChange
  readonly transaction: Transaction
}

/** Changes who the members of a relation are, wherever that is kept. */
export function changeMembers(store: MemoryStore, relation: RelationLink, mutation: Mutation): void {
  const { storage } = relation
  switch (storage.kind) {
    case 'relatedKey':
      return changeKeys(store, relation, storage.key, mutation)
    case 'join':
      return changeJoins(store, relation, storage, mutation)
    case 'ownKey':
    case 'function':
    case 'provider':
      invariant(false, `the memory store was told to change '${relation.name}', whose members it does not hold`)
  }
}

/** The rows of the members hold the key of their owner. */
function changeKeys(
  store: MemoryStore,
  { owner, targets }: RelationLink,
  key: RelationKey,
  { owner: row, change, transaction }: Mutation,
): void {
  const toOwner = pointTo(key, owner.type, row[referenceColumn(owner)])
  const nowhere = Object.fromEntries(Object.keys(toOwner).map((column) => [column, null]))
  const drafts = new Map<string, TableDraft>()
  const written: (WrittenRow & { readonly target: CompiledType })[] = []
  const rowOf = ({ type, key: member }: MemberKey): MemberRow => {
    const target = targets.find((each) => each.type === type)
    invariant(target !== undefined, `a member is of the type '${type}', which its relation does not name`)
    const model = modelOf(target)
    const draft = drafts.get(model.name) ?? draftOf(store.table(model, transaction))
    drafts.set(model.name, draft)
    return { target, draft, stored: rowWith(draft, referenceColumn(target), member) }
  }
  for (const member of change.removed) {
    const { draft, stored } = rowOf(member)
    if (stored !== undefined && hasKeys(stored.row, toOwner)) replaceIn(draft, stored, nowhere)
  }
  for (const member of change.added) {
    const { target, draft, stored } = rowOf(member)
    // It was there when it was looked for: a hook may have deleted it since.
    if (stored === undefined)
      throw storeConflict({ kind: 'reference', type: target.type, columns: Object.keys(toOwner) })
    written.push({ target, row: replaceIn(draft, stored, toOwner), stored: stored.row })
  }
  // A key that changes may be one of the columns in which no two rows agree.
  const conflicts = targets.map((target) => {
    const draft = drafts.get(modelOf(target).name)
    const own = written.filter((each) => each.target === target)
    return draft === undefined ? [] : uniqueConflicts(target, draft, own)
  })
  refuse(conflicts.flat())
  for (const [name, draft] of drafts) store.write(name, draft, transaction)
}

/** The row of a member, where there is one, in the table that it is written to. */
interface MemberRow {
  readonly target: CompiledType
  readonly draft: TableDraft
  readonly stored: PlacedRow | undefined
}

/** Join rows hold the keys of both. There is one for a member, however often it is added. */
function changeJoins(
  store: MemoryStore,
  { owner }: RelationLink,
  { model, owner: ownerKey, member: memberKey }: Extract<RelationStorage, { kind: 'join' }>,
  { owner: row, change, transaction }: Mutation,
): void {
  const fromOwner = pointTo(ownerKey, owner.type, row[referenceColumn(owner)])
  const draft = draftOf(store.joinTable(model, transaction))
  const joins = joinsByMember(draft, fromOwner, { owner: ownerKey, member: memberKey })
  const columnsOf = ({ type, key }: MemberKey): RowObject => ({ ...fromOwner, ...pointTo(memberKey, type, key) })
  const joinsOf = (member: MemberKey): readonly PlacedRow[] => joins.get(memberText(columnsOf(member), memberKey)) ?? []
  for (const member of change.removed) for (const join of joinsOf(member)) removeFrom(draft, join)
  for (const member of [...change.added, ...change.updated]) {
    const [join] = joinsOf(member)
    if (join === undefined) insertInto(draft, { ...member.values, ...columnsOf(member) }, 'number')
    else replaceIn(draft, join, member.values)
  }
  store.write(model, draft, transaction)
}

/** The join rows of one owner, by the member that they lead to. */
function joinsByMember(
  { rows }: MemoryTable,
  fromOwner: RowObject,
  keys: { readonly owner: RelationKey; readonly member: RelationKey },
): ReadonlyMap<string, readonly PlacedRow[]> {
  const joins = new Map<string, PlacedRow[]>()
  const owner = keyText(fromOwner[keys.owner.id])
  for (const join of owner === null ? [] : rowsFound(rows, byColumn(keys.owner.id), owner)) {
    if (!hasKeys(join.row, fromOwner)) continue
    const member = memberText(join.row, keys.member)
    const same = joins.get(member)
    if (same === undefined) joins.set(member, [join])
    else same.push(join)
  }
  return joins
}

function memberText(row: RowObject, { id, type }: RelationKey): string {
  return `${type === null ? '' : keyText(row[type])}\n${keyText(row[id])}`
}

function pointTo(key: RelationKey, type: string, value: unknown): RowObject {
  return { [key.id]: value, ...(key.type === null ? {} : { [key.type]: type }) }
}

function hasKeys(row: StoredRow, columns: RowObject): boolean {
  return Object.entries(columns).every(([column, value]) => keyText(row[column]) === keyText(value))
}
