import type {
  CompiledType,
  DataSource,
  IdempotencyStore,
  ObservableStore,
  Persister,
  ReadFunctions,
  Transactions,
} from 'ashlar/store'
import type { SqlDataOptions } from 'ashlar/sql'
import { sqlData, table as tableModel } from 'ashlar/sql'
import type { DerivedTable, ExtraColumns, SeedRow, Seeds } from './derived-tables.js'
import { derivedTables } from './derived-tables.js'
import type { TestDatabase } from './test-database.js'
import type { SqlStoreName } from './test-databases.js'
import { databaseOptions, testDatabase } from './test-databases.js'

/** The tables behind a store, for tests that go past it. */
export interface StoreTables {
  /** All rows of a model. */
  rows(model: string): Promise<readonly SeedRow[]>
  /** Resets the store. */
  refill(): Promise<void>
}

export interface WorldOptions {
  /** Whether there is a table for `Idempotency-Key`. Default: false. */
  readonly hasKeys?: boolean
  /** Gets each statement of the store. */
  readonly onStatement?: SqlDataOptions['onStatement']
}

/** By their transactions, which sources that wrap others have too. */
const tablesBehind = new WeakMap<Transactions, StoreTables>()

/** The tables of a store that `storedData()` has made; `null` where it has none. */
export function tablesOf({ transactions }: DataSource): StoreTables | null {
  return transactions === null ? null : (tablesBehind.get(transactions) ?? null)
}

/** A store of tables that are created for the types that it serves. It knows them at its first use. */
export function sqlWorld(
  engine: SqlStoreName,
  seeds: Seeds,
  columns: ExtraColumns = {},
  { hasKeys = false, onStatement }: WorldOptions = {},
): DataSource & ObservableStore {
  const types = new Set<CompiledType>()
  const known = { tables: [] as readonly DerivedTable[], database: null as TestDatabase | null }
  let current: (DataSource & ObservableStore) | null = null
  const listened = new Set<(source: ObservableStore) => void>()

  /** A server that is built later over the same rows may have more types. */
  function learn(type: CompiledType): boolean {
    if (type.model === null) return false
    if (!types.has(type)) current = null
    types.add(type)
    return true
  }

  /** The database with the tables of all types that are known by now. */
  function opened(): TestDatabase {
    const tables = derivedTables([...types], seeds, columns)
    const added = tables.filter(({ name }) => !known.tables.some((table) => table.name === name))
    known.database?.add(added)
    known.database ??= testDatabase(engine, tables, hasKeys)
    known.tables = tables
    return known.database
  }

  function source(): DataSource & ObservableStore {
    if (current !== null) return current
    const made = opened()
    const tables = known.tables.map(({ name, key }) => tableModel<SeedRow>(name, key === null ? {} : { key }))
    current = sqlData(made.database, {
      tables,
      ...databaseOptions(engine, made),
      ...(onStatement === undefined ? {} : { onStatement }),
    })
    for (const type of types) current.provider(type)
    for (const listen of listened) listen(current)
    return current
  }

  const transactions: Transactions = {
    run(work, outer) {
      const inner = source().transactions
      if (inner === null) throw new Error('The store has no transactions.')
      return inner.run(work, outer)
    },
    snapshot(work, context) {
      const inner = source().transactions
      return inner?.snapshot === undefined ? work(null) : inner.snapshot(work, context)
    },
  }
  tablesBehind.set(transactions, {
    rows(model) {
      source()
      const found = known.tables.find(({ name }) => name === model)
      return found === undefined || known.database === null ? Promise.resolve([]) : known.database.rows(found)
    },
    async refill() {
      await known.database?.refill(known.tables)
    },
  })
  const [provider, persister] = [lateProvider(source), latePersister(source)]
  return Object.freeze<DataSource & ObservableStore>({
    name: engine,
    on: (...given: readonly unknown[]) => {
      let remove: (() => void) | null = null
      const listen = (store: ObservableStore): void => {
        const untyped: { on(...all: readonly unknown[]): () => void } = store
        remove = untyped.on(...given)
      }
      listened.add(listen)
      if (current !== null) listen(current)
      return () => {
        listened.delete(listen)
        remove?.()
      }
    },
    provider: (type) => (learn(type) ? provider : null),
    persister: (type) => (learn(type) ? persister : null),
    transactions,
    check: (all) => source().check?.(all) ?? [],
    handle: (...args) => source().handle?.(...args),
    ...(hasKeys ? { idempotency: lateIdempotency(source) } : {}),
  })
}

function lateIdempotency(source: () => DataSource): IdempotencyStore {
  const of = (): IdempotencyStore => source().idempotency as IdempotencyStore
  return {
    find: (...args) => of().find(...args),
    save: (...args) => of().save(...args),
    usage: (...args) => of().usage(...args),
    removeExpired: (...args) => of().removeExpired(...args),
  }
}

function lateProvider(source: () => DataSource): ReadFunctions & { readonly acceptsSearch: true } {
  const of = (type: CompiledType): ReadFunctions => source().provider(type) as ReadFunctions
  return {
    acceptsSearch: true,
    fetchOne: (type, ...rest) => of(type).fetchOne(type, ...rest),
    fetchCollection: (type, ...rest) => of(type).fetchCollection(type, ...rest),
    fetchRelated: (relation, ...rest) => of(relation.owner).fetchRelated(relation, ...rest),
    countRelated: (relation, ...rest) => of(relation.owner).countRelated(relation, ...rest),
    fetchGroups: (type, ...rest) => of(type).fetchGroups(type, ...rest),
  }
}

type Writer = Required<Omit<Persister, 'instantiate'>>

function latePersister(source: () => DataSource): Writer {
  const of = (type: CompiledType): Writer => source().persister(type) as Writer
  const create: Writer['create'] = (type, ...rest) => of(type).create(type, ...rest)
  const update: Writer['update'] = (type, ...rest) => of(type).update(type, ...rest)
  const remove: Writer['delete'] = (type, ...rest) => of(type).delete(type, ...rest)
  const mutateRelationship: Writer['mutateRelationship'] = (relation, ...rest) =>
    of(relation.owner).mutateRelationship(relation, ...rest)
  return {
    create,
    update,
    delete: remove,
    mutateRelationship,
    shortcuts: {
      create: {
        insteadOf: create,
        acceptsScopes: true,
        joinsTransactions: true,
        checksRows: true,
        many: (type, ...rest) => of(type).shortcuts.create?.many?.(type, ...rest) ?? null,
        autocommit: (type, ...rest) => of(type).shortcuts.create?.autocommit?.(type, ...rest) ?? null,
        autocommitMany: (type, ...rest) => of(type).shortcuts.create?.autocommitMany?.(type, ...rest) ?? null,
      },
      update: {
        insteadOf: update,
        acceptsScopes: true,
        joinsTransactions: true,
        raisesVersions: true,
        autocommit: (type, ...rest) => of(type).shortcuts.update?.autocommit?.(type, ...rest) ?? null,
      },
      delete: {
        insteadOf: remove,
        acceptsScopes: true,
        joinsTransactions: true,
        autocommit: (type, ...rest) => of(type).shortcuts.delete?.autocommit?.(type, ...rest) ?? null,
      },
      mutateRelationship: {
        insteadOf: mutateRelationship,
        acceptsScopes: true,
        joinsTransactions: true,
        autocommit: (relation, ...rest) =>
          of(relation.owner).shortcuts.mutateRelationship?.autocommit?.(relation, ...rest) ?? false,
      },
    },
    isObserved: (type) => of(type).isObserved(type),
  }
}
