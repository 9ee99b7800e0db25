import { isExpression, sql } from 'kysely'
import { thrownMessage } from '../../../errors/describe-thrown.js'
import { ignoreRejection } from '../../../errors/ignore-rejection.js'
import type { SqlDialect } from '../dialect/dialect.js'
import { sqlBuilder } from '../statement/sql-builder.js'
import { computedCodec } from './column-codec.js'
import type { ColumnType } from './column-type.js'
import { defaultNotation } from './instant-notation.js'
import type { SqlColumn } from './sql-table.js'
import { columnReference } from './sql-table.js'
import type { Compute } from './table-model.js'
import { tableText } from './table-model.js'
import type { WantedTable } from './wanted-tables.js'

/** The computed columns of a table, with a message for each that cannot be compiled. */
interface ComputedColumns {
  readonly columns: readonly SqlColumn[]
  /** The compiled expressions, as part of the cache key of the table. */
  readonly texts: readonly string[]
  readonly problems: readonly string[]
}

/**
 * Compiles the computed columns of a table. Each may use the stored columns and the computed columns declared before
 * it.
 */
export function computedColumns(dialect: SqlDialect, want: WantedTable, stored: readonly SqlColumn[]): ComputedColumns {
  const known = new Map(stored.map((column) => [column.property, column]))
  const [columns, texts, problems]: [SqlColumn[], string[], string[]] = [[], [], []]
  for (const [property, { computed, type }] of want.columns) {
    if (computed === undefined || type === null) continue
    const column = computedColumn({ property, type, dialect, computed, known })
    try {
      texts.push(textOf(column, dialect))
      columns.push(column)
      known.set(property, column)
    } catch (thrown) {
      const name = tableText(want.tableName)
      problems.push(
        `The expression of '${property}' of the table '${name}' cannot be compiled: ${thrownMessage(thrown)}`,
      )
    }
  }
  return { columns, texts, problems }
}

interface ComputedDeclaration {
  readonly property: string
  readonly type: ColumnType
  readonly dialect: SqlDialect
  readonly computed: Compute
  /** The columns that the expression may use. */
  readonly known: ReadonlyMap<string, SqlColumn>
}

function computedColumn({ property, type, dialect, computed, known }: ComputedDeclaration): SqlColumn {
  const expression: SqlColumn['expression'] = (alias) => {
    const returned: unknown = computed({
      engine: dialect.name,
      column(member) {
        const column = known.get(member)
        if (column === undefined) throw new Error(`There is no column for '${member}' that it can use.`)
        return columnReference(column, alias)
      },
    })
    ignoreRejection(returned)
    if (!isExpression(returned)) throw new TypeError('It does not return a Kysely expression.')
    return dialect.spell.cast(sql`(${returned})`, type)
  }
  return Object.freeze({
    property,
    // No column name in a database can contain a null character.
    name: `${property}\u0000`,
    expression,
    type,
    storedType: type,
    declaredType: type,
    nullable: true,
    // The expression of a decimal may return text or a number if nothing casts it.
    isUniform: dialect.can.typeColumns || type !== 'decimal',
    readAsText: null,
    items: null,
    isFiner: dialect.schema.mayBeFiner(type, ''),
    notation: defaultNotation,
    codec: computedCodec(dialect.values.codec, type),
    mapping: null,
  })
}

function textOf(column: SqlColumn, dialect: SqlDialect): string {
  const { sql: text, parameters } = columnReference(column, 'row').compile(sqlBuilder(dialect))
  return JSON.stringify([text, ...parameters], (_, value: unknown) => {
    return typeof value === 'bigint' ? String(value) : value
  })
}
