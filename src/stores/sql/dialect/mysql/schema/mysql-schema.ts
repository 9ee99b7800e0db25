import type { ColumnType } from '../../../schema/column-type.js'
import { columnTypeSet as types } from '../../../schema/column-type.js'
import { readRows } from '../../../driver/sql-statement.js'
import type { SqlColumn } from '../../../schema/sql-table.js'
import type { KeyUse, SchemaRules } from '../../dialect.js'
import { describeConnectFailure } from '../driver/connect-failure.js'
import { quotedName, quotedTable } from '../quoted-name.js'
import { digitsOf, keyLimits } from './mysql-types.js'
import type { CatalogueRules } from './read-mysql-tables.js'
import { tableReader } from './read-mysql-tables.js'

/** The number of decimal digits that a double always represents exactly. */
const EXACT_DIGITS = 15

/** The number of digits of a second that a `Date` has. */
const DATE_DIGITS = 3

const keyTrigger = `select 1 from information_schema.triggers
  where event_object_schema = coalesce(?, database()) and event_object_table = ? and action_timing = 'BEFORE' and event_manipulation = 'INSERT' limit 1`

/** Returns what an engine knows about tables and columns. */
export function mysqlSchema(rules: CatalogueRules): SchemaRules {
  const { codePoints } = rules
  return Object.freeze<SchemaRules>({
    readTables: tableReader(rules),
    // A text column may store booleans as text.
    typeOf: (live, storageType) => (live === 'text' && storageType === 'boolean' ? 'boolean' : live),
    isText: (type) => type === 'text' || type === 'uuid' || type === 'date',
    mayBeFiner,
    fitting: {
      number: types('integer', 'bigint', 'number', 'real', 'decimal', 'text'),
      bigint: types('integer', 'bigint', 'decimal', 'text'),
      boolean: types('boolean', 'integer', 'bigint', 'text'),
      instant: types('instant', 'timestamp', 'epochSeconds', 'epochMilliseconds', 'text'),
      date: types('date', 'instant', 'timestamp', 'text'),
      time: types('time', 'text'),
      json: types('json'),
      list: types('json'),
    },
    keyRemedy,
    comparesExactly(type, databaseType) {
      if (type === 'text') return databaseType.endsWith(` collate ${codePoints}`)
      return type === 'integer' || type === 'bigint'
    },
    keyLimits,
    mayCountKeys: ({ primaryKey }, { name }, type) =>
      (type === 'integer' || type === 'bigint') && primaryKey.length === 1 && primaryKey[0] === name,
    systemColumn: () => null,
    codePoints,
    exactCollation: ({ name }) =>
      `alter table ${quotedName(name)} convert to character set utf8mb4 collate ${codePoints};`,
    rowIdentity: [],
    setsKeys: async (database, { schema, name }) => (await readRows(database, keyTrigger, [schema, name])).length > 0,
    expectWritable: () => Promise.resolve(),
    describeFailure: describeConnectFailure,
    storedTypes: {
      bytes: 'longblob',
      bigint: 'bigint',
      text: `longtext character set utf8mb4`,
      keys: [512, 255].map((length) => `varchar(${length}) character set utf8mb4 collate ${codePoints}`) as [
        string,
        string,
      ],
    },
    indexOn: (index, { schema, name }) => `${quotedName(index)} on ${quotedTable(schema, name)}`,
    quotedName,
  })
}

/** Returns whether a column may hold microseconds, or more digits than a double has. */
function mayBeFiner(type: ColumnType, databaseType: string): boolean {
  switch (type) {
    case 'instant':
    case 'timestamp':
    case 'time':
      return digitsOf(databaseType) > DATE_DIGITS
    case 'decimal':
      return databaseType === '' || digitsOf(databaseType) > EXACT_DIGITS
    case 'bigint':
      return true
    default:
      return false
  }
}

const wholeNumbers = 'change the column to a type of whole numbers: bigint, or decimal with the scale 0'
const wholeDecimal = /^decimal\(\d+,0\)/

/** Returns the remedy for a column whose values cannot be found by the ids that responses show, as the end of a sentence. */
function keyRemedy({ type }: SqlColumn, { databaseType, isConverted }: KeyUse): string | null {
  switch (type) {
    case 'decimal':
      return isConverted || wholeDecimal.test(databaseType) ? null : wholeNumbers
    case 'number':
    case 'real':
      return isConverted ? null : wholeNumbers
    case 'json':
    case 'list':
    case 'bytes':
      return 'change the column to varchar'
    default:
      return null
  }
}
