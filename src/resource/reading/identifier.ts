import type { Row } from '../../rows/row-set.js'
import { rowObject } from '../../rows/row-set.js'
import type { ServedRelation, ServedType } from '../capabilities/served-type.js'
import type { Identifier } from '../identifier.js'
import { referenceColumn } from '../relations/relation-link.js'
import type { RequestContext } from '../request-context.js'

/** Reads the wire id of rows with these columns. A serializer of the author's says it itself. */
export function idReader({ type, serializer }: ServedType, columns: readonly string[]): IdReader {
  if (serializer !== null) return (row, context) => serializer.serialize(rowObject(columns, row), context).id
  const position = columns.indexOf(type.id.column)
  return (row) => type.id.encode(row[position])
}

export type IdReader = (row: Row, context: RequestContext) => string

/** Reads what tells the resources of rows with these columns apart: no two have one type and one id. */
export function identityReader(served: ServedType, columns: readonly string[]): IdReader {
  const idOf = idReader(served, columns)
  const { type } = served.type
  return (row, context) => `${type}\n${idOf(row, context)}`
}

/** A relation and what its related types are served with. */
interface RelatedEnds extends Pick<ServedRelation, 'storage' | 'spec'> {
  readonly related: ReadonlyMap<string, Pick<ServedType, 'type' | 'serializer'>>
}

/**
 * Whether the owner's own row says the linkage: it holds the key of the related resource, and the key is the id. What
 * hides related resources from the caller, or adds meta to their identifiers, takes the related rows.
 */
export function linkageIsInRow({ storage, spec, related }: RelatedEnds): boolean {
  if (storage.kind !== 'ownKey' || spec.identifierMeta !== null) return false
  return [...related.values()].every(({ type, serializer }) => {
    const named = related.size === 1 || type.objectType === null
    const allThere = type.scope === null && type.softDeletes === null
    return serializer === null && named && type.id.column === referenceColumn(type) && allThere
  })
}

/** Reads that linkage from rows with these columns. A type that the relation does not lead to is nobody's. */
export function rowLinkage(
  { storage, targets }: ServedRelation,
  columns: readonly string[],
): (row: Row) => Identifier | null {
  if (storage.kind !== 'ownKey') return () => null
  const keyPosition = columns.indexOf(storage.key.id)
  const typePosition = storage.key.type === null ? -1 : columns.indexOf(storage.key.type)
  const byName = new Map(targets.map((target) => [target.type, target]))
  const [only] = targets
  return (row) => {
    const key = row[keyPosition]
    const target = typePosition === -1 ? only : byName.get(String(row[typePosition]))
    if (key === null || key === undefined || target === undefined) return null
    return { type: target.type, id: target.id.encode(key), meta: null }
  }
}
