import { readRows } from '../../../driver/sql-statement.js'
import type { ColumnType } from '../../../schema/column-type.js'
import { columnTypeSet as types } from '../../../schema/column-type.js'
import type { LiveColumn } from '../../../schema/live-schema.js'
import { quotedName, quotedTable } from '../../../schema/quoted-name.js'
import type { SqlColumn } from '../../../schema/sql-table.js'
import type { KeyUse, SchemaRules } from '../../dialect.js'
import { describeConnectFailure } from '../driver/connect-failure.js'
import { readPostgresTables } from './read-postgres-tables.js'

const xmin: LiveColumn = Object.freeze({
  name: 'xmin',
  type: 'other',
  databaseType: 'xid',
  nullable: false,
  hasDefault: true,
  generated: 'identity',
})

/** The bounds of the integer types with fewer than 64 bits. */
const bounds: ReadonlyMap<string, bigint> = new Map([
  ['smallint', 2n ** 15n],
  ['integer', 2n ** 31n],
])

/** Finds a trigger for each row before an insert. */
const keyTrigger = `select 1 from pg_catalog.pg_trigger t join pg_catalog.pg_class c on c.oid = t.tgrelid
    join pg_catalog.pg_namespace n on n.oid = c.relnamespace
    where c.relname = $1::text and n.nspname = $2::text and not t.tgisinternal and t.tgtype & 7 = 7 limit 1`

export const postgresSchema: SchemaRules = Object.freeze<SchemaRules>({
  readTables: readPostgresTables,
  // A text column may store booleans as text, which no database accepts as a boolean.
  typeOf: (live, storageType) => (live === 'text' && storageType === 'boolean' ? 'boolean' : live),
  isText: (type) => type === 'text' || type === 'uuid' || type === 'other' || type === 'date',
  mayBeFiner,
  fitting: {
    number: types('integer', 'bigint', 'number', 'real', 'decimal', 'text'),
    bigint: types('integer', 'bigint', 'decimal', 'text'),
    boolean: types('boolean', 'integer', 'bigint', 'text'),
    instant: types('instant', 'timestamp', 'epochSeconds', 'epochMilliseconds', 'text'),
    date: types('date', 'instant', 'timestamp', 'text'),
    time: types('time', 'text'),
    json: types('json'),
    list: types('list', 'json'),
  },
  keyRemedy,
  comparesExactly(type, databaseType) {
    if (type === 'text') return databaseType === 'text' || databaseType.startsWith('character varying')
    return type === 'integer' || type === 'bigint' || type === 'uuid'
  },
  keyLimits(databaseType) {
    const length = /^character(?: varying)?\((\d+)\)$/.exec(databaseType)?.[1]
    return {
      length: length === undefined ? Number.POSITIVE_INFINITY : Number(length),
      bound: bounds.get(databaseType) ?? 2n ** 63n,
    }
  },
  // The statement numbers the rows in a column of this name.
  mayCountKeys: ({ columns }, _key, type) =>
    (type === 'integer' || type === 'bigint') && columns.every((each) => each.name !== 'ordinality'),
  systemColumn: (name) => (name === 'xmin' ? xmin : null),
  codePoints: '"C"',
  exactCollation: null,
  rowIdentity: ['tableoid', 'ctid'],
  setsKeys: async (database, { schema, name }) => (await readRows(database, keyTrigger, [name, schema])).length > 0,
  expectWritable: () => Promise.resolve(),
  describeFailure: describeConnectFailure,
  storedTypes: { bytes: 'bytea', bigint: 'bigint', text: 'text', keys: ['text', 'text'] },
  quotedName,
  indexOn: (index, { schema, name }) => `${quotedName(index)} on ${quotedTable(schema, name)}`,
})

/** The number of decimal digits that a double always represents exactly. */
const EXACT_DIGITS = 15

/** The number of digits of a second that a `Date` has. */
const DATE_DIGITS = 3

/**
 * Returns whether a PostgreSQL column may hold more digits than attributes show: microseconds, or more digits than a double has.
 *
 * @param databaseType the type as the database spells it: `numeric(8,2)`, `timestamp(3) with time zone`
 */
function mayBeFiner(type: ColumnType, databaseType: string): boolean {
  const digits = Number(/\((\d+)/.exec(databaseType)?.[1] ?? Number.POSITIVE_INFINITY)
  switch (type) {
    case 'instant':
    case 'timestamp':
    case 'time':
      return digits > DATE_DIGITS
    case 'decimal':
      return digits > EXACT_DIGITS
    case 'bigint':
      return true
    default:
      return false
  }
}

const wholeNumbers = 'change the column to a type of whole numbers: bigint, or numeric with the scale 0'
const wholeNumeric = /^numeric\(\d+,0\)/

/** Returns the remedy for a column whose values cannot be found by the ids that responses show, as the end of a sentence. */
function keyRemedy({ type }: SqlColumn, { databaseType, isConverted }: KeyUse): string | null {
  switch (type) {
    case 'decimal':
      return isConverted || wholeNumeric.test(databaseType) ? null : wholeNumbers
    case 'number':
    case 'real':
      return isConverted ? null : wholeNumbers
    case 'json':
    case 'list':
    case 'bytes':
      return 'change the column to text'
    case 'other':
      // Casts to text show a mask that the driver does not show.
      return databaseType === 'inet' ? 'change the column to text or cidr' : null
    default:
      return null
  }
}
