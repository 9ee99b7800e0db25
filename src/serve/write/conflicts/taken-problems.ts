import type { Problem } from '../../../core/errors/json-api-error.js'
import type { ServedType } from '../../../declare/resource/capabilities/served-type.js'
import type { Transaction } from '../../../declare/resource/request/transactions.js'
import type { CompiledType, CompiledAttribute } from '../../../declare/resource/compiled/compiled-type.js'
import { columnsOfField, uniqueSets } from '../../../declare/resource/compiled/unique-sets.js'
import type { SentLinkageChange } from './document-row.js'
import { pointersInDocument } from './document-row.js'
import { takenProblem } from './conflict-problem.js'
import { takenSets } from './taken-sets.js'
import type { Validation } from '../../validation/validation.js'
import type { ResourceDocument } from '../document/resource-document.js'
import type { WritableMembers } from '../document/writable-members.js'
import { pointer } from '../../../core/document/json-pointer.js'
import type { ColumnValues } from '../../../declare/resource/capabilities/persister.js'

interface DocumentWrite extends Pick<Validation, 'row' | 'context'> {
  readonly writable: WritableMembers
  readonly changes: readonly SentLinkageChange[]
  readonly storesRow: boolean
  readonly transaction: Transaction | null
}

/**
 * Returns the problems of values that other rows have, for a document that has other problems too and is therefore not
 * sent to the store.
 */
export async function takenProblems(
  served: ServedType,
  document: ResourceDocument,
  { storesRow, transaction, row, context, writable, changes }: DocumentWrite,
  problems: readonly Problem[],
): Promise<readonly Problem[]> {
  // Only a user-defined hydrator knows which columns it sets.
  if (!storesRow || served.hydrator !== null) return []
  const relinked = changes.flatMap(({ relation }) => columnsOfField(served.type, relation.name))
  const values = {
    ...(await comparableColumns(writable.attributes, document.attributes, problems)),
    ...Object.fromEntries(relinked.map((column) => [column, null])),
  }
  const taken = await takenSets({ served, row, values }, uniqueSets(served.type), { transaction, context })
  const { pointerTo } = pointersInDocument(served.type, { document, writable, changes })
  return taken.map(({ rule, columns }) => takenProblem(rule, pointerTo(columns)))
}

/** Sorts problems: those of attributes first, in the order of the declaration, then all others. */
export function declaredOrder({ attributes }: CompiledType, problems: readonly Problem[]): readonly Problem[] {
  const declaredPosition = (problem: Problem): number => {
    const index = attributes.findIndex(({ name }) => isAtAttribute(problem, name))
    return index === -1 ? attributes.length : index
  }
  return problems.toSorted((one, other) => declaredPosition(one) - declaredPosition(other))
}

/**
 * Returns the columns that the attributes of an invalid document would set. A column is `null` if its value cannot be
 * determined, because its attribute has a problem itself or a user-defined function writes it.
 */
async function comparableColumns(
  attributes: readonly CompiledAttribute[],
  sent: Readonly<Record<string, unknown>>,
  problems: readonly Problem[],
): Promise<ColumnValues> {
  const columns: Record<string, unknown> = {}
  for (const attribute of attributes) {
    const { name, column, spec } = attribute
    if (column === null || !Object.hasOwn(sent, name)) continue
    const isKnown = spec.fill === null && !problems.some((found) => isAtAttribute(found, name))
    columns[column] = isKnown ? await storedValue(attribute, sent) : null
  }
  return columns
}

/** Whether a problem points to an attribute, or to a value inside it. */
function isAtAttribute({ source }: Problem, attribute: string): boolean {
  const problemPointer = source !== undefined && 'pointer' in source ? source.pointer : ''
  return `${problemPointer}/`.startsWith(`${pointer('data', 'attributes', attribute)}/`)
}

/**
 * Returns the value to store; `null` if the user-defined function throws, because it may also read attributes that have
 * problems.
 */
async function storedValue(
  { name, spec }: CompiledAttribute,
  sent: Readonly<Record<string, unknown>>,
): Promise<unknown> {
  if (spec.deserialize === null) return sent[name] === null ? null : spec.kind.write(sent[name])
  try {
    return await spec.deserialize(sent[name], sent)
  } catch {
    return null
  }
}
