import type { LiveTable } from '../../data/sql/schema/live-schema.js'

/** A table or a view that a view reads, as far as its keys are known. Names are in lower case. */
export interface SourceTable {
  readonly columns: readonly string[]
  /** Sets of columns of which each combination is one row at most. */
  readonly keys: readonly (readonly string[])[]
  readonly notNull: ReadonlySet<string>
}

/** Returns the keys of a table: its primary key and its unique indexes. */
export function sourceOfTable({ columns, primaryKey, indexes }: LiveTable): SourceTable {
  const unique = indexes.flatMap(({ unique: isUnique, partial, columns: parts }) => {
    const names = parts.flatMap((part) => part ?? [])
    return isUnique && !partial && names.length === parts.length ? [names] : []
  })
  const keys = [...(primaryKey.length === 0 ? [] : [primaryKey]), ...unique]
  const notNull = columns.filter(({ nullable }) => !nullable).map(({ name }) => name)
  return {
    columns: columns.map(({ name }) => name.toLowerCase()),
    keys: keys.map((names) => names.map((name) => name.toLowerCase())),
    notNull: new Set([...notNull, ...primaryKey].map((name) => name.toLowerCase())),
  }
}
