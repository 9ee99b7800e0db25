import type { Row } from '../../../core/rows/row-set.js'
import { isSet, rowObject } from '../../../core/rows/row-set.js'
import { memoize } from '../../../core/util/memoize.js'
import type { ServedRelation, ServedType } from '../capabilities/served-type.js'
import type { Identifier } from '../parts/identifier.js'
import { isComposite, keyReader } from '../parts/key-columns.js'
import type { RequestContext } from '../request/request-context.js'
import { referenceColumn } from '../compiled/relation-link.js'

/*
 * The identifiers in a row: of its own resource, and of those that it refers to.
 */

/**
 * Returns a function that reads the wire id of a row with these columns. A user-defined serializer returns it itself.
 */
export function idReader({ type, serializer }: ServedType, columns: readonly string[]): IdReader {
  if (serializer !== null) return (row, context) => serializer.serialize(rowObject(columns, row), context).id
  if (!isComposite(type.id.column)) {
    const position = columns.indexOf(type.id.column)
    return (row) => type.id.encode(row[position])
  }
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
 * Returns whether the linkage can be read from the owner's row only: the row holds the foreign key of the related
 * resource, that key is its id, and neither a scope nor soft deletes can hide the resource from the client.
 */
export const linkageIsInRow: (relation: LinkageSource) => boolean = memoize(
  (relation) => isKeyInRow(relation) && areAllVisible(relation),
)

/**
 * Returns whether the row holds the linkage, but a scope or soft deletes may hide the related resource. Then the store
 * can return a flag with each row: whether the related resource is visible.
 */
export const linkageNeedsFlag: (relation: ServedRelation) => boolean = memoize(
  (relation) => relation.readBy === 'owner' && isKeyInRow(relation) && !areAllVisible(relation),
)

/** A relation needs the related rows if `objectType` or a serializer reads them, or if the identifiers have meta. */
function isKeyInRow({ storage, spec, related }: LinkageSource): boolean {
  if (storage.kind !== 'ownKey' || spec.identifierMeta !== null) return false
  return [...related.values()].every(({ type, serializer }) => {
    const isTypeKnown = related.size === 1 || type.objectType === null
    return serializer === null && isTypeKnown && type.id.column === referenceColumn(type)
  })
}

function areAllVisible({ related }: LinkageSource): boolean {
  return [...related.values()].every(({ type }) => type.scope === null && type.softDeletes === null)
}

/** Returns the name of the flag for the visibility of the related resource. No column has such a name. */
export const visibilityFlag: (relation: Pick<ServedRelation, 'name'>) => string = memoize(
  ({ name }) => `visible(${name})`,
)

/** Returns whether rows with these columns contain the linkage of a relation. */
export function containsLinkage(relation: ServedRelation, columns: readonly string[]): boolean {
  return columns.includes(visibilityFlag(relation)) || linkageIsInRow(relation)
}

/**
 * Returns a function that reads that linkage from a row with these columns; `null` if there is no related resource, if
 * it is not visible, or if the stored type is not a target.
 */
export function rowLinkage(relation: ServedRelation, columns: readonly string[]): (row: Row) => Identifier | null {
  const { storage, targets } = relation
  if (storage.kind !== 'ownKey') return () => null
  const keyOf = keyReader(columns, storage.key.id)
  const typePosition = storage.key.type === null ? -1 : columns.indexOf(storage.key.type)
  const targetByStoredType = new Map(targets.map((target) => [target.storedType, target]))
  const [onlyTarget] = targets
  const read = (row: Row): Identifier | null => {
    const key = keyOf(row)
    const target = typePosition === -1 ? onlyTarget : targetByStoredType.get(String(row[typePosition]))
    if (key === null || key === undefined || target === undefined) return null
    return { type: target.type, id: target.id.encode(key), meta: null }
  }
  const flagPosition = columns.indexOf(visibilityFlag(relation))
  return flagPosition === -1 ? read : (row) => (isSet(row[flagPosition]) ? read(row) : null)
}
