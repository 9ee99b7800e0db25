import type { ColumnValues } from '../resource/capabilities/persister.js'
import type { ServedType } from '../resource/capabilities/served-type.js'
import type { Awaitable } from '../util/types.js'
import { mapAwaitable } from '../util/awaitable.js'
import { checkTypes } from './document/check-types.js'
import type { LinkageChange } from './linkage/linkage-change.js'
import { linkageChange } from './linkage/linkage-change.js'
import { ownerColumns } from './linkage/owner-columns.js'
import type { MemberOf } from './linkage/resolve-members.js'
import { sentRelationships } from './document/sent-relationships.js'
import type { ReadContext } from '../read/read-context.js'
import { nothingStored } from '../validation/validation.js'
import { hydrate } from './columns/hydrate.js'
import { checkClientId, newKey } from './document/new-key.js'
import type { ResourceDocument } from './document/resource-document.js'
import { readResourceDocument } from './document/resource-document.js'
import type { WritableMembers } from './document/writable-members.js'

/** A resource that is to be created. */
export interface NewResource {
  readonly served: ServedType
  readonly document: ResourceDocument
  readonly writable: WritableMembers
  /** What becomes of its relations. */
  readonly changes: readonly LinkageChange[]
}

/** The document of a new resource, its structure checked, and the linkage in it. */
export function readNewResource(
  document: unknown,
  { served, writable }: Pick<NewResource, 'served' | 'writable'>,
  { context, services: { maxErrors } }: Pick<ReadContext, 'context' | 'services'>,
): Pick<NewResource, 'document' | 'changes'> {
  const sent = readResourceDocument(document, served.type)
  const linkages = sentRelationships(sent, writable.relations, maxErrors)
  checkClientId(served.type.id, sent.id)
  checkTypes(linkages, maxErrors)
  return { document: sent, changes: linkages.map((linkage) => linkageChange(linkage, 'replace', [], context)) }
}

/** The columns of its row, with the keys that it holds itself. */
export function newColumns(
  { served, document, writable, changes }: NewResource,
  memberOf: MemberOf,
  { context, services: { maxErrors: limit } }: Pick<ReadContext, 'context' | 'services'>,
): Awaitable<ColumnValues> {
  const { type, persister } = served
  const hydration = { context, writable: writable.attributes, row: null, stored: nothingStored, limit }
  const own = { memberOf, row: null, attributes: document.attributes }
  return mapAwaitable(newKey(type.id, document.id), (key) =>
    mapAwaitable(hydrate(served, document, hydration), (hydrated) =>
      mapAwaitable(ownerColumns(changes, own), (keys) => {
        const columns: Record<string, unknown> = {}
        // One by one, since to spread several objects into one costs more than all the rest here.
        setAll(columns, persister?.instantiate?.(type))
        setAll(columns, hydrated)
        setAll(columns, keys)
        if (key !== undefined) columns[type.id.column] = key
        return columns
      }),
    ),
  )
}

function setAll(columns: Record<string, unknown>, values: ColumnValues | undefined): void {
  for (const column in values) if (Object.hasOwn(values, column)) columns[column] = values[column]
}
