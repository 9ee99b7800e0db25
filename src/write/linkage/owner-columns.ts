import { keyText } from '../../row-query/key-text.js'
import type { ColumnValues } from '../../resource/capabilities/persister.js'
import type { RowObject } from '../../resource/fields/field-spec.js'
import type { Awaitable } from '../../util/types.js'
import { forEachInOrder, mapAwaitable } from '../../util/awaitable.js'
import { contradiction } from './check-agreement.js'
import type { LinkageChange } from './linkage-change.js'
import { changesAnything } from './linkage-change.js'
import type { MemberOf } from './resolve-members.js'
import { memberNamed } from './resolve-members.js'

interface OwnRow {
  readonly memberOf: MemberOf
  /** What is stored, `null` on create. */
  readonly row: RowObject | null
  /** All attributes that the client sent. */
  readonly attributes: Readonly<Record<string, unknown>>
}

/**
 * The columns of the owner's own row that changes of linkage set: keys of related rows, and what `fillUsing()` answers.
 * Two relations may stand on one column; a body that wants two different things of it is refused.
 */
export function ownerColumns(changes: readonly LinkageChange[], own: OwnRow): Awaitable<ColumnValues> {
  const only = changes[0]
  if (only === undefined) return nothing
  if (own.row === null && changes.length === 1) return columnsOf(only, own)
  const columns: Record<string, unknown> = {}
  const said: Record<string, unknown> = {}
  const done = forEachInOrder(changes, (change) => {
    const repeated = own.row === null || changesAnything(change) ? null : repeatedColumns(change, own.row)
    return mapAwaitable(repeated ?? columnsOf(change, own), (found) => {
      for (const column of Object.keys(found)) {
        const value = found[column]
        if (Object.hasOwn(said, column) && !isSame(said[column], value)) contradiction(change)
        said[column] = value
        if (repeated === null) columns[column] = value
      }
    })
  })
  return mapAwaitable(done, () => columns)
}

const nothing: ColumnValues = Object.freeze({})

/** What a relation that stays as it is says of its columns. Of what the caller does not see, it says nothing. */
function repeatedColumns({ relation: { storage, spec }, sent }: LinkageChange, row: RowObject): RowObject {
  if (storage.kind !== 'ownKey' || spec.fill !== null) return {}
  const { id, type } = storage.key
  const stored = row[id] ?? null
  if (sent.length === 0 && stored !== null) return {}
  return { [id]: stored, ...(type === null ? {} : { [type]: row[type] ?? null }) }
}

/** Keys are one key in whatever form: what nobody reads is known as the text of its id. */
function isSame(one: unknown, other: unknown): boolean {
  return one === other || (keyText(one) !== null && keyText(one) === keyText(other))
}

function columnsOf(change: LinkageChange, { memberOf, row, attributes }: OwnRow): Awaitable<RowObject> {
  const { relation, added } = change
  const { storage, spec } = relation
  if (spec.fill !== null) {
    return mapAwaitable(spec.fill(row ?? {}, linkageOf(change), attributes, relation.name), (filled) => filled ?? {})
  }
  if (storage.kind !== 'ownKey') return {}
  const [sent] = added
  const member = sent === undefined ? null : memberNamed(sent, memberOf)
  const { id, type } = storage.key
  const found: Record<string, unknown> = {}
  found[id] = member?.key ?? null
  if (type !== null) found[type] = member?.type ?? null
  return found
}

/** As a client would write it: the resulting set, whichever way it came about. */
function linkageOf({ relation, resulting, unseen }: LinkageChange): unknown {
  const identifiers = [...resulting, ...unseen].map(({ type, id }) => ({ type, id }))
  return relation.spec.traits.toMany ? identifiers : (identifiers[0] ?? null)
}
