import type { Expression, Selectable } from 'kysely'
import type { ForeignKey } from '../../../resource/model.js'
import { deepFreeze } from '../../../util/frozen.js'
import type { SqlRow } from '../query/custom-expressions.js'
import type { ColumnType } from './column-type.js'
import { columnTypes } from './column-type.js'
import type { ColumnNaming, Compute, TableColumn, TableModel } from './table-model.js'
import { tableName } from './table-model.js'

type Member<Row> = keyof Row & string

/** What is known of a table besides its name and the type of its rows. */
export interface TableOptions<Row> {
  /** The member that identifies a row, or several together for join rows. Default: `id`. */
  readonly key?: Member<Row> | readonly [Member<Row>, ...Member<Row>[]]
  /** Where the name has none: default, the one of the store. */
  readonly schema?: string
  /** How columns are called. Default: as the store has it. */
  readonly naming?: ColumnNaming
  /**
   * Columns of which the database does not tell enough, by the member of the row: their type, or their name where it does
   * not follow the naming; and those that it computes. All others are found in the database.
   */
  readonly columns?: { readonly [Name in Member<Row>]?: ColumnType | ColumnOptions<Row> }
  /** What leads to rows of other models; relations are found from it. */
  readonly foreignKeys?: readonly (ForeignKey & { readonly columns: readonly Member<Row>[] })[]
}

/** What is known of a column that the table has, or of one that the database computes. */
export type ColumnOptions<Row = object> =
  | {
      /** In the database. */
      readonly name?: string
      readonly type?: ColumnType
      readonly computed?: never
    }
  | {
      /** What the expression gives: no table says it. */
      readonly type: ColumnType
      /** The expression of which the database makes the values, where the table has no such column. Nobody can set it. */
      readonly computed: (row: Pick<SqlRow<Row>, 'column' | 'engine'>) => Expression<unknown>
      readonly name?: never
    }

/**
 * A table, or a view, as the model of a type. The type of its rows may be a plain interface or one that was written for
 * Kysely.
 *
 * @example
 * ```ts
 * interface AlbumRow { id: number; title: string; releasedAt: Date | null }
 * const albumTable = table<AlbumRow>('albums', { columns: { releasedAt: { name: 'released_on', type: 'instant' } } })
 * ```
 *
 * @param name `albums`, or with its schema `music.albums`
 */
export function table<Row extends object>(
  name: string,
  options: TableOptions<Selectable<Row>> = {},
): TableModel<Selectable<Row>> {
  checkOptions(name, options)
  const named = tableName(name)
  const { naming = null, foreignKeys } = options
  const given: string | readonly string[] = options.key ?? 'id'
  const key = typeof given === 'string' ? [given] : [...given]
  return Object.freeze({
    name,
    key: key[0] ?? 'id',
    columns: null,
    ...(foreignKeys === undefined ? {} : { foreignKeys: deepFreeze(structuredClone(foreignKeys)) }),
    table: Object.freeze({
      schema: named.schema ?? options.schema ?? null,
      name: named.name,
      key: Object.freeze(key),
      naming,
      columns: columnsOf(options.columns ?? {}),
    }),
  })
}

/** As it was given, by whichever rows it knows. */
interface GivenColumn {
  readonly name?: string
  readonly type?: ColumnType
  readonly computed?: Compute
}

function columnsOf(given: object): ReadonlyMap<string, TableColumn> {
  const columns = new Map<string, TableColumn>()
  for (const [member, column] of Object.entries(given) as [string, ColumnType | GivenColumn | undefined][]) {
    if (column === undefined) continue
    const { name, type, computed }: GivenColumn = typeof column === 'string' ? { type: column } : column
    const known = { name: name ?? null, type: type ?? null }
    columns.set(member, Object.freeze(computed === undefined ? known : { ...known, computed }))
  }
  return columns
}

const optionNames: readonly string[] = ['key', 'schema', 'naming', 'columns', 'foreignKeys']
const namings: readonly ColumnNaming[] = ['same', 'snake_case']

/** For authors whose compiler does not look: what is misspelt here would be passed over in silence. */
function checkOptions(name: string, given: object): void {
  if (typeof name !== 'string' || name === '')
    throw new TypeError("table() takes the name of a table: table('albums').")
  const { naming, columns = {} } = given as { readonly naming?: unknown; readonly columns?: object }
  const refuse = (problem: string, choices: readonly string[]): never => {
    throw new TypeError(`table('${name}') ${problem}: take one of ${choices.join(', ')}.`)
  }
  const strange = Object.keys(given).find((option) => !optionNames.includes(option))
  if (strange !== undefined) refuse(`has an option '${strange}', which there is not`, optionNames)
  if (naming !== undefined && !isOneOf(naming, namings)) refuse('has no such naming', namings)
  checkComputed(name, given)
  for (const [member, column] of Object.entries(columns) as [string, unknown][]) {
    const type = typeof column === 'object' && column !== null && 'type' in column ? column.type : null
    const wanted = typeof column === 'object' ? type : column
    if ((wanted ?? null) !== null && !isOneOf(wanted, columnTypes)) {
      refuse(`gives '${member}' no type of a column`, columnTypes)
    }
  }
}

/** What is computed has a type that nobody else tells, and no place in the table: rows are not found by it. */
function checkComputed(
  name: string,
  {
    key,
    columns = {},
    foreignKeys = [],
  }: Pick<TableOptions<Record<string, unknown>>, 'key' | 'columns' | 'foreignKeys'>,
): void {
  const keys = [key ?? [], ...foreignKeys.map((foreign) => foreign.columns)].flat()
  for (const [member, column] of Object.entries(columns)) {
    if (typeof column !== 'object' || column?.computed === undefined) continue
    const refuse = (problem: string): never => {
      throw new TypeError(`table('${name}') computes '${member}' ${problem}.`)
    }
    if (typeof column.computed !== 'function') refuse('by what is no function: computed: ({ column }) => sql`…`')
    if ((column.type ?? null) === null) refuse("without a type: say what the expression gives, as in type: 'integer'")
    if ((column.name ?? null) !== null) refuse('and gives it a name, which is for columns that the table has')
    if (keys.includes(member)) refuse('and makes it part of a key, which takes columns that the table has')
  }
}

function isOneOf(value: unknown, choices: readonly string[]): boolean {
  return choices.some((choice) => choice === value)
}
