import { keyText } from '../../data/row-query/key-text.js'
import type { Problem } from '../../errors/json-api-error.js'
import type { ColumnValues } from '../../resource/capabilities/persister.js'
import type { ServedType } from '../../resource/capabilities/served-type.js'
import type { Transaction } from '../../resource/capabilities/transactions.js'
import type { CompiledType } from '../../resource/compiled-type.js'
import type { RowObject } from '../../resource/fields/field-spec.js'
import type { RowCondition } from '../../resource/querying/row-condition.js'
import type { RequestContext } from '../../resource/request-context.js'
import type { UniqueSet } from '../../resource/unique-sets.js'
import { takenProblem, uniqueSets } from '../../resource/unique-sets.js'
import { readCollection } from '../rows/read-collection.js'

interface Occasion {
  /** What is stored, `null` on create. */
  readonly row: RowObject | null
  readonly transaction: Transaction | null
  readonly context: RequestContext
}

/**
 * What a store would find taken of the columns that are about to be written. Stores say so themselves; this is for a
 * document with other problems, which no store gets to see, so that its client is told everything at once. Whoever holds
 * a value holds it, in scope or not.
 */
export async function uniqueProblems(
  served: ServedType,
  written: ColumnValues,
  occasion: Occasion,
): Promise<readonly Problem[]> {
  if (served.provider?.fetchCollection === undefined) return []
  const problems: Problem[] = []
  for (const set of uniqueSets(served.type)) {
    if (await isTaken(served, set, written, occasion)) problems.push(takenProblem(set))
  }
  return problems
}

/** Null is equal to nothing. A set of which nothing is written stands as it stood. */
async function isTaken(
  served: ServedType,
  { columns }: UniqueSet,
  written: ColumnValues,
  { row, transaction, context }: Occasion,
): Promise<boolean> {
  const { type } = served
  if (!columns.some((column) => Object.hasOwn(written, column))) return false
  const resulting: ColumnValues = { ...row, ...written }
  const conditions = columns.map((column) => equalTo(type, column, resulting[column]))
  if (!conditions.every((condition) => condition !== null)) return false
  const found = await readCollection(served, {
    columns: [type.id.column],
    conditions,
    orders: [{ kind: 'key', descending: false }],
    // The row itself may be one of them.
    window: { kind: 'offset', offset: 0, limit: 2 },
    wantsCount: false,
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
