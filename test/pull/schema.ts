import type { SchemaColumn, SchemaForeignKey, SchemaTable } from '../../src/stores/sql/schema/database-schema.js'

type ColumnOptions = Partial<SchemaColumn>

/** A column of a table; text that is not null, unless the options declare otherwise. */
export function column(name: string, options: ColumnOptions = {}): SchemaColumn {
  return {
    name,
    databaseType: options.type ?? 'text',
    type: 'text',
    nullable: false,
    hasDefault: false,
    defaultText: null,
    domainChecks: [],
    comment: null,
    ...options,
  }
}

/** The key that most tables have. */
export const serial = (name = 'id'): SchemaColumn => column(name, { type: 'integer', hasDefault: true })

export const reference = (name: string, options: ColumnOptions = {}): SchemaColumn =>
  column(name, { type: 'integer', ...options })

export function foreignKey(columns: string, target: string | null, references = 'id'): SchemaForeignKey {
  return { name: null, columns: columns.split(','), table: target, references: references.split(',') }
}

interface TableOptions extends Partial<Omit<SchemaTable, 'name' | 'columns' | 'indexes'>> {
  /** The columns of indexes, with commas between them; those that end with an exclamation mark are unique. */
  readonly indexes?: readonly string[]
}

export function table(name: string, columns: readonly SchemaColumn[], options: TableOptions = {}): SchemaTable {
  const { indexes = [], primaryKey = columns.slice(0, 1).map((each) => each.name), ...others } = options
  return {
    name,
    schema: 'public',
    kind: 'table',
    isQualified: false,
    isView: false,
    changesAfterReturning: false,
    changesBeforeStoring: false,
    columns,
    primaryKey,
    foreignKeys: [],
    checks: [],
    comment: null,
    partitionOf: null,
    inherits: [],
    otherIndexes: new Set(),
    viewKey: null,
    ...others,
    indexes: [...(primaryKey.length === 0 ? [] : [`${primaryKey.join(',')}!`]), ...indexes].map((text) => ({
      name: text,
      columns: text.replace('!', '').split(','),
      unique: text.endsWith('!'),
      partial: false,
      deferrable: false,
      expressed: [],
      sortsTexts: true,
    })),
  }
}
