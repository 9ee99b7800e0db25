import type { ColumnValues } from '../capabilities/persister.js'
import type { CompiledType } from '../compiled/compiled-type.js'
import type { RowObject } from '../fields/field-spec.js'

const nothing: ColumnValues = Object.freeze({})

/**
 * Returns the column that gives a stored row its next version; no column if none has to be written.
 *
 * @param row the row as it is stored, locked by the transaction of the write
 */
export function raisedVersion({ version }: CompiledType, row: RowObject): ColumnValues {
  switch (version?.kind) {
    case 'integer':
      return { [version.column]: nextNumber(row[version.column]) }
    case 'instant':
      return { [version.column]: nextInstant(row[version.column]) }
    default:
      return nothing
  }
}

/** Returns the column that gives a new row its first version. */
export function firstVersion({ version }: CompiledType): ColumnValues {
  switch (version?.kind) {
    case 'integer':
      return { [version.column]: 1 }
    case 'instant':
      return { [version.column]: new Date() }
    default:
      return nothing
  }
}

/** Returns values of columns together with the next version of the row; the values themselves if there are none. */
export function withRaisedVersion(type: CompiledType, row: RowObject, values: ColumnValues): ColumnValues {
  if (type.version === null || Object.keys(values).length === 0) return values
  return { ...values, ...raisedVersion(type, row) }
}

function nextNumber(value: unknown): unknown {
  if (typeof value === 'bigint') return value + 1n
  // Some drivers return large integers as text.
  if (typeof value === 'string' && /^-?\d+$/.test(value)) return (BigInt(value) + 1n).toString()
  return Number.isFinite(value) ? Number(value) + 1 : 1
}

/** Returns an instant that is later than the previous one, even if two writes happen in the same millisecond. */
export function nextInstant(value: unknown): Date {
  const before = value instanceof Date ? value.getTime() : Date.parse(typeof value === 'string' ? value : '')
  return new Date(Number.isNaN(before) ? Date.now() : Math.max(Date.now(), before + 1))
}
