import { createServer, defineResource, id, model } from 'ashlar'
import { memoryData } from 'ashlar/memory'
import { sqlData, table } from 'ashlar/sql'
import type { CompiledType, DataSource, Persister, Provider, WriteContext } from 'ashlar/store'
import { inject } from 'vitest'
import type { SeedRow } from '../../support/derived-tables.js'
import { derivedTables } from '../../support/derived-tables.js'
import { openPool } from '../../support/open-databases.js'
import { runScript } from '../../support/mysql-pool.js'
import { databaseOptions, testDatabase } from '../../support/test-databases.js'
import { exampleRows, firstNewId, isTypeName, models, type Row, type Rows, typeNames } from './leak-rows.js'

/** The store under test, which can be filled with other rows, and looked through. */
export interface LeakStore {
  /** A source over the current rows. */
  source(): DataSource
  fill(rows: Rows): Promise<void>
  snapshot(): Promise<Rows>
}

/**
 * Makes a store for the types of a server.
 *
 * @param serve builds such a server
 */
export function leakStore(serve: (data: DataSource) => unknown): LeakStore {
  const engine = inject('store')
  if (engine === 'memory') return memoryStore()
  const tables = derivedTables(typesOf(serve), exampleRows).map((each) => ({
    ...each,
    // With such an index one statement can add members.
    unique: each.name === 'guests' ? [{ columns: ['playlistId', 'artistId'], except: [] }] : each.unique,
    // Moments, also where an attribute shows the day only.
    columns: each.columns.map((column) =>
      column.name === 'since' ? { ...column, held: 'instant' as const, declared: null } : column,
    ),
  }))
  const made = testDatabase(engine, tables)
  const { database, schema } = made
  const known = tables.map(({ name, key, compositeKey: [first, ...others] }) =>
    table<SeedRow>(name, key !== null ? { key } : first === undefined ? {} : { key: [first, ...others] }),
  )
  return {
    source: () => sqlData(database, { tables: known, ...databaseOptions(engine, made) }),
    async fill(rows) {
      const counted = withLastKeys(rows)
      await made.refill(
        tables.map((each) => ({ ...each, rows: counted[each.name as keyof Rows] as unknown as readonly SeedRow[] })),
      )
      const quote = engine === 'mariadb' ? '`' : '"'
      const place = schema === null ? '' : `${quote}${schema}${quote}.`
      const text = typeNames
        .map((name) => `delete from ${place}${quote}${name}${quote} where id = ${firstNewId}`)
        .join(';')
      if (engine === 'sqlite') (database as { exec(statements: string): void }).exec(text)
      else if (engine === 'mariadb') await runScript(text)
      else await openPool().query(text)
    },
    async snapshot() {
      const found: [string, readonly SeedRow[]][] = []
      for (const each of tables) found.push([each.name, await made.rows(each)])
      return Object.fromEntries(found) as unknown as Rows
    },
  }
}

/** Adds a last row to each table, which is deleted again: so all stores count the keys of new rows from the same number. */
function withLastKeys(rows: Rows): Rows {
  const last: Row = { id: firstNewId, name: '', owner: 0, open: false, level: null, since: null }
  const counted = typeNames.filter((type) => type !== 'editions')
  return { ...rows, ...Object.fromEntries(counted.map((type) => [type, [...rows[type], last]])) }
}

function memoryStore(): LeakStore {
  let data = memoryData()
  const types = typesOf((noted) =>
    createServer({
      resources: models.map((name) => defineResource(name, { model: model<{ id: number }>(name), id: id() })),
      data: noted,
    }),
  )
  // The server retains its source, whatever rows there are.
  const source: DataSource = {
    name: 'memory',
    provider: (type) => late(() => data.provider(type)),
    persister: (type) => latePersister(() => data.persister(type)),
    transactions: late(() => data.transactions),
  }
  return {
    source: () => source,
    async fill(rows) {
      data = memoryData(withLastKeys(rows))
      await data.transactions?.run(async (transaction) => {
        for (const type of types.filter((each) => isTypeName(each.type))) {
          await data.persister(type)?.delete(type, firstNewId, { transaction } as WriteContext)
        }
      })
    },
    async snapshot() {
      const found = types.map(async (type) => [type.type, await rowsOf(data, type)] as const)
      return Object.fromEntries(await Promise.all(found)) as unknown as Rows
    },
  }
}

/** An object whose members are those of another one, which may change. */
function late<Value extends object>(current: () => Value | null): Value {
  const members = (): object => current() ?? {}
  return new Proxy<Value>({} as Value, {
    get: (_target, member) => Reflect.get(members(), member) as unknown,
    has: (_target, member) => Reflect.has(members(), member),
  })
}

/** A persister with the functions of another one, which may change. */
function latePersister(current: () => Persister | null): Persister {
  const found = (): Required<Persister> => current() as Required<Persister>
  const create: Persister['create'] = (...sent) => found().create(...sent)
  return {
    create,
    update: (...sent) => found().update(...sent),
    delete: (...sent) => found().delete(...sent),
    mutateRelationship: (...sent) => found().mutateRelationship(...sent),
    shortcuts: {
      create: { insteadOf: create, many: (...sent) => found().shortcuts.create?.many?.(...sent) ?? null },
    },
  }
}

/** The compiled types of a server. */
function typesOf(serve: (data: DataSource) => unknown): readonly CompiledType[] {
  const types: CompiledType[] = []
  const data = memoryData()
  serve({
    ...data,
    provider(type) {
      if (!types.includes(type)) types.push(type)
      return data.provider(type)
    },
  })
  return types
}

async function rowsOf(data: DataSource, type: CompiledType): Promise<readonly object[]> {
  const provider = data.provider(type) as Required<Provider>
  const found = await provider.fetchCollection(type, {
    columns: null,
    conditions: [],
    orders: [{ kind: 'key', descending: false }],
    window: null,
    wantsCount: false,
    transaction: null,
    context: { server: 'default', type: type.type, operation: 'FetchResource', caller: null, request: null },
  })
  const { columns, rows } = (
    found as { readonly rows: { readonly columns: readonly string[]; readonly rows: readonly (readonly unknown[])[] } }
  ).rows
  return rows.map((row) => Object.fromEntries(columns.map((column, index) => [column, row[index]])))
}
