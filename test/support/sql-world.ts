import type { CompiledType, DataSource, Persister, Provider, Transactions } from 'ashlar'
import { sqlData, table } from 'ashlar/sql'
import type { DerivedTable, SeedRow, Seeds } from './derived-tables.js'
import { derivedTables } from './derived-tables.js'
import { postgresDatabase } from './postgres-database.js'
import { sqliteDatabase } from './sqlite-database.js'

/** A database that gets its tables when it is needed first. */
export interface TestDatabase {
  /** As a user hands it to `sqlData()`. */
  readonly database: Parameters<typeof sqlData>[0]
  readonly schema: string | null
  /** Makes the tables; whoever asks `database` for something waits until they are there. */
  fill(tables: readonly DerivedTable[]): void
  /** The rows of a table in the order of their key, values as they were seeded. */
  rows(table: DerivedTable): Promise<readonly SeedRow[]>
}

/** What a test may look at behind the store: all rows of a model. */
type Peek = (model: string) => Promise<readonly SeedRow[]>

/** By their transactions, which sources that wrap others have too. */
const peeks = new WeakMap<Transactions, Peek>()

/** Looks into the tables of a store that `storedData()` has made; `null` for others. */
export function peekInto({ transactions }: DataSource): Peek | null {
  return transactions === null ? null : (peeks.get(transactions) ?? null)
}

/** A store of tables that are made for the types that it is to serve. Which these are it knows when it is asked first. */
export function sqlWorld(engine: 'sqlite' | 'postgres', seeds: Seeds): DataSource {
  const types = new Set<CompiledType>()
  const database = engine === 'sqlite' ? sqliteDatabase() : postgresDatabase()
  const made = { source: null as DataSource | null, tables: [] as readonly DerivedTable[], isFilled: false }

  /** A server that is built later over the same rows may bring types of its own. */
  function learn(type: CompiledType): boolean {
    if (type.model === null) return false
    if (!types.has(type)) made.source = null
    types.add(type)
    return true
  }

  function source(): DataSource {
    if (made.source !== null) return made.source
    const tables = derivedTables([...types], seeds)
    if (made.isFilled) database.fill(addedTables(made.tables, tables))
    made.tables = tables
    const models = tables.map(({ name, key }) => table<SeedRow>(name, key === null ? {} : { key }))
    const { schema } = database
    made.source = sqlData(database.database, { tables: models, ...(schema === null ? {} : { schema }) })
    for (const type of types) made.source.provider(type)
    return made.source
  }

  function filled(): DataSource {
    const current = source()
    if (!made.isFilled) database.fill(made.tables)
    made.isFilled = true
    return current
  }

  const transactions: Transactions = {
    run(work, outer) {
      const own = filled().transactions
      if (own === null) throw new Error('The store has no transactions.')
      return own.run(work, outer)
    },
  }
  peeks.set(transactions, (model) => {
    filled()
    const found = made.tables.find(({ name }) => name === model)
    return found === undefined ? Promise.resolve([]) : database.rows(found)
  })
  const [provider, persister] = [lateProvider(filled), latePersister(filled)]
  return Object.freeze<DataSource>({
    name: engine,
    provider: (type) => (learn(type) ? provider : null),
    persister: (type) => (learn(type) ? persister : null),
    transactions,
    check: (all) => source().check?.(all) ?? [],
    handle: (...asked) => filled().handle?.(...asked),
  })
}

/** What later types need that is not there yet. Columns of tables that are there are not among it. */
function addedTables(known: readonly DerivedTable[], all: readonly DerivedTable[]): readonly DerivedTable[] {
  const names = new Set(known.map(({ name }) => name))
  return all.filter(({ name }) => !names.has(name))
}

function lateProvider(source: () => DataSource): Required<Provider> {
  const of = (type: CompiledType): Required<Provider> => source().provider(type) as Required<Provider>
  return {
    fetchOne: (type, ...rest) => of(type).fetchOne(type, ...rest),
    fetchCollection: (type, ...rest) => of(type).fetchCollection(type, ...rest),
    fetchRelated: (relation, ...rest) => of(relation.owner).fetchRelated(relation, ...rest),
    countRelated: (relation, ...rest) => of(relation.owner).countRelated(relation, ...rest),
  }
}

type Writer = Required<Omit<Persister, 'instantiate'>>

function latePersister(source: () => DataSource): Writer {
  const of = (type: CompiledType): Writer => source().persister(type) as Writer
  return {
    create: (type, ...rest) => of(type).create(type, ...rest),
    update: (type, ...rest) => of(type).update(type, ...rest),
    delete: (type, ...rest) => of(type).delete(type, ...rest),
    mutateRelationship: (relation, ...rest) => of(relation.owner).mutateRelationship(relation, ...rest),
  }
}
