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
    return sql`(${answer})`
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

function textOf(column: SqlColumn, engine: EngineName): string {
  const { sql: text, parameters } = columnReference(column, 'row').compile(sqlBuilder(engine))
  return JSON.stringify([text, ...parameters], (_, value: unknown) => {
    return typeof value === 'bigint' ? String(value) : value
  })
}
