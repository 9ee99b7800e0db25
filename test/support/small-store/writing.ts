import {
  keyColumns,
  keyIn,
  type CompiledType,
  type Conflict,
  type CreateShortcuts,
  type Persister,
  referenceColumn,
  type RelationLink,
  storeConflict,
} from 'ashlar/store'
import { isStoreConflict } from 'ashlar'
import type { MemberKey } from '../../../src/declare/resource/capabilities/persister.js'
import type { RelationStorage } from '../../../src/declare/resource/compiled/relation-link.js'
import { conformanceModels } from 'ashlar/testing'
import { smallShortcuts, type MeetsAll, type WriteFunctions } from './shortcuts.js'
import type { StoredRow, Tables, TablesIn, Wrong } from './values.js'

const modelOf = ({ model }: CompiledType): string => model?.name ?? ''
const keyOf = referenceColumn
/** Keys are as in rows: the writer has read them. */
const isKey = (stored: unknown, given: unknown): boolean => {
  if (Array.isArray(stored) && Array.isArray(given)) return stored.every((part, index) => isKey(part, given[index]))
  return (stored ?? null) !== null && stored === given
}

export function smallPersister(tablesIn: TablesIn, meets: MeetsAll, wrong: Wrong): Persister {
  const create = (type: CompiledType, values: StoredRow, tables: Tables): StoredRow => {
    const [name, key] = [modelOf(type), keyOf(type)]
    const rows = tables.get(name) ?? []
    const sent = keyIn(values, key)
    const taken = rows.find((row) => isKey(keyIn(row, key), sent))
    if (taken !== undefined && !wrong('overwrites a row whose key is taken')) {
      refuse({ kind: 'key', type: type.type, key: sent }, wrong)
    }
    const last = Math.max(0, ...rows.map((row) => Number(row[key])).filter(Number.isFinite))
    const next = wrong('gives keys that are taken') ? last : last + 1
    const given = keyColumns(key).length > 1 ? {} : { [key]: typeof rows[0]?.[key] === 'bigint' ? BigInt(next) : next }
    const isPriced = name === 'albums' && wrong('uses zero for a price that is not set')
    const unsaid = { ...blank(name, rows), ...(isPriced ? { price: 0 } : {}) }
    const row = storedRow({ ...unsaid, ...given, ...values }, wrong)
    check(type, row, tables, wrong)
    if (wrong('writes nothing')) return row
    tables.set(name, [...rows.filter((each) => each !== taken), row])
    return row
  }
  const createOne: Persister['create'] = (type, values, { transaction }) => create(type, values, tablesIn(transaction))
  const many: CreateShortcuts['many'] = (type, rows, { transaction }) => {
    const tables = tablesIn(transaction)
    const before = new Map(tables)
    try {
      const made = rows.map((values) => create(type, values, tables))
      return wrong('returns rows that are created together in another order') ? made.toReversed() : made
    } catch (thrown) {
      if (wrong('leaves some of the rows that it cannot create together')) return null
      if (wrong('throws for rows that it cannot create together, and stores those before')) throw thrown
      for (const [name, table] of before) tables.set(name, table)
      throw thrown
    }
  }
  const functions: WriteFunctions = {
    create: createOne,
    update(type, key, values, { transaction }) {
      const tables = tablesIn(transaction)
      const isMade = wrong('creates rows that it should update') && rowWith(type, key, tables) === undefined
      return isMade
        ? create(type, { ...values, [type.id.column]: key }, tables)
        : update(type, { key, values }, tables, wrong)
    },
    delete: (type, key, { transaction }) => remove(type, key, tablesIn(transaction), wrong),
    mutateRelationship(relation, owner, { added, updated, removed }, { transaction }) {
      const tables = tablesIn(transaction)
      const { storage } = relation
      if (wrong('writes nothing')) return
      for (const member of removed) change(relation, owner, member, { tables, wrong, to: null })
      for (const member of storage.kind === 'join' ? [...added, ...updated] : added) {
        const named = wrong('names the first member in conflicts') ? added[0] : member
        naming(named?.key, () => change(relation, owner, member, { tables, wrong, to: member.values }))
      }
    },
  }
  return {
    instantiate: () => (wrong('instantiates a list') ? [] : { explicit: null }) as StoredRow,
    isObserved: () => (wrong('does not say whether it is observed') ? undefined : false) as boolean,
    ...functions,
    shortcuts: smallShortcuts({ functions, many, tablesIn, meets, wrong }),
  }
}

function rowWith(type: CompiledType, key: unknown, tables: Tables): StoredRow | undefined {
  return (tables.get(modelOf(type)) ?? []).find((row) => isKey(keyIn(row, type.id.column), key))
}

function replace(tables: Tables, model: string, stored: StoredRow | undefined, row: StoredRow): void {
  const rows = tables.get(model) ?? []
  tables.set(
    model,
    rows.map((each) => (each === stored ? row : each)),
  )
}

interface Update {
  readonly key: unknown
  readonly values: StoredRow
}

function update(type: CompiledType, { key, values }: Update, tables: Tables, wrong: Wrong): StoredRow | null {
  const name = modelOf(type)
  const stored = rowWith(type, key, tables)
  if (stored === undefined) return null
  const isBlank = wrong('sets columns to null in an update that does not set them')
  const unsaid = isBlank ? { ...blank(name, [stored]), [type.id.column]: key } : stored
  const row = storedRow({ ...unsaid, ...values }, wrong)
  const others = (tables.get(name) ?? []).filter((each) => each !== stored || wrong('takes a row for its own twin'))
  check(type, row, new Map([...tables, [name, others]]), wrong)
  if (!wrong('writes nothing')) replace(tables, name, stored, row)
  return row
}

function remove(type: CompiledType, key: unknown, tables: Tables, wrong: Wrong): boolean {
  const stored = rowWith(type, key, tables)
  if (stored === undefined) return wrong('reports that every delete found a row')
  if (isPointedAt(type, key, tables) && !wrong('deletes rows that others refer to')) {
    refuse({ kind: 'inUse', type: type.type }, wrong)
  }
  const left = (tables.get(modelOf(type)) ?? []).filter((row) => row !== stored)
  if (!wrong('writes nothing')) tables.set(modelOf(type), left)
  return true
}

/** If several rows are written, a conflict names the one that caused it. */
function naming(key: unknown, work: () => void): void {
  try {
    work()
  } catch (thrown) {
    const [first] = isStoreConflict(thrown) ? thrown.conflicts : []
    throw first === undefined || first.kind === 'inUse' ? thrown : storeConflict({ ...first, key })
  }
}

interface Change {
  readonly tables: Tables
  readonly wrong: Wrong
  /** The fields of the join row; `null` if the member is removed. */
  readonly to: StoredRow | null
}

function change(relation: RelationLink, owner: StoredRow, member: MemberKey, { tables, wrong, to }: Change): void {
  const { storage, targets, owner: ownerType } = relation
  const ownerKey = keyIn(owner, keyOf(ownerType))
  if (storage.kind === 'join') {
    changeJoin(storage, { ownerKey, member }, { tables, wrong, to })
    return
  }
  const target = targets.find(({ type }) => type === member.type)
  if (storage.kind !== 'relatedKey' || target === undefined) throw new Error('This store does not hold the relation.')
  const { id, type } = storage.key
  const rows = tables.get(modelOf(target)) ?? []
  const stored = rows.find((row) => isKey(keyIn(row, keyOf(target)), member.key))
  if (stored === undefined) {
    if (to === null) return
    if (wrong('accepts dangling keys')) return
    refuse({ kind: 'reference', type: target.type, columns: [id] }, wrong)
  }
  const isOwn = isKey(stored?.[id], ownerKey) && (type === null || stored?.[type] === ownerType.type)
  if (to === null && !isOwn && !wrong('removes members of other owners')) return
  const row = {
    ...stored,
    [id]: to === null ? null : ownerKey,
    ...(type === null ? {} : { [type]: to === null ? null : ownerType.type }),
  }
  check(target, row, new Map([...tables, [modelOf(target), rows.filter((each) => each !== stored)]]), wrong)
  replace(tables, modelOf(target), stored, row)
}

function changeJoin(
  { model, owner, member: memberKey }: Extract<RelationStorage, { kind: 'join' }>,
  { ownerKey, member }: { readonly ownerKey: unknown; readonly member: MemberKey },
  { tables, wrong, to }: Change,
): void {
  const rows = tables.get(model) ?? []
  const isOfMember = (join: StoredRow): boolean =>
    isKey(join[memberKey.id], member.key) && (memberKey.type === null || join[memberKey.type] === member.type)
  const isOwn = (join: StoredRow): boolean => isOfMember(join) && isKey(join[owner.id], ownerKey)
  if (to === null) {
    const isMissing = !rows.some(isOwn) && wrong('fails if it removes a resource that is no member')
    if (isMissing) throw new Error('There is no such member.')
    tables.set(
      model,
      rows.filter((join) => !(wrong('removes members of other owners') ? isOfMember(join) : isOwn(join))),
    )
    return
  }
  const isNew = !rows.some(isOwn) || (wrong('adds a second join row for a member') && 'position' in to)
  const type = memberKey.type === null ? {} : { [memberKey.type]: member.type }
  const join = { ...blank(model, rows), ...to, [owner.id]: ownerKey, [memberKey.id]: member.key, ...type }
  const isChanged = wrong('changes the join rows of all owners') ? isOfMember : isOwn
  tables.set(model, isNew ? [...rows, join] : rows.map((each) => (isChanged(each) ? { ...each, ...to } : each)))
}

/** The rows of a store may have columns of which the suite does not know. */
function blank(model: string, rows: readonly StoredRow[]): StoredRow {
  const columns = conformanceModels.find(({ name }) => name === model)?.columns ?? []
  const names = [...columns.map(({ name }) => name), ...Object.keys(rows[0] ?? {})]
  return Object.fromEntries(names.map((name) => [name, null]))
}

/** A row as the store saves it. */
export function storedRow(row: StoredRow, wrong: Wrong): StoredRow {
  return Object.fromEntries(Object.entries(row).map(([column, value]) => [column, storedValue(value, wrong) ?? null]))
}

function storedValue(value: unknown, wrong: Wrong): unknown {
  if (value instanceof Date && wrong('keeps milliseconds back')) {
    return new Date(Math.floor(value.getTime() / 1000) * 1000)
  }
  if (typeof value === 'number' && wrong('rounds numbers')) return Math.round(value)
  if (typeof value === 'string' && wrong('trims texts')) return value.trim()
  return Array.isArray(value) && value.length === 0 && wrong('takes empty lists for null') ? null : value
}

/** @param tables without the row as it was */
function check(type: CompiledType, row: StoredRow, tables: Tables, wrong: Wrong): void {
  const { unique = [], columns = [] } = conformanceModels.find(({ name }) => name === modelOf(type)) ?? {}
  const rows = tables.get(modelOf(type)) ?? []
  for (const set of unique) {
    const looked = wrong('compares only the first column of unique sets') ? set.slice(0, 1) : set
    const isNull = (column: string): boolean => row[column] === null && !wrong('takes null for equal in unique sets')
    const isTaken = rows.some((other) => looked.every((column) => !isNull(column) && row[column] === other[column]))
    if (isTaken) refuse({ kind: 'unique', type: type.type, columns: looked }, wrong)
  }
  checkValues(type, row, wrong)
  for (const { name, references } of columns) {
    const key = conformanceModels.find((model) => model.name === references)?.key
    if (references === null || row[name] === null || typeof key !== 'string') continue
    const isThere = (tables.get(references) ?? []).some((other) => isKey(other[key], row[name]))
    if (!isThere && !wrong('accepts dangling keys'))
      refuse({ kind: 'reference', type: type.type, columns: [name] }, wrong)
  }
}

/** The requirements for the row by itself. */
function checkValues({ type, model }: CompiledType, row: StoredRow, wrong: Wrong): void {
  const { columns = [], checks = [] } = conformanceModels.find(({ name }) => name === model?.name) ?? {}
  const isForgotten = wrong('sets columns to null in an update that does not set them')
  for (const { name, holds, nullable } of columns) {
    const isMissing = (row[name] ?? null) === null
    if (isMissing && !nullable && !isForgotten && !wrong('accepts null in columns that are not null')) {
      refuse({ kind: 'null', type, columns: [name] }, wrong)
    }
    const isText = typeof row[name] === 'string' && (holds === 'integer' || holds === 'number')
    if (isText && !wrong('takes values of any kind')) refuse({ kind: 'value', type, columns: [name] }, wrong)
  }
  for (const { name, column, least } of checks) {
    const isBroken = typeof row[column] === 'number' && row[column] < least
    if (isBroken && !wrong('accepts rows that violate its checks'))
      refuse({ kind: 'check', type, columns: [column], name }, wrong)
  }
}

function isPointedAt(type: CompiledType, key: unknown, tables: Tables): boolean {
  return conformanceModels.some(({ name, columns }) =>
    columns
      .filter(({ references }) => references === modelOf(type))
      .some((column) => (tables.get(name) ?? []).some((row) => isKey(row[column.name], key))),
  )
}

function refuse(conflict: Conflict, wrong: Wrong): never {
  if (wrong('throws a custom error for duplicates') && conflict.kind !== 'reference') throw new Error('Duplicate!')
  throw storeConflict(conflict)
}
