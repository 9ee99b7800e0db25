import type { Row } from '../../../core/rows/row-set.js'
import { rowObject } from '../../../core/rows/row-set.js'
import type { ServedType } from '../capabilities/served-type.js'
import { isComposite, keyReader } from '../parts/key-columns.js'
import type { RequestContext } from '../request/request-context.js'

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
