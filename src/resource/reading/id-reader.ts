import type { Row } from '../../rows/row-set.js'
import { rowObject } from '../../rows/row-set.js'
import type { ServedRelation, ServedType } from '../capabilities/served-type.js'
import type { Identifier } from '../identifier.js'
import { keyReader } from '../key-columns.js'
import { referenceColumn } from '../relations/relation-link.js'
import type { RequestContext } from '../request-context.js'

/**
 * Returns a function that reads the wire id of a row with these columns. A user-defined serializer returns it itself.
 */
export function idReader({ type, serializer }: ServedType, columns: readonly string[]): IdReader {
  if (serializer !== null) return (row, context) => serializer.serialize(rowObject(columns, row), context).id
  const keyOf = keyReader(columns, type.id.column)
  return (row) => type.id.encode(keyOf(row))
}

export type IdReader = (row: Row, context: RequestContext) => string

/** Returns a function that reads a string key of a row's resource: its type and id, which no other resource has. */
export function identityReader(served: ServedType, columns: readonly string[]): IdReader {
  const idOf = idReader(served, columns)
  const { type } = served.type
  return (row, context) => `${type}\n${idOf(row, context)}`
}

/** The parts of a relation that determine where its linkage is stored. */
interface LinkageSource extends Pick<ServedRelation, 'storage' | 'spec'> {
  readonly related: ReadonlyMap<string, Pick<ServedType, 'type' | 'serializer'>>
}

/**
 * Returns whether the linkage can be read from the owner's row alone: the row holds the foreign key of the related
 * resource, and that key is its id. A relation needs the related rows if a scope or soft deletes can hide them from the
 * client, if `objectType` or a serializer reads them, or if the identifiers have meta.
 */
export function linkageIsInRow({ storage, spec, related }: LinkageSource): boolean {
  if (storage.kind !== 'ownKey' || spec.identifierMeta !== null) return false
  return [...related.values()].every(({ type, serializer }) => {
    const isTypeKnown = related.size === 1 || type.objectType === null
    const areAllVisible = type.scope === null && type.softDeletes === null
    return serializer === null && isTypeKnown && type.id.column === referenceColumn(type) && areAllVisible
  })
}

/**
 * Returns a function that reads that linkage from a row with these columns; `null` if the stored type is not a target.
 */
export function rowLinkage(
  { storage, targets }: ServedRelation,
  columns: readonly string[],
): (row: Row) => Identifier | null {
  if (storage.kind !== 'ownKey') return () => null
  const keyOf = keyReader(columns, storage.key.id)
  const typePosition = storage.key.type === null ? -1 : columns.indexOf(storage.key.type)
  const targetsByName = new Map(targets.map((target) => [target.type, target]))
  const [onlyTarget] = targets
  return (row) => {
    const key = keyOf(row)
    const target = typePosition === -1 ? onlyTarget : targetsByName.get(String(row[typePosition]))
    if (key === null || key === undefined || target === undefined) return null
    return { type: target.type, id: target.id.encode(key), meta: null }
  }
}
