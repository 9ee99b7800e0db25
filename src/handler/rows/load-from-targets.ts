import { keyText } from '../../data/row-query/key-text.js'
import type { Candidate } from '../../data/row-query/query-world.js'
import type { RelatedCriteria, RelatedResult } from '../../resource/capabilities/provider.js'
import type { ServedRelation, ServedType } from '../../resource/capabilities/served-type.js'
import type { RowObject } from '../../resource/fields/field-spec.js'
import { referenceColumn } from '../../resource/relations/relation-link.js'
import type { RelationKey } from '../../resource/relations/relation-spec.js'
import type { RequestContext } from '../../resource/request-context.js'
import type { RowSet } from '../../rows/row-set.js'
import { rowObject, rowSetOf } from '../../rows/row-set.js'
import { checkedRows } from './checked-rows.js'
import { relatedLister } from './list-of.js'
import { readCollection } from './read-collection.js'

/**
 * Related rows from the providers of the related types, for a relation whose two sides live in different places: one
 * read per related type, whatever the number of parents. What is asked of each parent's rows is then done here.
 */
export async function loadFromTargets(
  relation: ServedRelation,
  parents: RowSet,
  criteria: RelatedCriteria,
): Promise<RelatedResult> {
  const { storage, related, targets } = relation
  const key = storage.kind === 'ownKey' || storage.kind === 'relatedKey' ? storage.key : null
  if (key === null) throw new TypeError(`'${relation.owner.type}.${relation.name}' is not held by a key.`)
  const wanted = parents.rows.map((row) => wantedBy(relation, key, rowObject(parents.columns, row)))
  const sets = await Promise.all(
    [...related.values()].map((served) => readSet(served, key, { relation, wanted, context: criteria.context })),
  )
  const list = relatedLister(targets, criteria)
  return {
    sets: sets.map(({ served, rows }) => ({ type: served.type.type, rows: rowSetOf(rows) })),
    groups: wanted.map((keys) => {
      const places = new Map<RowObject, { readonly set: number; readonly row: number }>()
      sets.forEach(({ found }, set) => {
        for (const { row, position } of found(keys)) places.set(row, { set, row: position })
      })
      const candidates = [...places].map(([row, { set }]): Candidate => ({ row, pivot: null, type: set }))
      const { candidates: kept, ...facts } = list(candidates)
      return {
        ...facts,
        members: kept.flatMap(({ row }) => {
          const place = places.get(row)
          return place === undefined ? [] : [{ ...place, pivot: null }]
        }),
      }
    }),
  }
}

/** The key of what a parent leads to, as it is stored and as a text, and the name of the type where the parent says it. */
interface WantedKey {
  readonly stored: unknown
  readonly key: string | null
  readonly type: string | null
}

function wantedBy({ storage, owner }: ServedRelation, key: RelationKey, parent: RowObject): WantedKey {
  if (storage.kind !== 'ownKey') return wantedKey(parent[referenceColumn(owner)], null)
  if (key.type === null) return wantedKey(parent[key.id], null)
  const type = keyText(parent[key.type])
  return wantedKey(type === null ? null : parent[key.id], type)
}

function wantedKey(stored: unknown, type: string | null): WantedKey {
  return { stored, key: keyText(stored), type }
}

interface Asked {
  readonly relation: ServedRelation
  readonly wanted: readonly WantedKey[]
  readonly context: RequestContext
}

interface TargetRows {
  readonly served: ServedType
  readonly rows: readonly RowObject[]
  readonly found: (keys: WantedKey) => readonly { readonly row: RowObject; readonly position: number }[]
}

async function readSet(
  served: ServedType,
  key: RelationKey,
  { relation, wanted, context }: Asked,
): Promise<TargetRows> {
  const { type } = served
  const column = relation.storage.kind === 'ownKey' ? referenceColumn(type) : key.id
  const mine = (keys: WantedKey): boolean => keys.key !== null && (keys.type === null || keys.type === type.type)
  const keys = new Map(wanted.filter(mine).map((each) => [each.key, each.stored]))
  const rows = keys.size === 0 ? [] : await readRows(served, column, [...keys.values()], context)
  const byKey = new Map<string, { row: RowObject; position: number }[]>()
  rows.forEach((row, position) => {
    const owned = relation.storage.kind === 'ownKey' || key.type === null || row[key.type] === relation.owner.type
    const text = keyText(row[column])
    if (text === null || !owned) return
    const same = byKey.get(text) ?? []
    byKey.set(text, same)
    same.push({ row, position })
  })
  return { served, rows, found: (each) => (mine(each) ? (byKey.get(each.key ?? '') ?? []) : []) }
}

/**
 * Whole rows, because what is asked of them is asked here. By one read of the collection; a provider that has none is
 * asked for each key.
 */
async function readRows(
  served: ServedType,
  column: string,
  keys: readonly unknown[],
  context: RequestContext,
): Promise<readonly RowObject[]> {
  const { type, provider } = served
  const whole = { columns: null, transaction: null, context }
  if (provider?.fetchCollection !== undefined) {
    const { rows } = await readCollection(served, {
      ...whole,
      conditions: [{ kind: 'in', column: { of: 'row', name: column, kind: null }, values: keys, negated: false }],
      orders: [{ kind: 'key', descending: false }],
      window: null,
      wantsCount: false,
    })
    return rows.rows.map((row) => rowObject(rows.columns, row))
  }
  const found = await Promise.all(
    keys.map(async (key) => provider?.fetchOne(type, type.id.encode(key), { ...whole, conditions: [] })),
  )
  return found.flatMap((each) => {
    if (each === null || each === undefined) return []
    const { columns, rows } = checkedRows(served, each)
    return rows.map((row) => rowObject(columns, row))
  })
}
