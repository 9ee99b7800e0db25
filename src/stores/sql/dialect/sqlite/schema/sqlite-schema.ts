import type { StorageType } from '../../../../../declare/resource/fields/value-kind.js'
import type { DatabaseAccess } from '../../../driver/sql-statement.js'
import { unnamed } from '../../../driver/sql-statement.js'
import type { ColumnType } from '../../../schema/column-type.js'
import { columnTypeSet as types, numericTypes } from '../../../schema/column-type.js'
import { defaultNotation } from '../../../schema/instant-notation.js'
import { quotedName, quotedTable } from '../../../schema/quoted-name.js'
import type { SqlColumn } from '../../../schema/sql-table.js'
import type { KeyUse, SchemaRules } from '../../dialect.js'
import { describeOpenFailure } from '../driver/sqlite-faults.js'
import { readSqliteTables } from './read-sqlite-tables.js'

/** Columns of these types may hold numbers too. */
const mayBeNumbers = ['boolean', 'text', 'other', 'instant', 'date', 'time'] as const

export const sqliteSchema: SchemaRules = Object.freeze<SchemaRules>({
  readTables: readSqliteTables,
  typeOf,
  // Columns with another affinity than text may hold numbers.
  isText: (type) => type === 'text',
  mayBeFiner: () => false,
  // SQLite stores any value in any column. A value that it would convert does not fit.
  fitting: {
    number: types('integer', 'bigint', 'number', 'real', 'decimal', ...mayBeNumbers),
    bigint: types('integer', 'bigint', 'decimal', ...mayBeNumbers),
    boolean: types('boolean', 'integer', 'bigint', 'number', 'real', 'decimal', 'text', 'other'),
    instant: types('instant', 'timestamp', 'date', 'epochSeconds', 'epochMilliseconds', 'text', 'other'),
    date: types('date', 'instant', 'timestamp', 'text', 'other'),
    time: types('time', 'text', 'other'),
    json: types('json', 'list', 'text', 'other'),
    list: types('list', 'json', 'text', 'other'),
  },
  keyRemedy,
  comparesExactly: (type) => type === 'integer' || type === 'bigint' || type === 'text',
  keyLimits: () => ({ length: Number.POSITIVE_INFINITY, bound: 2n ** 63n }),
  mayCountKeys: ({ primaryKey }, { name, databaseType }) =>
    primaryKey.length === 1 && primaryKey[0] === name && databaseType.toUpperCase() === 'INTEGER',
  systemColumn: () => null,
  codePoints: 'binary',
  exactCollation: null,
  rowIdentity: ['rowid'],
  setsKeys: () => Promise.resolve(false),
  expectWritable,
  describeFailure: describeOpenFailure,
  storedTypes: { bytes: 'blob', bigint: 'integer', text: 'text', keys: ['text', 'text'] },
  quotedName,
  indexOn: (index, { schema, name }) => `${quotedTable(schema, index)} on ${quotedName(name)}`,
})

/** SQLite stores any value in any column and has few types, so the attribute is more exact than the declared type of the column. */
function typeOf(live: ColumnType, storageType: StorageType | null): ColumnType {
  switch (storageType) {
    case null:
      return live
    case 'number':
      // A text column preserves the digits of exact numbers.
      return numericTypes.has(live) || live === 'text' ? live : 'number'
    case 'bigint':
      return live === 'text' ? 'text' : 'bigint'
    case 'date':
      // A column of instants holds times too, of which the attribute shows the day.
      return live === 'instant' ? 'instant' : 'date'
    case 'time':
      // `12:30` and `12:30:00` are the same time, so the texts are parsed to be compared.
      return 'text'
    case 'text':
      return moments.has(live) ? 'text' : live
    default:
      return storageType
  }
}

const moments: ReadonlySet<ColumnType> = new Set(['instant', 'timestamp', 'date', 'time'])

/**
 * Throws if a database is write-protected. Such a database can be opened and read, and fails on the first write, so this
 * writes the present `user_version` again and rolls back. A database that another process is writing to right now counts as
 * writable.
 */
async function expectWritable(database: DatabaseAccess): Promise<void> {
  const held = await database.hold({ context: null })
  const run = (text: string) => held.run(unnamed(text))
  try {
    await run('begin immediate')
    const [row] = (await run('pragma user_version')).rows
    await run(`pragma user_version = ${Number(row?.[0] ?? 0)}`)
  } catch (thrown) {
    if (database.faultOf(thrown)?.kind !== 'conflict') throw thrown
  } finally {
    await run('rollback').catch(() => undefined)
    held.release(false)
  }
}

/** A column that the model declares needs no remedy: SQLite stores any value in any column. */
function keyRemedy({ type, property, notation }: SqlColumn, { isDeclared, isConverted }: KeyUse): string | null {
  const declared = (name: string): string => `declare { columns: { ${property}: '${name}' } } in table()`
  switch (type) {
    case 'decimal':
    case 'number':
    case 'real':
      return isConverted ? null : `${declared('integer')} if all its values are whole numbers`
    case 'instant':
    case 'timestamp':
      // Other applications may write instants in other notations, such as that of `current_timestamp`.
      return isDeclared || notation !== defaultNotation
        ? null
        : `${declared('text')}, or 'instant' instead of 'text' if all its values are in the notation of the store`
    case 'json':
    case 'list':
    case 'bytes':
      return `${declared('text')} if all its values are texts`
    default:
      return null
  }
}
