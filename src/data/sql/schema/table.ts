import type { Selectable } from 'kysely'
import type { ForeignKey } from '../../../resource/model.js'
import { deepFreeze } from '../../../util/frozen.js'
import type { ColumnType } from './column-type.js'
import { columnTypes } from './column-type.js'
import type { ColumnNaming, TableColumn, TableModel } from './table-model.js'
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
   * not follow the naming. All others are found in the database.
   */
  readonly columns?: { readonly [Name in Member<Row>]?: ColumnType | ColumnOptions }
  /** What leads to rows of other models; relations are found from it. */
  readonly foreignKeys?: readonly (ForeignKey & { readonly columns: readonly Member<Row>[] })[]
}

export interface ColumnOptions {
  /** In the database. */
  readonly name?: string
  readonly type?: ColumnType
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

function columnsOf(
  given: Readonly<Record<string, ColumnType | ColumnOptions | undefined>>,
): ReadonlyMap<string, TableColumn> {
  const columns = new Map<string, TableColumn>()
  for (const [member, column] of Object.entries(given)) {
    if (column === undefined) continue
    const { name = null, type = null } = typeof column === 'string' ? { type: column } : column
    columns.set(member, Object.freeze({ name, type }))
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
  for (const [member, column] of Object.entries(columns) as [string, unknown][]) {
    const type = typeof column === 'object' && column !== null && 'type' in column ? column.type : null
    const wanted = typeof column === 'object' ? type : column
    if ((wanted ?? null) !== null && !isOneOf(wanted, columnTypes)) {
      refuse(`gives '${member}' no type of a column`, columnTypes)
    }
  }
}

function isOneOf(value: unknown, choices: readonly string[]): boolean {
  return choices.some((choice) => choice === value)
}
