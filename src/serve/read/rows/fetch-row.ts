import { fail } from '../../../core/errors/json-api-error.js'
import type {
  FoundRow,
  Provider,
  ReadCriteria,
  RowFlag,
  WantedColumns,
} from '../../../declare/resource/capabilities/provider.js'
import type { ServedType } from '../../../declare/resource/capabilities/served-type.js'
import type { RowObject } from '../../../declare/resource/fields/field-spec.js'
import type { RowSet } from '../../../core/rows/row-set.js'
import { isRowSet, rowObject } from '../../../core/rows/row-set.js'
import { memoize } from '../../../core/util/memoize.js'
import { isStorableText } from '../../../core/util/storable-text.js'
import { invariant } from '../../../core/util/invariant.js'
import { scopeConditions } from '../query/scope-conditions.js'
import type { SoftDeleted } from '../query/soft-deleted.js'
import { readTransaction } from '../read-context.js'
import type { ReadContext } from '../read-context.js'
import { withScopes } from './fill-scopes.js'
import { checkedRows } from './checked-rows.js'
import { queryRows } from './read-collection.js'

interface FetchOptions extends Pick<ReadContext, 'context' | 'open'> {
  /** Whether the row is read to be changed. */
  readonly forChange?: boolean
  /** How soft-deleted rows are treated. Default: hidden. */
  readonly trash?: SoftDeleted
  readonly flags?: readonly RowFlag[]
  /** Identifies the read for the caches of stores. Whole rows have one by themselves. */
  readonly cacheKey?: object | undefined
}

/** Returns the row with an id; 404 if there is none that is visible in this request. */
export function fetchRow(
  served: ServedType,
  id: string,
  columns: WantedColumns,
  { context, open, forChange = false, trash = 'hidden', flags = noFlags, cacheKey }: FetchOptions,
): Promise<RowSet> {
  const conditions = scopeConditions(served, trash)
  const transaction = open === null ? null : readTransaction(served, open)
  const isWhole = columns === null && flags === noFlags && trash === 'hidden'
  const key = isWhole ? wholeRowKeys(served)[forChange ? 'change' : 'read'] : cacheKey
  const criteria = { columns, conditions, flags, transaction, context, forChange, cacheKey: key }
  return findRow(served, id, criteria).then(expectFound)
}

function expectFound(rows: RowSet | null): RowSet {
  return rows ?? fail('RESOURCE_NOT_FOUND')
}

const noFlags: readonly RowFlag[] = Object.freeze([])

const wholeRowKeys = memoize((_served: ServedType) => Object.freeze({ read: {}, change: {} }))

/** Returns the row with an id as an object with all columns, for an operation that changes it. */
export async function fetchObject(served: ServedType, id: string, options: FetchOptions): Promise<RowObject> {
  const { columns, rows } = await fetchRow(served, id, null, options)
  return rowObject(columns, rows[0] ?? [])
}

/** Returns the row with an id if it meets the conditions, else `null`. */
export async function findRow(served: ServedType, id: string, criteria: ReadCriteria): Promise<RowSet | null> {
  const { type, scopeReaders, provider } = served
  // Some databases report an error for an id that no database can store.
  if (!isStorableText(id)) return null
  const providerCriteria = scopeReaders.fetchOne ? criteria : withScopes(criteria)
  const found: ProviderResult = await (provider ?? noProvider(served)).fetchOne(type, id, providerCriteria)
  if (found === null || found === undefined) return null
  if (isFound(found)) return onlyRow(served, checkedRows(served, found.rows))
  // A plain row is compared with the conditions here.
  const { rows } = await queryRows(served, checkedRows(served, found), providerCriteria)
  return onlyRow(served, rows)
}

function noProvider({ type }: ServedType): never {
  invariant(false, `'${type.type}' is read, but has no provider`)
}

type ProviderResult = Awaited<ReturnType<Provider['fetchOne']>> | undefined

function onlyRow({ type }: ServedType, rows: RowSet): RowSet | null {
  if (rows.rows.length > 1) throw new TypeError(`The provider of '${type.type}' returned several rows for one id.`)
  return rows.rows.length === 0 ? null : rows
}

/**
 * Whether the provider checked the conditions. A plain row may have a column `rows`, but never with a row set in it.
 */
function isFound(found: object): found is FoundRow {
  if (typeof found !== 'object' || !('rows' in found) || isRowSet(found)) return false
  const { rows } = found
  return typeof rows === 'object' && rows !== null && isRowSet(rows)
}
