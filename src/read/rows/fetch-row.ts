import { fail } from '../../errors/json-api-error.js'
import type { FoundRow, Provider, ReadCriteria, WantedColumns } from '../../resource/capabilities/provider.js'
import type { ServedType } from '../../resource/capabilities/served-type.js'
import type { RowObject } from '../../resource/fields/field-spec.js'
import type { RowSet } from '../../rows/row-set.js'
import { isRowSet, rowObject } from '../../rows/row-set.js'
import { invariant } from '../../util/invariant.js'
import type { Awaitable } from '../../util/types.js'
import { isLater } from '../../util/when-known.js'
import { scopeConditions } from '../query/scope-conditions.js'
import type { Trash } from '../query/trash.js'
import { readTransaction } from '../open-transactions.js'
import type { Reading } from '../reading.js'
import { checkedRows, isObject } from './checked-rows.js'
import { listOf } from './list-of.js'

interface Read extends Pick<Reading, 'context' | 'open'> {
  /** Whether the row is about to be changed. */
  readonly forChange?: boolean
  /** Whether a row that is deleted softly is there. Default: no. */
  readonly trash?: Trash
  /** Stands for the columns that are read, where the same are read again and again. */
  readonly recurring?: object | null
}

/** The row with an id; 404 when there is none, or none for this caller. */
export async function fetchRow(
  served: ServedType,
  id: string,
  columns: WantedColumns,
  { context, open, forChange = false, trash = 'hidden', recurring = null }: Read,
): Promise<RowSet> {
  const conditions = scopeConditions(served, context, trash)
  // A scope asks something else every time.
  const isRecurring = recurring !== null && served.type.scope === null && trash === 'hidden'
  const criteria: ReadCriteria = {
    columns,
    conditions,
    transaction: readTransaction(served, open),
    context,
    forChange,
    recurring: isRecurring ? recurring : undefined,
  }
  const found = rowIn(served, await providerOf(served).fetchOne(served.type, id, criteria), criteria)
  return (isLater(found) ? await found : found) ?? fail('RESOURCE_NOT_FOUND')
}

/** The same as an object, whole, for an operation that is about to change it. */
export async function fetchObject(served: ServedType, id: string, read: Read): Promise<RowObject> {
  const { columns, rows } = await fetchRow(served, id, null, read)
  return rowObject(columns, rows[0] ?? [])
}

/** The row with an id under any conditions; `null` for none. */
export async function findRow(served: ServedType, id: string, criteria: ReadCriteria): Promise<RowSet | null> {
  return rowIn(served, await providerOf(served).fetchOne(served.type, id, criteria), criteria)
}

function providerOf({ type, provider }: ServedType): Provider {
  invariant(provider !== null, `'${type.type}' is read, but has no provider`)
  return provider
}

type Answered = Awaited<ReturnType<Provider['fetchOne']>> | undefined

/** The row that a provider has answered. Of one that looks at nothing, the service asks whether it is the one. */
function rowIn(served: ServedType, found: Answered, criteria: ReadCriteria): Awaitable<RowSet | null> {
  if (found === null || found === undefined) return null
  if (isFound(found)) return onlyRow(served, checkedRows(served, found.rows))
  return listOf(served, checkedRows(served, found), criteria).then(({ rows }) => onlyRow(served, rows))
}

function onlyRow({ type }: ServedType, rows: RowSet): RowSet | null {
  if (rows.rows.length > 1) throw new TypeError(`The provider of '${type.type}' answered several rows for one id.`)
  return rows.rows.length === 0 ? null : rows
}

/** A plain row may have a column called `rows`; none holds a row set. */
function isFound(found: object): found is FoundRow {
  return isObject(found) && !isRowSet(found) && 'rows' in found && isObject(found.rows) && isRowSet(found.rows)
}
