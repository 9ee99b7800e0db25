import { isDeepStrictEqual } from 'node:util'
import { keyText } from '../../../stores/row-query/key-text.js'
import type { ColumnValues } from '../../../declare/resource/capabilities/persister.js'
import type { Transaction } from '../../../declare/resource/request/transactions.js'
import type { CompiledType } from '../../../declare/resource/compiled/compiled-type.js'
import type { RowObject } from '../../../declare/resource/fields/field-spec.js'
import { keyColumns, keyIn, keyReader } from '../../../declare/resource/parts/key-columns.js'
import type { RowCondition } from '../../../declare/resource/querying/row-condition.js'
import type { RequestContext } from '../../../declare/resource/request/request-context.js'
import type { UniqueSet } from '../../../declare/resource/compiled/unique-sets.js'
import { rowObject } from '../../../core/rows/row-set.js'
import { readCollection } from '../../read/rows/read-collection.js'
import type { DocumentRow } from './document-row.js'

interface TakenRead {
  readonly transaction: Transaction | null
  readonly context: RequestContext
}

/**
 * Returns the unique sets in which another row has the same values as a row to write. Stores check unique indexes
 * themselves. This function finds the conflicts that a store does not report: if the document has other problems and is
 * not sent to the store, and because a store stops at the first conflict. So a client gets all problems in one
 * response. Rows outside the client's scope count too.
 */
export async function takenSets(
  row: Pick<DocumentRow, 'served' | 'row' | 'values'>,
  sets: readonly UniqueSet[],
  read: TakenRead,
): Promise<readonly UniqueSet[]> {
  if (row.served.provider?.fetchCollection === undefined) return []
  const taken: UniqueSet[] = []
  const complete = { ...row, row: await withColumns(row, sets, read) }
  for (const set of sets) if (await isTaken(complete, set, read)) taken.push(set)
  return taken
}

/**
 * Reads the missing columns of the unique sets: of a row at the end of a chain, only the columns of the document have
 * been read.
 */
async function withColumns(
  { served, row, values }: Pick<DocumentRow, 'served' | 'row' | 'values'>,
  sets: readonly UniqueSet[],
  { transaction, context }: TakenRead,
): Promise<RowObject | null> {
  const touched = sets.filter(({ columns }) => columns.some((column) => Object.hasOwn(values, column)))
  const named = new Set(touched.flatMap(({ columns }) => columns))
  const missing = [...named].filter((column) => row !== null && !Object.hasOwn(row, column))
  const { type } = served
  const key = row === null || missing.length === 0 ? null : equalTo(type, type.id.column, keyIn(row, type.id.column))
  if (key === null) return row
  const found = await readCollection(served, {
    ...fewRows,
    columns: [...new Set([...keyColumns(type.id.column), ...missing])],
    conditions: [key],
    transaction,
    context,
  })
  const [stored] = found.rows.rows
  return stored === undefined ? row : { ...rowObject(found.rows.columns, stored), ...row }
}

/** Two rows are enough: one of them may be the row itself. */
const fewRows = {
  orders: [{ kind: 'key', descending: false }],
  window: { kind: 'offset', offset: 0, limit: 2 },
  wantsCount: false,
} as const

/** Whether another row has the same values. Null is equal to nothing. A set without changed columns is not checked. */
async function isTaken(
  { served, row, values }: Pick<DocumentRow, 'served' | 'row' | 'values'>,
  { columns }: UniqueSet,
  { transaction, context }: TakenRead,
): Promise<boolean> {
  const { type } = served
  const changes = (column: string): boolean =>
    Object.hasOwn(values, column) && (row === null || !isDeepStrictEqual(values[column], row[column]))
  if (!columns.some(changes)) return false
  const resulting: ColumnValues = { ...row, ...values }
  const conditions = columns.map((column) => equalTo(type, column, resulting[column]))
  if (!conditions.every((condition) => condition !== null)) return false
  const found = await readCollection(served, {
    ...fewRows,
    columns: keyColumns(type.id.column),
    conditions,
    transaction,
    context,
  })
  const keyOf = keyReader(found.rows.columns, type.id.column)
  const ownKey = row === null ? null : keyText(keyIn(row, type.id.column))
  return found.rows.rows.some((other) => ownKey === null || keyText(keyOf(other)) !== ownKey)
}

/** Returns the condition that a column equals a value; `null` if there is no value, or if stores cannot compare it. */
function equalTo({ attributes, id }: CompiledType, name: string, value: unknown): RowCondition | null {
  const kind = attributes.find(({ column }) => column === name)?.spec.kind ?? null
  if (value === null || value === undefined || kind?.comparedAs === 'json') return null
  const column = { of: 'row', name, kind, isKey: name === id.column || keyColumns(id.column).includes(name) } as const
  return { kind: 'compare', column, operator: '=', value }
}
