import type { CompiledType } from '../../../../../resource/compiled-type.js'
import { isComposite } from '../../../../../resource/key-columns.js'
import { referenceColumn } from '../../../../../resource/relations/relation-link.js'
import type { ColumnType } from '../../../schema/column-type.js'
import type { WantedMember } from '../../../schema/wanted-tables.js'

/** The types of SQLite that hold the column types which models declare. */
export const declaredType: Readonly<Record<ColumnType, string>> = {
  text: 'text',
  integer: 'integer',
  bigint: 'bigint',
  number: 'real',
  real: 'real',
  decimal: 'numeric',
  boolean: 'integer',
  instant: 'text',
  timestamp: 'text',
  epochSeconds: 'integer',
  epochMilliseconds: 'integer',
  date: 'text',
  time: 'text',
  json: 'text',
  list: 'text',
  uuid: 'text',
  bytes: 'blob',
  other: '',
}

/** Returns the type of a column by its attribute; empty if no attribute defines it, so that SQLite stores each value unchanged. */
export function memberType({ storageType, spec }: Pick<WantedMember, 'storageType' | 'spec'>): string {
  if (storageType === null) return ''
  return storageType === 'number' && spec?.kind.schema['type'] === 'integer' ? 'integer' : declaredType[storageType]
}

/**
 * Returns the type of the column that identifies the rows of a type; empty for several columns. The database counts keys, unless the id has
 * its own format or clients choose it.
 */
export function keyType(type: CompiledType): string {
  const key = referenceColumn(type)
  const { format, fallback, clientIds, codec } = type.id.spec
  if (isComposite(key)) return ''
  if (type.id.column !== key || codec !== null) return 'integer'
  // A client may write 007, which is another id than 7.
  if (format === 'numeric') return clientIds === 'required' ? 'text' : 'integer'
  return format === null && fallback.kind === 'store' && clientIds === 'forbidden' ? 'integer' : 'text'
}

const uuid = `lower(hex(randomblob(4)) || '-' || hex(randomblob(2)) || '-4' || substr(hex(randomblob(2)), 2) || '-' ||
  substr('89ab', 1 + (abs(random()) % 4), 1) || substr(hex(randomblob(2)), 2) || '-' || hex(randomblob(6)))`

/** Returns the expression by which the database generates text keys; null if it does not generate them. */
export function keyDefault(type: CompiledType): string | null {
  const { format, fallback, clientIds } = type.id.spec
  if (keyType(type) === 'integer' || fallback.kind !== 'store' || clientIds === 'required') return null
  if (format === 'uuid') return uuid
  // Only the application knows the format of the ids.
  return format === null ? 'lower(hex(randomblob(16)))' : null
}
