import type { Transaction } from '../../declare/resource/request/transactions.js'
import type { CompiledType } from '../../declare/resource/compiled/compiled-type.js'
import type { RowObject } from '../../declare/resource/fields/field-spec.js'
import type { Model } from '../../declare/resource/parts/model.js'
import type { RelationLink, RelationStorage } from '../../declare/resource/compiled/relation-link.js'
import { keyIn } from '../../declare/resource/parts/key-columns.js'
import { referenceColumn } from '../../declare/resource/compiled/relation-link.js'
import type { RelationKey } from '../../declare/resource/relations/relation-spec.js'
import type { RequestContext } from '../../declare/resource/request/request-context.js'
import { invariant } from '../../core/util/invariant.js'
import { keyText } from '../row-query/key-text.js'
import type { Candidate, QueryContext } from '../row-query/query-context.js'
import type { LayeredRows, RowEntry } from './layered-rows.js'
import { byColumn, findRows } from './layered-rows.js'
import type { MemoryStore } from './memory-store.js'

/** The transaction and the request of a read. */
interface ReadContext {
  readonly transaction: Transaction | null
  readonly context: RequestContext
}

/** Gives the filters and sorts of one read access to related rows, as its transaction sees them. */
export function memoryQueryContext(store: MemoryStore, { transaction, context }: ReadContext): QueryContext {
  return {
    context,
    related(relation) {
      const membersOf = relatedRows(relation, { store, transaction })
      return (row) => Array.from(membersOf(row))
    },
  }
}

export function modelOf(type: CompiledType): Pick<Model<unknown>, 'name' | 'key'> {
  invariant(type.model !== null, `the memory store cannot read '${type.type}', which has no model`)
  return { name: type.model.name, key: referenceColumn(type) }
}

interface StoreView {
  readonly store: MemoryStore
  readonly transaction: Transaction | null
}

/** Finds the members of a relation of one row, each once. They are found one by one, so that a reader can stop early. */
export type RelatedRowsOf = (row: RowObject) => Iterable<Candidate>

export function relatedRows(relation: RelationLink, view: StoreView): RelatedRowsOf {
  const { storage } = relation
  switch (storage.kind) {
    case 'ownKey': {
      const memberAt = memberFinder(relation, storage.key, view)
      return (row) => {
        const member = memberAt(row)
        return member === null ? [] : [member]
      }
    }
    case 'relatedKey':
      return rowsWithKey(relation, storage.key, view)
    case 'join':
      return joinedRows(relation, storage, view)
    case 'function':
    case 'provider':
      invariant(false, `the memory store cannot read '${relation.name}', whose members it does not store`)
  }
}

/** Returns the row that a key refers to. `null` if the type of the key is not a target of the relation. */
function memberFinder(
  { targets }: RelationLink,
  key: RelationKey,
  { store, transaction }: StoreView,
): (holder: RowObject) => Candidate | null {
  const finders = targets.map((target, type) => {
    const { rows } = store.table(modelOf(target), transaction)
    return { type, name: target.storedType, find: finder(rows, referenceColumn(target)) }
  })
  const findersByType = new Map(finders.map((each) => [each.name, [each]]))
  return (holder) => {
    const text = keyText(keyIn(holder, key.id))
    if (text === null) return null
    const possible = key.type === null ? finders : findersByType.get(keyText(holder[key.type]) ?? '')
    for (const { type, find } of possible ?? []) {
      const [found] = find(text)
      if (found !== undefined) return { row: found.row, pivot: null, type }
    }
    return null
  }
}

/** Returns the rows that hold the key of the owner, and its type if the owners of the relation have several types. */
function rowsWithKey(
  { owner, targets }: RelationLink,
  key: RelationKey,
  { store, transaction }: StoreView,
): RelatedRowsOf {
  const finders = targets.map((target, type) => {
    const { rows } = store.table(modelOf(target), transaction)
    return { type, find: finder(rows, key.id) }
  })
  const ownerColumn = referenceColumn(owner)
  return function* (parent) {
    const text = keyText(keyIn(parent, ownerColumn))
    if (text === null) return
    for (const { type, find } of finders) {
      for (const { row } of find(text)) if (pointsAtType(row, key, owner)) yield { row, pivot: null, type }
    }
  }
}

/** Returns the rows that join rows refer to, each once: with the first of its join rows. */
function joinedRows(
  relation: RelationLink,
  { model, owner: ownerKey, member: memberKey }: Extract<RelationStorage, { kind: 'join' }>,
  view: StoreView,
): RelatedRowsOf {
  const { owner } = relation
  const joinsOf = finder(view.store.rows(model, view.transaction), ownerKey.id)
  const memberAt = memberFinder(relation, memberKey, view)
  const ownerColumn = referenceColumn(owner)
  return function* (parent) {
    const text = keyText(keyIn(parent, ownerColumn))
    const found = new Set<string>()
    for (const { row: join } of text === null ? [] : joinsOf(text)) {
      const member = pointsAtType(join, ownerKey, owner) ? memberAt(join) : null
      if (member === null) continue
      const identity = `${member.type} ${keyText(keyIn(join, memberKey.id))}`
      if (found.has(identity)) continue
      found.add(identity)
      yield { ...member, pivot: join }
    }
  }
}

function finder(rows: LayeredRows, column: string): (text: string) => readonly RowEntry[] {
  const index = byColumn(column)
  return (text) => findRows(rows, index, text)
}

function pointsAtType(row: RowObject, key: RelationKey, { storedType }: CompiledType): boolean {
  return key.type === null || keyText(row[key.type]) === storedType
}
