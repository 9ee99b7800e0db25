import type { DataSource } from '../../../stores/common/data-source.js'
import type {
  ColumnValues,
  Persister,
  RelationshipChange,
  WriteContext,
} from '../../../declare/resource/capabilities/persister.js'
import type { CollectionCriteria, Provider, RelatedCriteria } from '../../../declare/resource/capabilities/provider.js'
import { ownShortcuts } from '../../../declare/resource/capabilities/own-functions.js'
import type { Conflict } from '../../../declare/resource/capabilities/store-conflict.js'
import { isStoreConflict } from '../../../declare/resource/capabilities/store-conflict.js'
import type { WorkContext } from '../../../declare/resource/events/stored-rows.js'
import type { Transaction, Transactions } from '../../../declare/resource/request/transactions.js'
import type { CompiledType } from '../../../declare/resource/compiled/compiled-type.js'
import type { RowObject } from '../../../declare/resource/fields/field-spec.js'
import { keyIn } from '../../../declare/resource/parts/key-columns.js'
import type { RowOrder } from '../../../declare/resource/querying/row-order.js'
import type { RelationLink } from '../../../declare/resource/compiled/relation-link.js'
import { resolveStorage } from '../../../declare/resource/compiled/resolve-storage.js'
import type { RequestContext } from '../../../declare/resource/request/request-context.js'
import { isRowSet, rowObject, type RowSet, rowSetOf } from '../../../core/rows/row-set.js'
import { conformanceModels } from './catalogue-models.js'

/** Direct access to the store, for reads and writes that no request of a client can cause. */
export interface DirectStore {
  readonly transactions: Transactions
  /** Returns the row with an id, in a transaction or outside; `null` without one. */
  find(type: string, id: string, read?: DirectRead): Promise<RowObject | null>
  /** Returns the row with an id, which must exist. */
  row(type: string, id: string): Promise<RowObject>
  /** Returns the key of a row, which must exist, in the form of the store: a string, a number or another value. */
  key(type: string, id: string): Promise<unknown>
  /** Returns all rows of a type. */
  list(type: string, transaction: Transaction): Promise<readonly RowObject[]>
  /** Returns the members of a relation, and their count by the store; `null` if the store does not count members. */
  related(type: string, relation: string, owner: RowObject, transaction: Transaction): Promise<DirectMembers>
  create(type: string, values: ColumnValues, transaction?: Transaction | null): Promise<RowObject>
  createMany(
    type: string,
    rows: readonly ColumnValues[],
    transaction?: Transaction | null,
  ): Promise<readonly RowObject[] | null>
  update(type: string, key: unknown, values: ColumnValues, transaction?: Transaction | null): Promise<RowObject | null>
  delete(type: string, key: unknown): Promise<boolean>
  /** Returns the columns of a blank row. */
  blank(type: string): ColumnValues
  /** Returns what `isObserved` returns; `false` without it. */
  isObserved(type: string): unknown
  mutateRelationship(
    type: string,
    relation: string,
    owner: RowObject,
    change: Partial<RelationshipChange>,
  ): Promise<void>
}

export interface DirectRead {
  readonly transaction?: Transaction | null
  readonly forChange?: boolean
}

export interface DirectMembers {
  readonly rows: readonly RowObject[]
  readonly count: number | null
}

/** Creates the direct access. As in the server, a write without a transaction runs in a new one if the store has transactions. */
export function directStore(data: DataSource, types: ReadonlyMap<string, CompiledType>): DirectStore {
  const typeNamed = (name: string): CompiledType => found(types.get(name), `a type '${name}' with a provider`)
  const persisterOf = (name: string): Persister => found(data.persister(typeNamed(name)), `a persister of '${name}'`)
  const { transactions } = data
  const write = <Result>(
    type: string,
    work: (persister: Persister, write: WriteContext) => Result | Promise<Result>,
    outer: Transaction | null = null,
  ): Promise<Result> => {
    const run = async (transaction: Transaction | null): Promise<Result> =>
      work(persisterOf(type), { transaction, context: workContext(type, transaction) })
    return outer === null && transactions !== null ? transactions.run(run) : run(outer)
  }
  return {
    get transactions() {
      return found(transactions, 'transactions')
    },
    ...directReads(data, types),
    create: (type, values, transaction) =>
      write(
        type,
        async (persister, context) =>
          ofModel(typeNamed(type), await persister.create(typeNamed(type), values, context)),
        transaction,
      ),
    createMany: (type, rows, transaction) =>
      write(
        type,
        async (persister, context) => {
          const { many } = ownShortcuts(persister).create ?? {}
          if (many === undefined) throw missing(`shortcuts.create.many of '${type}'`)
          const created = await many(typeNamed(type), rows, context)
          return created === null ? null : rowsOf(created).map((row) => ofModel(typeNamed(type), row))
        },
        transaction,
      ),
    update: (type, key, values, transaction) =>
      write(
        type,
        async (persister, context) => {
          const updated = await persister.update(typeNamed(type), key, values, context)
          return updated === null ? null : ofModel(typeNamed(type), updated)
        },
        transaction,
      ),
    blank: (type) => persisterOf(type).instantiate?.(typeNamed(type)) ?? {},
    isObserved(type) {
      const persister = persisterOf(type)
      return persister.isObserved === undefined ? false : persister.isObserved(typeNamed(type))
    },
    delete: (type, key) => write(type, (persister, context) => persister.delete(typeNamed(type), key, context)),
    mutateRelationship: (type, relation, owner, change) =>
      write(type, async (persister, context) => {
        if (persister.mutateRelationship === undefined) throw missing(`mutateRelationship of '${type}'`)
        const link = linkOf(types, typeNamed(type), relation)
        await persister.mutateRelationship(link, owner, { ...noChange, ...change }, context)
      }),
  }
}

type DirectReads = Pick<DirectStore, 'find' | 'row' | 'key' | 'list' | 'related'>

function directReads(data: DataSource, types: ReadonlyMap<string, CompiledType>): DirectReads {
  const typeNamed = (name: string): CompiledType => found(types.get(name), `a type '${name}' with a provider`)
  const providerOf = (name: string): Provider => found(data.provider(typeNamed(name)), `a provider of '${name}'`)
  const find: DirectReads['find'] = async (name, id, { transaction = null, forChange = false } = {}) => {
    const type = typeNamed(name)
    const criteria = { ...noConditions, columns: null, transaction, forChange, context: requestContext(name) }
    const result = await providerOf(name).fetchOne(type, id, criteria)
    const [row] = result === null ? [] : rowsOf(result)
    return row === undefined ? null : ofModel(type, row)
  }
  const row: DirectReads['row'] = async (name, id) =>
    found(await find(name, id), `a row of '${name}' with the id ${id}`)
  return {
    find,
    row,
    async key(name, id) {
      return keyIn(await row(name, id), typeNamed(name).id.column)
    },
    async list(name, transaction) {
      const type = typeNamed(name)
      const criteria = { ...noConditions, ...byKeyCriteria, columns: null, transaction, context: requestContext(name) }
      const result = await providerOf(name).fetchCollection?.(type, criteria)
      return rowsOf(found(result, `a list of '${name}'`)).map((each) => ofModel(type, each))
    },
    async related(name, relation, owner, transaction) {
      const link = linkOf(types, typeNamed(name), relation)
      const parents = rowSetOf([owner])
      const criteria = { ...noConditions, ...byKeyCriteria, ...ofAllTypes, transaction, context: requestContext(name) }
      const result = await providerOf(name).fetchRelated?.(link, parents, criteria)
      const { sets, groups } = found(result, `fetchRelated of '${name}'`)
      const rows = (groups[0]?.members ?? []).map(({ set, row: index }) =>
        found(rowsOf(sets[set]?.rows ?? [])[index], `the row of a member of '${relation}'`),
      )
      const [count = null] = (await providerOf(name).countRelated?.(link, parents, criteria)) ?? []
      return { rows, count }
    },
  }
}

/** No conditions, so that all rows match. */
const noConditions: Pick<CollectionCriteria, 'conditions'> = Object.freeze({ conditions: [] })

const byKey: RowOrder = Object.freeze({ kind: 'key', descending: false })

/** All rows, ordered by key. */
export const byKeyCriteria: Pick<CollectionCriteria, 'orders' | 'window' | 'wantsCount'> = Object.freeze({
  orders: [byKey],
  window: null,
  wantsCount: false,
})

const ofAllTypes: Pick<RelatedCriteria, 'columnsOf' | 'conditionsOf'> = Object.freeze({
  columnsOf: new Map(),
  conditionsOf: new Map(),
})

/** Returns a row with only the columns of its model: a store may return additional columns. */
export function ofModel(type: CompiledType, row: object): RowObject {
  const columns = conformanceModels.find(({ name }) => name === type.model?.name)?.columns ?? []
  const stored = row as RowObject
  return Object.fromEntries(columns.filter(({ name }) => name in row).map(({ name }) => [name, stored[name]]))
}

const noChange: RelationshipChange = Object.freeze({ added: [], updated: [], removed: [] })

export function found<Value>(value: Value | null | undefined, what: string): Value {
  if (value === null || value === undefined) throw missing(what)
  return value
}

export function missing(what: string): Error {
  return new Error(`The store does not have ${what}.`)
}

/** Returns the rows of a result, in any form that a provider or persister may return. */
export function rowsOf(result: object): readonly RowObject[] {
  const rows = ('rows' in result && !isRowSet(result) ? result.rows : result) as
    | RowSet
    | readonly RowObject[]
    | RowObject
  if (isRowSet(rows)) return rows.rows.map((row) => rowObject(rows.columns, row))
  return Array.isArray(rows) ? (rows as readonly RowObject[]) : [rows as RowObject]
}

export function linkOf(types: ReadonlyMap<string, CompiledType>, owner: CompiledType, name: string): RelationLink {
  const relation = found(owner.relationNamed.get(name), `a relation '${name}' of '${owner.type}'`)
  const targets = relation.spec.targets.flatMap((target) => types.get(target) ?? [])
  const storage = resolveStorage({ relation, owner, targets })
  if (storage.kind === 'missing') throw new Error(`The storage of the relation '${owner.type}.${name}' is unknown.`)
  return { name, spec: relation.spec, owner, targets, storage: storage.storage }
}

export function requestContext(type: string): RequestContext {
  return { server: 'default', type, operation: 'FetchResource', caller: null, request: null }
}

function workContext(type: string, transaction: Transaction | null): WorkContext {
  return {
    ...requestContext(type),
    operation: 'UpdateResource',
    transaction,
    get db(): never {
      throw new TypeError('There is no database here.')
    },
    rows() {
      throw new TypeError('There are no rows of other types here.')
    },
  }
}

/** Returns the conflicts of a write, which must fail. */
export async function conflictsOf(work: () => Promise<unknown>): Promise<readonly Conflict[]> {
  try {
    await work()
  } catch (thrown) {
    if (isStoreConflict(thrown)) return thrown.conflicts
    throw new Error('The store rejected the write with another error than a storeConflict().', { cause: thrown })
  }
  throw new Error('Expected the store to reject the write, but it did not.')
}
