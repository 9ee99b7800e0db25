import type { ColumnValues } from '../../resource/capabilities/persister.js'
import type { RowObject } from '../../resource/fields/field-spec.js'
import { contradiction } from './check-agreement.js'
import type { LinkageChange } from './linkage-change.js'
import { changesAnything } from './linkage-change.js'
import type { MemberOf } from './resolve-members.js'
import { memberNamed } from './write-members.js'

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
export async function ownColumns(changes: readonly LinkageChange[], own: OwnRow): Promise<ColumnValues> {
  const columns: Record<string, unknown> = {}
  for (const change of changes) {
    // What a new row is not told of, a default of the store may fill.
    if (own.row !== null && !changesAnything(change)) continue
    for (const [column, value] of Object.entries(await columnsOf(change, own))) {
      if (Object.hasOwn(columns, column) && columns[column] !== value) contradiction(change)
      columns[column] = value
    }
  }
  return columns
}

async function columnsOf(change: LinkageChange, { memberOf, row, attributes }: OwnRow): Promise<RowObject> {
  const { relation, added } = change
  const { storage, spec } = relation
  if (spec.fill !== null) {
    return (await spec.fill(row ?? {}, linkageOf(change), attributes, relation.name)) ?? {}
  }
  if (storage.kind !== 'ownKey') return {}
  const [sent] = added
  const member = sent === undefined ? null : memberNamed(sent, memberOf)
  return {
    [storage.key.id]: member?.key ?? null,
    ...(storage.key.type === null ? {} : { [storage.key.type]: member?.type ?? null }),
  }
}

/** As a client would write it: the resulting set, whichever way it came about. */
function linkageOf({ relation, resulting }: LinkageChange): unknown {
  const identifiers = resulting.map(({ type, id }) => ({ type, id }))
  return relation.spec.traits.toMany ? identifiers : (identifiers[0] ?? null)
}
