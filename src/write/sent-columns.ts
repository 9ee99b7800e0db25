import type { ColumnValues } from '../resource/capabilities/persister.js'
import type { ServedType } from '../resource/capabilities/served-type.js'
import type { Awaitable } from '../util/types.js'
import type { ResourceDocument } from './document/resource-document.js'
import type { LinkageChange, MemberOf } from './linkage/linkage-change.js'
import { fills, linkedColumns, ownerColumns } from './linkage/owner-columns.js'
import type { Columns, Hydration } from './columns/hydrate.js'
import { hydrate, isPlainRow, plainColumns } from './columns/hydrate.js'

/** The columns that a document sets in the row of its resource. */
export interface SentColumns {
  /** Those of its attributes, in an object of their own. */
  readonly own: Columns
  /** Those of its relations. */
  readonly linked: ColumnValues
}

/** Returns the columns that a valid document sets. It is synchronous unless functions of the application take part, or a stored row. */
export function sentColumns(
  served: ServedType,
  document: ResourceDocument,
  hydration: Hydration,
  { changes, memberOf }: { readonly changes: readonly LinkageChange[]; readonly memberOf: MemberOf },
): Awaitable<SentColumns> {
  const owner = { memberOf, row: hydration.row, attributes: document.attributes }
  if (!isPlainRow(served, hydration) || changes.some(fills)) return convertedColumns()
  return { own: plainColumns(document, hydration.writable), linked: linkedColumns(changes, owner) }

  async function convertedColumns(): Promise<SentColumns> {
    return { own: await hydrate(served, document, hydration), linked: await ownerColumns(changes, owner) }
  }
}
