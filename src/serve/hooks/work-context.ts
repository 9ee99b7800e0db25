import { isReply } from '../../declare/resource/replies/reply.js'
import type { StoredRows, WorkContext } from '../../declare/resource/events/stored-rows.js'
import type { ServedType } from '../../declare/resource/capabilities/served-type.js'
import type { Transaction } from '../../declare/resource/request/transactions.js'
import type { CompiledId } from '../../declare/resource/compiled/compiled-type.js'
import type { RowObject } from '../../declare/resource/fields/field-spec.js'
import { keyColumns, keyIn, keyValues } from '../../declare/resource/parts/key-columns.js'
import type { RowCondition } from '../../declare/resource/querying/row-condition.js'
import type { RequestContext } from '../../declare/resource/request/request-context.js'
import type { DeclaredRows } from '../../declare/resource/parts/resource-state.js'
import { rowObject } from '../../core/rows/row-set.js'
import { invariant } from '../../core/util/invariant.js'
import type { OpenTransactions, RequestServices } from '../read/read-context.js'
import { readTransaction, servedType, writeTransaction } from '../read/read-context.js'
import { checkedRows } from '../read/rows/checked-rows.js'
import { findRow } from '../read/rows/fetch-row.js'
import { readCollection } from '../read/rows/read-collection.js'
import { firstVersion } from '../../declare/resource/versions/raised-version.js'
import { raisedValues } from './raised-values.js'

/** Returns the context that user-defined code gets for the request that it takes part in. */
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

/** Returns a work context with additional members. */
export function contextWith<More extends object>(work: WorkContext, more: More): WorkContext & More {
  return withDatabase({ ...work, ...more }, () => work.db)
}

/**
 * Adds `db`, which is created on first access. The property is not enumerable, so that copying or logging the context
 * does not create it: that may throw.
 */
function withDatabase<Context extends object>(
  context: Context,
  make: () => unknown,
): Context & Pick<WorkContext, 'db'> {
  let made: { readonly db: unknown } | null = null
  return Object.defineProperty(context, 'db', { get: () => (made ??= { db: make() }).db }) as Context &
    Pick<WorkContext, 'db'>
}

function databaseOf({ handle, type }: ServedType, transaction: Transaction | null, context: RequestContext): unknown {
  if (handle === null) throw new TypeError(`context.db is not available: the store of '${type.type}' has no database.`)
  return handle(transaction, context)
}

/**
 * Finds a type by its name: that of the server of the request, or of another server, because rows do not depend on what a server shows.
 * Throws a `TypeError`, which is not shown to the client, if there is none.
 */
function typeNamed(
  named: string | DeclaredRows<unknown>,
  { server }: RequestContext,
  services: RequestServices,
): ServedType {
  const type = typeof named === 'string' ? named : named.type
  const served = services.find(server, type) ?? services.findAnywhere(type)
  if (served === null) throw new TypeError(`There are no rows of '${type}': no server has such a type.`)
  return served
}

function storedRows(served: ServedType, open: OpenTransactions | null, context: WorkContext): StoredRows {
  const { type } = served
  const read = { columns: null, transaction: readTransaction(served, open), context }
  const write = { transaction: writeTransaction(served, open), context }
  const objectsOf = (found: object): readonly RowObject[] => {
    if (isReply(found))
      throw new TypeError(`The persister of '${type.type}' returned a reply, but context.rows() needs the row.`)
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
    async create(values) {
      const row = await withKey(type.id, { ...firstVersion(type), ...values })
      return writtenRow(objectsOf(await persisterOf(served).create(type, row, write)), type.type)
    },
    async update(key, values) {
      const raised = await raisedValues(served, { key, values }, { open, context })
      const updated = await persisterOf(served).update(type, key, raised, write)
      return updated === null ? null : writtenRow(objectsOf(updated), type.type)
    },
    delete: async (key) => persisterOf(served).delete(type, key, write),
  }
}

/** Adds a generated key to a new row, if the server generates the keys of the type. */
async function withKey(id: CompiledId, values: RowObject): Promise<RowObject> {
  const present = keyIn(values, id.column)
  const key = present === undefined || present === null ? await id.mint() : undefined
  return key === undefined ? values : { ...values, ...keyValues(id.column, key) }
}

function persisterOf({ type, persister }: ServedType): NonNullable<ServedType['persister']> {
  if (persister === null) throw new Error(`Rows of '${type.type}' cannot be written: the type has no persister.`)
  return persister
}

function writtenRow([row]: readonly RowObject[], type: string): RowObject {
  invariant(row !== undefined, `the persister of '${type}' returned no row`)
  return row
}

/** Returns a condition that a column has a value. Null needs its own condition, because it equals nothing. */
function equalTo({ type }: ServedType, name: string, value: unknown): RowCondition {
  const kind = type.attributes.find((attribute) => attribute.column === name)?.spec.kind ?? null
  const column = { of: 'row', name, kind, isKey: keyColumns(type.id.column).includes(name) } as const
  if (value === null || value === undefined) return { kind: 'null', column, negated: false }
  return { kind: 'compare', column, operator: '=', value }
}
