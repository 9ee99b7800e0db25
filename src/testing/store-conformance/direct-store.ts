import type { DataSource } from '../../data/data-source.js'
import type {
  ColumnValues,
  Persister,
  RelationshipChange,
  WriteContext,
} from '../../resource/capabilities/persister.js'
import type { Provider } from '../../resource/capabilities/provider.js'
import type { Conflict } from '../../resource/capabilities/store-conflict.js'
import { isStoreConflict } from '../../resource/capabilities/store-conflict.js'
import type { WorkContext } from '../../resource/capabilities/stored-rows.js'
import type { Transaction, Transactions } from '../../resource/capabilities/transactions.js'
import type { CompiledType } from '../../resource/compiled-type.js'
import type { RowObject } from '../../resource/fields/field-spec.js'
import type { RelationLink } from '../../resource/relations/relation-link.js'
import { resolveStorage } from '../../resource/relations/resolve-storage.js'
import type { RequestContext } from '../../resource/request-context.js'
import { isRowSet, rowObject, type RowSet } from '../../rows/row-set.js'

/** The store as the service sees it, for what no request of a client can ask. */
export interface DirectStore {
  readonly transactions: Transactions
  /** The row with an id, in a transaction or outside of all; `null` for none. */
  find(type: string, id: string, transaction?: Transaction | null): Promise<RowObject | null>
  create(type: string, values: ColumnValues, transaction?: Transaction | null): Promise<RowObject>
  many(
    type: string,
    rows: readonly ColumnValues[],
    transaction?: Transaction | null,
  ): Promise<readonly RowObject[] | null>
  update(type: string, key: unknown, values: ColumnValues): Promise<unknown>
  delete(type: string, key: unknown): Promise<boolean>
  mutate(type: string, relation: string, owner: RowObject, change: Partial<RelationshipChange>): Promise<void>
}

/** Writes without a transaction of their own get one where the store has them, as each write of the service does. */
export function directStore(data: DataSource, types: ReadonlyMap<string, CompiledType>): DirectStore {
  const typeNamed = (name: string): CompiledType => found(types.get(name), `a type '${name}' with a provider`)
  const persisterOf = (name: string): Persister => found(data.persister(typeNamed(name)), `a persister of '${name}'`)
  const { transactions } = data
  const write = <Result>(
    type: string,
    work: (persister: Persister, write: WriteContext) => Result | Promise<Result>,
    given: Transaction | null = null,
  ): Promise<Result> => {
    const inside = async (transaction: Transaction | null): Promise<Result> =>
      work(persisterOf(type), { transaction, context: workContext(type, transaction) })
    return given === null && transactions !== null ? transactions.run(inside) : inside(given)
  }
  return {
    get transactions() {
      return found(transactions, 'transactions')
    },
    async find(name, id, transaction = null) {
      const type = typeNamed(name)
      const provider: Provider = found(data.provider(type), `a provider of '${name}'`)
      const context = requestContext(name)
      const answer = await provider.fetchOne(type, id, { columns: null, conditions: [], transaction, context })
      return answer === null ? null : (rowsOf(answer)[0] ?? null)
    },
    create: (type, values, transaction) =>
      write(
        type,
        async (own, context) => (await own.create(typeNamed(type), values, context)) as RowObject,
        transaction,
      ),
    many: (type, rows, transaction) =>
      write(
        type,
        async ({ create }, context) => {
          if (create.many === undefined) throw missing(`create.many of '${type}'`)
          const answer = await create.many(typeNamed(type), rows, context)
          return answer === null ? null : rowsOf(answer)
        },
        transaction,
      ),
    update: (type, key, values) => write(type, (own, context) => own.update(typeNamed(type), key, values, context)),
    delete: (type, key) => write(type, (own, context) => own.delete(typeNamed(type), key, context)),
    mutate: (type, relation, owner, change) =>
      write(type, async (own, context) => {
        if (own.mutateRelationship === undefined) throw missing(`mutateRelationship of '${type}'`)
        const link = linkOf(types, typeNamed(type), relation)
        await own.mutateRelationship(link, owner, { ...noChange, ...change }, context)
      }),
  }
}

const noChange: RelationshipChange = Object.freeze({ added: [], updated: [], removed: [] })

function found<Value>(value: Value | null | undefined, what: string): Value {
  if (value === null || value === undefined) throw missing(what)
  return value
}

function missing(what: string): Error {
  return new Error(`The store does not have ${what}.`)
}

/** Whichever way a provider or persister answers rows. */
function rowsOf(answer: object): readonly RowObject[] {
  const rows = ('rows' in answer && !isRowSet(answer) ? answer.rows : answer) as
    | RowSet
    | readonly RowObject[]
    | RowObject
  if (isRowSet(rows)) return rows.rows.map((row) => rowObject(rows.columns, row))
  return Array.isArray(rows) ? (rows as readonly RowObject[]) : [rows as RowObject]
}

function linkOf(types: ReadonlyMap<string, CompiledType>, owner: CompiledType, name: string): RelationLink {
  const relation = found(owner.relationNamed.get(name), `a relation '${name}' of '${owner.type}'`)
  const targets = relation.spec.targets.flatMap((target) => types.get(target) ?? [])
  const storage = resolveStorage({ relation, owner, targets })
  if (storage.kind === 'missing') throw new Error(`It is not known where '${owner.type}.${name}' is stored.`)
  return { name, spec: relation.spec, owner, targets, storage: storage.storage }
}

function requestContext(type: string): RequestContext {
  return { server: 'default', type, operation: 'FetchResource', request: null }
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

/** The conflicts that a write is refused with. */
export async function conflictsOf(work: () => Promise<unknown>): Promise<readonly Conflict[]> {
  try {
    await work()
  } catch (thrown) {
    if (isStoreConflict(thrown)) return thrown.conflicts
    throw new Error('The store refused the write, and not with a storeConflict().', { cause: thrown })
  }
  throw new Error('Expected that the store refuses the write, and it did not.')
}
