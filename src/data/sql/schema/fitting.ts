import type { StorageType } from '../../../resource/fields/value-kind.js'
import type { ColumnType } from './column-type.js'

/**
 * The column types whose values a kind shows, writes, compares and sorts, by the type that the kind stores. Text kinds
 * without a format fit every column: they show the text that the database displays.
 */
export type Fitting = Readonly<Record<Exclude<StorageType, 'text'>, ReadonlySet<ColumnType>>>

export function columnTypeSet(...names: readonly ColumnType[]): ReadonlySet<ColumnType> {
  return new Set(names)
}
