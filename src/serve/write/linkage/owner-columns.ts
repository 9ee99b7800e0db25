import { keyText } from '../../../stores/row-query/key-text.js'
import type { ColumnValues } from '../../../declare/resource/capabilities/persister.js'
import type { ServedType } from '../../../declare/resource/capabilities/served-type.js'
import type { CompiledType } from '../../../declare/resource/compiled/compiled-type.js'
import { isComposite, keyIn, keyValues } from '../../../declare/resource/parts/key-columns.js'
import { clearedColumns } from '../../../declare/resource/compiled/cleared-columns.js'
import { storedTypeOf } from '../../../declare/resource/compiled/relation-link.js'
import type { RowObject } from '../../../declare/resource/fields/field-spec.js'
import type { Columns, Hydration } from '../columns/hydrate.js'
import { hydrate, isPlainRow, plainColumns } from '../columns/hydrate.js'
import type { ResourceDocument } from '../document/resource-document.js'
import { contradiction } from './check-agreement.js'
import type { LinkageChange, MemberOf } from './linkage-change.js'
import { changesAnything, memberNamed } from './linkage-change.js'

interface OwnerRow {
  readonly memberOf: MemberOf
  /** The stored row; `null` on create. */
  readonly row: RowObject | null
  /** All attributes that the client sent. */
  readonly attributes: Readonly<Record<string, unknown>>
}

/** The columns that a document sets in the row of its resource. */
export interface SentColumns {
  /** Those of its attributes, in an object of their own. */
  readonly own: Columns
  /** Those of its relations. */
  readonly linked: ColumnValues
}

/** The changes of the relations in a document. */
interface SentChanges {
  readonly changes: readonly LinkageChange[]
  readonly memberOf: MemberOf
}

/** Returns the columns that a valid document sets. */
export async function sentColumns(
  served: ServedType,
  document: ResourceDocument,
  hydration: Hydration,
  { changes, memberOf }: SentChanges,
): Promise<SentColumns> {
  const plain = plainSentColumns(served, document, hydration, { changes, memberOf })
  if (plain !== null) return plain
  const owner = { memberOf, row: hydration.row, attributes: document.attributes }
  return { own: await hydrate(served, document, hydration), linked: await ownerColumns(changes, owner) }
}

/** Like `sentColumns()`; `null` if functions of the application take part, or a stored row. */
export function plainSentColumns(
  served: ServedType,
  document: ResourceDocument,
  hydration: Hydration,
  { changes, memberOf }: SentChanges,
): SentColumns | null {
  if (!isPlainRow(served, hydration) || changes.some(fills)) return null
  const owner = { memberOf, row: hydration.row, attributes: document.attributes }
  return {
    own: plainColumns(document, hydration.writable),
    linked: changes.length === 0 ? nothing : linkedColumns(changes, owner),
  }
}

/**
 * Returns the columns of the owner's row that linkage sets: foreign keys, and the columns that `fillUsing()` returns.
 * Two relations may use the same column: a body that sets two different values in it is refused.
 */
export async function ownerColumns(changes: readonly LinkageChange[], owner: OwnerRow): Promise<ColumnValues> {
  if (!changes.some(fills)) return linkedColumns(changes, owner)
  const { row, attributes } = owner
  const filled: FilledColumns = new Map()
  for (const change of changes) {
    const { name, spec } = change.relation
    if (spec.fill === null || isUnchanged(change, owner)) continue
    filled.set(change, (await spec.fill(row ?? {}, linkageOf(change), attributes, name)) ?? {})
  }
  return linkedColumns(changes, owner, filled)
}

/** The columns that `fillUsing()` of relations returned. */
type FilledColumns = Map<LinkageChange, RowObject>

/** Whether a function of the application sets the columns of a relation. */
function fills({ relation: { spec } }: LinkageChange): boolean {
  return spec.fill !== null
}

/** Like `ownerColumns()`, for relations that no function fills, or whose filled columns are known. */
export function linkedColumns(
  changes: readonly LinkageChange[],
  owner: OwnerRow,
  filled: FilledColumns = nothingFilled,
): ColumnValues {
  const first = changes[0]
  if (first === undefined) return nothing
  if (owner.row === null && changes.length === 1) return columnsOf(first, owner, filled)
  const columns: Record<string, unknown> = {}
  const wanted: Record<string, unknown> = {}
  for (const change of changes) {
    const isKept = isUnchanged(change, owner)
    const found = isKept ? unchangedColumns(change, owner.row ?? {}) : columnsOf(change, owner, filled)
    for (const column of Object.keys(found)) {
      const value = found[column]
      if (Object.hasOwn(wanted, column) && !isSame(wanted[column], value)) contradiction(change)
      wanted[column] = value
      // The row of a concealed relation is always written, so that its version changes.
      if (!isKept || change.isConcealed) columns[column] = value
    }
  }
  return columns
}

const nothingFilled: FilledColumns = new Map()

function isUnchanged(change: LinkageChange, { row }: OwnerRow): boolean {
  return row !== null && !changesAnything(change)
}

const nothing: ColumnValues = Object.freeze({})

/** Returns the columns of an unchanged relation. Returns none if the stored member is outside the client's scope. */
function unchangedColumns({ relation: { storage, spec }, sent }: LinkageChange, row: RowObject): RowObject {
  if (storage.kind !== 'ownKey' || spec.fill !== null) return {}
  const { id, type } = storage.key
  const stored = keyIn(row, id) ?? null
  if ((sent.length === 0 && stored !== null) || (stored === null && isComposite(id))) return {}
  return { ...keyValues(id, stored), ...(type === null ? {} : { [type]: row[type] ?? null }) }
}

/** Compares keys as text, because keys of a type without a provider are known only as the text of the id. */
function isSame(one: unknown, other: unknown): boolean {
  return one === other || (keyText(one) !== null && keyText(one) === keyText(other))
}

function columnsOf(change: LinkageChange, { memberOf }: OwnerRow, filled: FilledColumns): RowObject {
  const { relation, added } = change
  const { storage } = relation
  const known = filled.get(change)
  if (known !== undefined) return known
  if (storage.kind !== 'ownKey') return {}
  const [sent] = added
  const member = sent === undefined ? null : memberNamed(sent, memberOf)
  const { id, type } = storage.key
  const found: Record<string, unknown> = {}
  if (isComposite(id)) Object.assign(found, compositeColumns(id, member?.key ?? null, relation.owner))
  else found[id] = member?.key ?? null
  if (type !== null) found[type] = member === null ? null : storedTypeOf(relation, member.type)
  return found
}

function compositeColumns(id: string, key: unknown, owner: CompiledType): RowObject {
  if (key !== null) return keyValues(id, key)
  return Object.fromEntries(clearedColumns(owner, id).map((column) => [column, null]))
}

/** Returns the resulting linkage as a client would send it, for any mode of the change. */
function linkageOf({ relation, resulting, unseen }: LinkageChange): unknown {
  const identifiers = [...resulting, ...unseen].map(({ type, id }) => ({ type, id }))
  return relation.spec.traits.toMany ? identifiers : (identifiers[0] ?? null)
}
