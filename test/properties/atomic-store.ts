import type { CompiledType, DataSource, CreateShortcuts, Persister, ReadFunctions } from 'ashlar/store'
import { memoryData } from 'ashlar/memory'
import { sqlData, table } from 'ashlar/sql'
import { inject } from 'vitest'
import { derivedTables, type SeedRow } from '../support/derived-tables.js'
import { databaseOptions, type SqlStoreName, testDatabase } from '../support/test-databases.js'
import { catalogueRows, catalogueServer } from './atomic-world.js'

/** The store under test, which can be reset, and counts the rows that were written together with others. */
export interface BatchStore {
  readonly data: DataSource
  reset(): Promise<void>
  /** The sizes of the groups that were written together since the last `reset`. */
  together(): readonly number[]
}

interface Resettable {
  /** Called each time: a store may be replaced after a reset. */
  readonly source: () => DataSource
  readonly reset: () => Promise<void>
}

export function batchStore(): BatchStore {
  const store = inject('store')
  const { source, reset } = store === 'memory' ? inMemory() : inTables(store)
  let groups: number[] = []
  return {
    data: {
      ...source(),
      provider(type) {
        const of = (): ReadFunctions => source().provider(type) as ReadFunctions
        // A store of tables must know all its types before the first read.
        of()
        return lateProvider(of)
      },
      persister: (type) => latePersister(() => source().persister(type) as Writer, (size) => groups.push(size)), // biome-ignore format: as above
      transactions: { run: (...given) => present(source().transactions).run(...given) },
    },
    async reset() {
      await reset()
      groups = []
    },
    together: () => groups,
  }
}

function inMemory(): Resettable {
  let current = memoryData(catalogueRows())
  return {
    source: () => current,
    reset() {
      current = memoryData(catalogueRows())
      return Promise.resolve()
    },
  }
}

function inTables(engine: SqlStoreName): Resettable {
  const tables = derivedTables(catalogueTypes(), catalogueRows())
  const opened = testDatabase(engine, tables)
  const { database } = opened
  const models = tables.map(({ name, key }) => table<SeedRow>(name, key === null ? {} : { key }))
  const data = sqlData(database, { tables: models, ...databaseOptions(engine, opened) })
  return { source: () => data, reset: () => opened.refill(tables) }
}

/** The types as a server makes them. */
function catalogueTypes(): readonly CompiledType[] {
  const types: CompiledType[] = []
  const data = memoryData(catalogueRows())
  catalogueServer({
    ...data,
    provider(type) {
      types.push(type)
      return data.provider(type)
    },
  })
  return types
}

function lateProvider(of: () => ReadFunctions): ReadFunctions {
  return {
    fetchOne: (...given) => of().fetchOne(...given),
    fetchCollection: (...given) => of().fetchCollection(...given),
    fetchRelated: (...given) => of().fetchRelated(...given),
    countRelated: (...given) => of().countRelated(...given),
    fetchGroups: (...given) => of().fetchGroups(...given),
  }
}

type Writer = Required<Omit<Persister, 'instantiate' | 'isObserved'>>

function latePersister(of: () => Writer, note: (size: number) => void): Writer {
  const create: Persister['create'] = (...given) => of().create(...given)
  const many: CreateShortcuts['many'] = async (type, rows, write) => {
    const written = await present(of().shortcuts.create?.many)(type, rows, write)
    if (written !== null) note(rows.length)
    return written
  }
  return {
    create,
    shortcuts: { create: { insteadOf: create, many } },
    update: (...given) => of().update(...given),
    delete: (...given) => of().delete(...given),
    mutateRelationship: (...given) => of().mutateRelationship(...given),
  }
}

function present<Value>(value: Value | null | undefined): Value {
  if (value === null || value === undefined) throw new Error('The store lacks something.')
  return value
}
