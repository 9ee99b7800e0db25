import { isDeepStrictEqual } from 'node:util'
import { createServer, defineResource, id, model } from 'ashlar'
import type { CompiledType, DataSource, Persister, Provider } from 'ashlar/store'
import { memoryData } from 'ashlar/memory'
import { tablesOf } from '../support/sql-world.js'
import { storedData } from '../support/stored-data.js'

type Rows = Readonly<Record<string, readonly object[]>>

/** All rows of all models, as they are stored. */
export type Snapshot = Readonly<Record<string, unknown>>

/** The store under test, which can begin again, be looked through, and be made to fail. */
export interface WatchedStore {
  readonly data: DataSource
  /** Other rows from now on, and no failure. */
  reset(): Promise<void>
  snapshot(): Promise<Snapshot>
  /** How often something was written since the last `reset`. */
  writes(): number
  /** Lets the store fail right after the write of this number; the first is 1. */
  failAfter(write: number): void
}

/** The message of a failing store. */
export const breakdown = 'The store has broken down.'

/** @param rows fresh rows of every model, join rows included */
export function watchedStore(rows: () => Rows): WatchedStore {
  let current = storedData(rows())
  let [written, fatal] = [0, Number.POSITIVE_INFINITY]

  /** Lets the write happen, so that a failure must roll it back. */
  async function counted<Result>(write: () => Result | Promise<Result>): Promise<Result> {
    written += 1
    const number = written
    const result = await write()
    if (number === fatal) throw new Error(breakdown)
    return result
  }

  const data: DataSource = {
    name: 'watched',
    provider: (type) =>
      current.provider(type) && {
        fetchOne: (...given) => providerOf(current, type).fetchOne(...given),
        fetchCollection: (...given) => providerOf(current, type).fetchCollection(...given),
        fetchRelated: (...given) => providerOf(current, type).fetchRelated(...given),
        countRelated: (...given) => providerOf(current, type).countRelated(...given),
      },
    persister: (type) => ({
      create: (...given) => counted(() => persisterOf(current, type).create(...given)),
      update: (...given) => counted(() => persisterOf(current, type).update(...given)),
      delete: (...given) => counted(() => persisterOf(current, type).delete(...given)),
      mutateRelationship: (...given) => counted(() => persisterOf(current, type).mutateRelationship(...given)),
    }),
    transactions: { run: (...given) => present(current.transactions).run(...given) },
  }
  const models = modelTypes(Object.keys(rows()))
  return {
    data,
    async reset() {
      const tables = tablesOf(current)
      if (tables === null) current = storedData(rows())
      else await tables.refill()
      ;[written, fatal] = [0, Number.POSITIVE_INFINITY]
    },
    async snapshot() {
      const tables = tablesOf(current)
      const found = models.map(async (type) => [
        type.type,
        tables === null ? rowsOf(current, type) : await tables.rows(type.type),
      ])
      return Object.fromEntries(await Promise.all(found)) as Snapshot
    },
    writes: () => written,
    failAfter(write) {
      fatal = write
    },
  }
}

export function isSameSnapshot(one: Snapshot, other: Snapshot): boolean {
  return isDeepStrictEqual(one, other)
}

/** The types of a server that shows every model as it is. */
function modelTypes(names: readonly string[]): readonly CompiledType[] {
  const types: CompiledType[] = []
  const data = memoryData()
  const noted: DataSource = {
    ...data,
    provider(type) {
      types.push(type)
      return data.provider(type)
    },
  }
  createServer({
    resources: names.map((name) => defineResource(name, { model: model<{ id: unknown }>(name), id: id() })),
    data: noted,
  })
  return types
}

function rowsOf(data: DataSource, type: CompiledType): unknown {
  return providerOf(data, type).fetchCollection(type, {
    columns: null,
    conditions: [],
    orders: [{ kind: 'key', descending: false }],
    window: null,
    wantsCount: false,
    transaction: null,
    context: { server: 'default', type: type.type, operation: 'FetchResource', caller: null, request: null },
  })
}

/** The stores under test can do all that a provider can. */
function providerOf(data: DataSource, type: CompiledType): Required<Provider> {
  return present(data.provider(type)) as Required<Provider>
}

function persisterOf(data: DataSource, type: CompiledType): Required<Persister> {
  return present(data.persister(type)) as Required<Persister>
}

function present<Value>(value: Value | null | undefined): Value {
  if (value === null || value === undefined) throw new Error('The store lacks something.')
  return value
}
