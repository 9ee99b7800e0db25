import { isAnswer } from '../resource/answer.js'
import type { StoredRows, WorkContext } from '../resource/capabilities/stored-rows.js'
import type { ServedType } from '../resource/capabilities/served-type.js'
import type { Transaction } from '../resource/capabilities/transactions.js'
import type { CompiledId } from '../resource/compiled-type.js'
import type { RowObject } from '../resource/fields/field-spec.js'
import type { RowCondition } from '../resource/querying/row-condition.js'
import type { RequestContext } from '../resource/request-context.js'
import type { DeclaredRows } from '../resource/resource-state.js'
import { rowObject } from '../rows/row-set.js'
import { invariant } from '../util/invariant.js'
import type { RequestServices } from '../read/request-services.js'
import { servedType } from '../read/request-services.js'
import type { OpenTransactions } from '../read/open-transactions.js'
import { readTransaction, writeTransaction } from '../read/open-transactions.js'
import { checkedRows } from '../read/rows/checked-rows.js'
import { findRow } from '../read/rows/fetch-row.js'
import { readCollection } from '../read/rows/read-collection.js'

/** What an author's own code is told of the request that it takes part in. */
export function workContext(
  context: RequestContext,
  open: OpenTransactions | null,
  services: RequestServices,
): WorkContext {
  const served = servedType(services, context)
  const transaction = writeTransaction(served, open)
  const work: Omit<WorkContext, 'db'> = {
    ...context,
    transaction,
    rows: <Row = RowObject>(named: string | DeclaredRows<Row>) =>
      storedRows(typeNamed(named, context, services), open, whole) as unknown as StoredRows<Row>,
  }
  const whole = withDatabase(work, () => databaseOf(served, transaction, context))
  return whole
}

/** The same with more members. */
export function contextWith<More extends object>(work: WorkContext, more: More): WorkContext & More {
  return withDatabase({ ...work, ...more }, () => work.db)
}

/** It is made when it is asked for first. A copy or a log of the context does not ask, since that may throw. */
function withDatabase<Context extends object>(
  context: Context,
  make: () => unknown,
): Context & Pick<WorkContext, 'db'> {
  let made: { readonly db: unknown } | null = null
  return Object.defineProperty(context, 'db', { get: () => (made ??= { db: make() }).db }) as Context &
    Pick<WorkContext, 'db'>
}

function databaseOf({ handle, type }: ServedType, transaction: Transaction | null, context: RequestContext): unknown {
  if (handle === null) throw new TypeError(`There is no context.db: the store of '${type.type}' has none to offer.`)
  return handle(transaction, context)
}

/** A type that there is not is the fault of who asks: a `TypeError`, which no client is told. */
function typeNamed(
  named: string | DeclaredRows<unknown>,
  { server }: RequestContext,
  services: RequestServices,
): ServedType {
  const type = typeof named === 'string' ? named : named.type
  const served = services.find(server, type)
  if (served === null) throw new TypeError(`There are no rows of '${type}': the server '${server}' has no such type.`)
  return served
}

function storedRows(served: ServedType, open: OpenTransactions | null, context: WorkContext): StoredRows {
  const { type } = served
  const read = { columns: null, transaction: readTransaction(served, open), context }
  const write = { transaction: writeTransaction(served, open), context }
  const objectsOf = (found: object): readonly RowObject[] => {
    if (isAnswer(found))
      throw new TypeError(`A row of '${type.type}' was wanted at once, and its persister put it off.`)
    const { columns, rows } = checkedRows(served, found)
    return rows.map((row) => rowObject(columns, row))
  }
  return {
    async find(key) {
      const found = await findRow(served, type.id.encode(key), { ...read, conditions: [] })
      return found === null ? null : (objectsOf(found)[0] ?? null)
    },
    async list(where = {}) {
      const orders = [{ kind: 'key', descending: false } as const]
      const conditions = Object.entries(where).map(([column, value]) => equalTo(served, column, value))
      return objectsOf(
        (await readCollection(served, { ...read, conditions, orders, window: null, wantsCount: false })).rows,
      )
    },
    async create(given) {
      const values = await withKey(type.id, given)
      return writtenRow(objectsOf(await persisterOf(served).create(type, values, write)), type.type)
    },
    async update(key, values) {
      const updated = await persisterOf(served).update(type, key, values, write)
      return updated === null ? null : writtenRow(objectsOf(updated), type.type)
    },
    delete: async (key) => persisterOf(served).delete(type, key, write),
  }
}

/** Where the service makes the keys of new resources, it makes those of new rows too. */
async function withKey(id: CompiledId, values: RowObject): Promise<RowObject> {
  const given = values[id.column]
  const key = given === undefined || given === null ? await id.mint() : undefined
  return key === undefined ? values : { ...values, [id.column]: key }
}

function persisterOf({ type, persister }: ServedType): NonNullable<ServedType['persister']> {
  if (persister === null) throw new Error(`Nobody writes the rows of '${type.type}': it has no persister.`)
  return persister
}

function writtenRow([row]: readonly RowObject[], type: string): RowObject {
  invariant(row !== undefined, `a row of '${type}' was written, and none came back`)
  return row
}

/** Null is equal to nothing, so it is asked for by itself. */
function equalTo({ type }: ServedType, name: string, value: unknown): RowCondition {
  const kind = type.attributes.find((attribute) => attribute.column === name)?.spec.kind ?? null
  const column = { of: 'row', name, kind, isKey: name === type.id.column } as const
  if (value === null || value === undefined) return { kind: 'null', column, negated: false }
  return { kind: 'compare', column, operator: '=', value }
}
