import type { Expression, Selectable } from 'kysely'
import type { ForeignKey, Model } from '../../../declare/resource/parts/model.js'
import { keyName } from '../../../declare/resource/parts/model.js'
import { deepFreeze } from '../../../core/util/deep-freeze.js'
import type { SqlRow } from '../query/custom-expressions.js'
import type { ColumnType } from './column-type.js'
import { columnTypes } from './column-type.js'
import type { InstantNotation } from './instant-notation.js'
import { instantNotations } from './instant-notation.js'
import type { ColumnNaming, Compute, TableColumn, TableModel } from './table-model.js'
import { tableName } from './table-model.js'

type Member<Row> = keyof Row & string

/** The options of `table()`. */
export interface TableOptions<Row> {
  /** The member that identifies a row, or the members of a composite key. Default: `id`. */
  readonly key?: Member<Row> | readonly [Member<Row>, ...Member<Row>[]]
  /** The schema. Then a dot in the name is a part of it. Default: the schema in the name, else that of the store. */
  readonly schema?: string
  /** How column names relate to members. Default: the naming of the store. */
  readonly naming?: ColumnNaming
  /** How SQLite columns of this table hold instants as text. Default: the notation of the store. */
  readonly instants?: InstantNotation
  /**
   * Columns that need a declaration, by member of the row: with a type that cannot be read from the database, with a
   * name that does not follow the naming, or computed by the database. All others are read from the database.
   */
  readonly columns?: { readonly [Name in Member<Row>]?: ColumnType | ColumnOptions<Row> }
  /** The foreign keys to other models, from which the columns of relations are derived. */
  readonly foreignKeys?: readonly (ForeignKey & { readonly columns: readonly Member<Row>[] })[]
}

/** The declaration of a stored column, or of one that the database computes. */
export type ColumnOptions<Row = object> =
  | {
      /** The name in the database. */
      readonly name?: string
      readonly type?: ColumnType
      readonly computed?: never
    }
  | {
      /** The type of the expression. */
      readonly type: ColumnType
      /** Returns the SQL expression that computes the value. The column cannot be written. */
      readonly computed: (row: Pick<SqlRow<Row>, 'column' | 'engine'>) => Expression<unknown>
      readonly name?: never
    }

/**
 * Declares a table or a view as the model of a type. The type of its rows may be a plain interface or a table interface
 * of Kysely.
 *
 * @example
 * ```ts
 * interface AlbumRow { id: number; title: string; releasedAt: Date | null }
 * const albumTable = table<AlbumRow>('albums', { columns: { releasedAt: { name: 'released_on', type: 'instant' } } })
 * ```
 *
 * @param name `albums`, or with a schema `music.albums`
 */
export function table<Row extends object>(name: string): TableModel<Selectable<Row>, 'byName'>
export function table<Row extends object>(
  name: string,
  options: TableOptions<Selectable<Row>> | undefined,
): TableModel<Selectable<Row>>
export function table<Row extends object>(
  name: string,
  options: TableOptions<Selectable<Row>> = {},
): TableModel<Selectable<Row>> {
  checkTableOptions(name, options)
  // With the option, a dot is a part of the table's own name.
  const named = options.schema === undefined ? tableName(name) : { schema: options.schema, name }
  const { naming = null, instants = null, foreignKeys } = options
  const keyOption: string | readonly string[] = options.key ?? 'id'
  const key = typeof keyOption === 'string' ? [keyOption] : [...keyOption]
  const columns = columnsOf(options.columns ?? {})
  return Object.freeze({
    name,
    key: keyName(key),
    ...(options.key === undefined ? { hasDefaultKey: true } : {}),
    columns: null,
    ...computedOf(columns),
    ...(foreignKeys === undefined ? {} : { foreignKeys: deepFreeze(structuredClone(foreignKeys)) }),
    table: Object.freeze({ ...named, key: Object.freeze(key), naming, instants, columns }),
  })
}

function computedOf(columns: ReadonlyMap<string, TableColumn>): Pick<Model<unknown>, 'computedColumns'> {
  const computed = [...columns].filter(([, column]) => column.computed !== undefined).map(([member]) => member)
  return computed.length === 0 ? {} : { computedColumns: Object.freeze(computed) }
}

/** The options of a column, without the type of the row. */
interface UntypedColumnOptions {
  readonly name?: string
  readonly type?: ColumnType
  readonly computed?: Compute
}

function columnsOf(options: object): ReadonlyMap<string, TableColumn> {
  const columns = new Map<string, TableColumn>()
  for (const [member, column] of Object.entries(options) as [string, ColumnType | UntypedColumnOptions | undefined][]) {
    if (column === undefined) continue
    const { name, type, computed }: UntypedColumnOptions = typeof column === 'string' ? { type: column } : column
    const known = { name: name ?? null, type: type ?? null }
    columns.set(member, Object.freeze(computed === undefined ? known : { ...known, computed }))
  }
  return columns
}

const optionNames: readonly string[] = ['key', 'schema', 'naming', 'instants', 'columns', 'foreignKeys']
const namings: readonly ColumnNaming[] = ['same', 'snake_case']

/** Checks the options at run time, for JavaScript code: a misspelt option would be ignored silently. */
function checkTableOptions(name: string, options: object): void {
  if (typeof name !== 'string' || name === '')
    throw new TypeError("table() takes the name of a table: table('albums').")
  const { naming, instants, columns = {} }: Partial<Record<string, unknown>> & { columns?: object } = { ...options }
  const refuse = (problem: string, choices: readonly string[]): never => {
    throw new TypeError(`table('${name}') ${problem}: use one of ${choices.join(', ')}.`)
  }
  const unknown = Object.keys(options).find((option) => !optionNames.includes(option))
  if (unknown !== undefined) refuse(`has no option '${unknown}'`, optionNames)
  if (naming !== undefined && !isOneOf(naming, namings)) refuse('has an unknown naming', namings)
  if (instants !== undefined && !isOneOf(instants, instantNotations)) {
    refuse('has an unknown notation of instants', instantNotations)
  }
  checkComputedColumns(name, options)
  for (const [member, column] of Object.entries(columns) as [string, unknown][]) {
    const type = typeof column === 'object' && column !== null && 'type' in column ? column.type : null
    const wanted = typeof column === 'object' ? type : column
    if ((wanted ?? null) !== null && !isOneOf(wanted, columnTypes)) {
      refuse(`gives '${member}' an unknown column type`, columnTypes)
    }
  }
}

/** Checks that computed columns declare a type, which cannot be read from the database, and are part of no key. */
function checkComputedColumns(
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
    if (typeof column.computed !== 'function')
      refuse('with a value that is not a function: use computed: ({ column }) => sql`…`')
    if ((column.type ?? null) === null)
      refuse("without a type: declare the type of the expression, as in type: 'integer'")
    if ((column.name ?? null) !== null) refuse('and gives it a name, which only stored columns have')
    if (keys.includes(member)) refuse('and makes it part of a key, which must consist of stored columns')
  }
}

function isOneOf(value: unknown, choices: readonly string[]): boolean {
  return choices.some((choice) => choice === value)
}
