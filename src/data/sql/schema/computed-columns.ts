import type { RawBuilder } from 'kysely'
import { isExpression, sql } from 'kysely'
import { thrownMessage } from '../../../errors/describe-thrown.js'
import { ignoreRejection } from '../../../errors/ignore-rejection.js'
import type { EngineName } from '../driver/sql-driver.js'
import { sqlBuilder } from '../statement/engine.js'
import { computedCodec } from './column-codec.js'
import { columnReference } from './column-reference.js'
import type { ColumnType } from './column-type.js'
import type { SqlColumn } from './sql-table.js'
import type { Compute } from './table-model.js'
import { tableText } from './table-model.js'
import type { WantedTable } from './wanted-tables.js'

/** The columns of a table that its database computes, and in a sentence each what cannot be. */
interface ComputedColumns {
  readonly columns: readonly SqlColumn[]
  /** Tells tables apart that compute otherwise. */
  readonly texts: readonly string[]
  readonly problems: readonly string[]
}

/** Each may be made of the columns that the table holds, and of those that are computed before it. */
export function computedColumns(engine: EngineName, want: WantedTable, stored: readonly SqlColumn[]): ComputedColumns {
  const known = new Map(stored.map((column) => [column.property, column]))
  const [columns, texts, problems]: [SqlColumn[], string[], string[]] = [[], [], []]
  for (const [property, { computed, type }] of want.columns) {
    if (computed === undefined || type === null) continue
    const column = computedColumn({ property, type, engine, computed, known })
    try {
      texts.push(textOf(column, engine))
      columns.push(column)
      known.set(property, column)
    } catch (thrown) {
      const place = tableText(want.place)
      problems.push(
        `The expression of '${property}' of the table '${place}' cannot be written: ${thrownMessage(thrown)}`,
      )
    }
  }
  return { columns, texts, problems }
}

interface Computed {
  readonly property: string
  readonly type: ColumnType
  readonly engine: EngineName
  readonly computed: Compute
  /** What it may be made of. */
  readonly known: ReadonlyMap<string, SqlColumn>
}

function computedColumn({ property, type, engine, computed, known }: Computed): SqlColumn {
  const expression: SqlColumn['expression'] = (alias) => {
    const answer: unknown = computed({
      engine,
      column(member) {
        const column = known.get(member)
        if (column === undefined) throw new Error(`There is no column for '${member}' that it could be made of.`)
        return columnReference(column, alias)
      },
    })
    ignoreRejection(answer)
    if (!isExpression(answer)) throw new TypeError('It answers no expression of Kysely.')
    return ofType(sql`(${answer})`, type, engine)
  }
  return Object.freeze({
    property,
    // No name in a database has this sign.
    name: `${property}\u0000`,
    expression,
    type,
    nullable: true,
    // On SQLite a decimal may come as a text, and nobody knows.
    isUniform: engine === 'postgres' || type !== 'decimal',
    codec: computedCodec(engine, type),
    mapping: null,
  })
}

/**
 * PostgreSQL gives values of whatever type comes out, and compares and sorts them as that: a mean is no double. So they are
 * made what is declared before anything looks at them. SQLite knows one kind of each.
 */
function ofType(expression: RawBuilder<unknown>, type: ColumnType, engine: EngineName): RawBuilder<unknown> {
  const write = engine === 'postgres' ? casts[type] : null
  return write === null ? expression : write(expression)
}

type Cast = (expression: RawBuilder<unknown>) => RawBuilder<unknown>

const castTo =
  (name: string): Cast =>
  (expression) =>
    sql`${expression}::${sql.raw(name)}`

const casts: Readonly<Record<ColumnType, Cast | null>> = {
  text: castTo('text'),
  integer: castTo('int8'),
  bigint: castTo('int8'),
  number: castTo('float8'),
  real: castTo('float4'),
  decimal: castTo('numeric'),
  boolean: castTo('bool'),
  instant: castTo('timestamptz'),
  timestamp: castTo('timestamp'),
  // A `Date` holds no more than milliseconds.
  epochSeconds: (expression) => sql`round(${expression}::numeric, 3)::float8`,
  epochMilliseconds: (expression) => sql`round(${expression}::numeric)::float8`,
  date: castTo('date'),
  time: castTo('time'),
  json: castTo('json'),
  // Of which type its members are, nobody says.
  list: null,
  uuid: castTo('uuid'),
  bytes: castTo('bytea'),
  other: null,
}

function textOf(column: SqlColumn, engine: EngineName): string {
  const { sql: text, parameters } = columnReference(column, 'row').compile(sqlBuilder(engine))
  return JSON.stringify([text, ...parameters], (_, value: unknown) => {
    return typeof value === 'bigint' ? String(value) : value
  })
}
