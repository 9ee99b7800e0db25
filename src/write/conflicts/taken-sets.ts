import { isDeepStrictEqual } from 'node:util'
import { keyText } from '../../row-query/key-text.js'
import type { ColumnValues } from '../../resource/capabilities/persister.js'
import type { Transaction } from '../../resource/capabilities/transactions.js'
import type { CompiledType } from '../../resource/compiled-type.js'
import type { RowObject } from '../../resource/fields/field-spec.js'
import type { RowCondition } from '../../resource/querying/row-condition.js'
import type { RequestContext } from '../../resource/request-context.js'
import type { UniqueSet } from '../../resource/unique-sets.js'
import { rowObject } from '../../rows/row-set.js'
import { readCollection } from '../../read/rows/read-collection.js'
import type { DocumentRow } from './document-row.js'

interface Occasion {
  readonly transaction: Transaction | null
  readonly context: RequestContext
}

/**
 * Of sets of columns, those that a store would find taken of a row that is about to be written. Stores say so themselves;
 * this is for what they do not get to see, because a document has other problems, and for what they do not get to say,
 * because they stop at the first conflict: a client is told everything at once. Whoever holds a value holds it, in scope
 * or not.
 */
export async function takenSets(
  row: Pick<DocumentRow, 'served' | 'row' | 'values'>,
  sets: readonly UniqueSet[],
  occasion: Occasion,
): Promise<readonly UniqueSet[]> {
  if (row.served.provider?.fetchCollection === undefined) return []
  const taken: UniqueSet[] = []
  const whole = { ...row, row: await withColumns(row, sets, occasion) }
  for (const set of sets) if (await isTaken(whole, set, occasion)) taken.push(set)
  return taken
}

/** Of a row that a chain leads to, only the columns were read that the document speaks of; the sets may have others. */
async function withColumns(
  { served, row, values }: Pick<DocumentRow, 'served' | 'row' | 'values'>,
  sets: readonly UniqueSet[],
  { transaction, context }: Occasion,
): Promise<RowObject | null> {
  const touched = sets.filter(({ columns }) => columns.some((column) => Object.hasOwn(values, column)))
  const named = new Set(touched.flatMap(({ columns }) => columns))
  const missing = [...named].filter((column) => row !== null && !Object.hasOwn(row, column))
  const { type } = served
  const key = row === null || missing.length === 0 ? null : equalTo(type, type.id.column, row[type.id.column])
  if (key === null) return row
  const found = await readCollection(served, {
    ...fewRows,
    columns: [type.id.column, ...missing],
    conditions: [key],
    transaction,
    context,
  })
  const [stored] = found.rows.rows
  return stored === undefined ? row : { ...rowObject(found.rows.columns, stored), ...row }
}

/** The row itself may be one of those that are found. */
const fewRows = {
  orders: [{ kind: 'key', descending: false }],
  window: { kind: 'offset', offset: 0, limit: 2 },
  wantsCount: false,
} as const

/** Null is equal to nothing. A set of which nothing changes stands as it stood. */
async function isTaken(
  { served, row, values }: Pick<DocumentRow, 'served' | 'row' | 'values'>,
  { columns }: UniqueSet,
  { transaction, context }: Occasion,
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
    columns: [type.id.column],
    conditions,
    transaction,
    context,
  })
  const position = found.rows.columns.indexOf(type.id.column)
  const own = row === null ? null : keyText(row[type.id.column])
  return found.rows.rows.some((other) => own === null || keyText(other[position]) !== own)
}

/** `null` where there is no value, or none that stores compare. */
function equalTo({ attributes, id }: CompiledType, name: string, value: unknown): RowCondition | null {
  const kind = attributes.find(({ column }) => column === name)?.spec.kind ?? null
  if (value === null || value === undefined || kind?.comparedAs === 'json') return null
  const column = { of: 'row', name, kind, isKey: name === id.column } as const
  return { kind: 'compare', column, operator: '=', value }
}
