import { createHash } from 'node:crypto'
import type { EngineName, SqlDriver } from '../driver/sql-driver.js'
import type { Model } from '../../../resource/model.js'
import type { KeptAs } from '../../../resource/fields/value-kind.js'
import { codecOf, mappedCodec } from './column-codec.js'
import { computedColumns } from './computed-columns.js'
import { namedColumns, onlyLike, snakeCase } from './column-naming.js'
import type { ColumnType } from './column-type.js'
import type { LiveColumn, LiveTable } from './live-schema.js'
import type { LiveSchema } from './read-live-schema.js'
import { readLiveSchema } from './read-live-schema.js'
import type { SqlColumn, SqlTable, SqlTables } from './sql-table.js'
import type { TableColumn } from './table-model.js'
import { tableText } from './table-model.js'
import type { TableWorld, WantedTable, WantedTables } from './wanted-tables.js'
import { wantedTables } from './wanted-tables.js'

/** The tables that are there, and in a sentence each what is missing. */
export interface ResolvedTables {
  readonly tables: SqlTables
  readonly problems: readonly string[]
}

interface TablesInDatabase {
  readonly engine: EngineName
  readonly wanted: WantedTables
  readonly live: LiveSchema
}

/** Asks the database for the tables of a store. */
export async function readTables(driver: SqlDriver, world: TableWorld): Promise<ResolvedTables> {
  const wanted = wantedTables(world)
  const live = await readLiveSchema(
    driver,
    [...wanted.values()].map(({ place }) => place),
  )
  return resolveTables({ engine: driver.engine, wanted, live })
}

/** Holds what declarations want against what the database has. */
function resolveTables({ engine, wanted, live }: TablesInDatabase): ResolvedTables {
  const tables = new Map<Model<unknown> | string, SqlTable>()
  const problems = new Set<string>()
  for (const [model, want] of wanted) {
    const place = tableText(want.place)
    const found = live.get(place)
    if (want.elsewhere !== null) problems.add(twoTables(want.name, place, tableText(want.elsewhere)))
    else if (found === undefined) problems.add(noTable(place, [...wanted.values()]))
    else {
      const { table, problems: own } = sqlTable(engine, want, found)
      tables.set(model, table)
      for (const problem of [...own, ...missingColumns(want, table)]) problems.add(problem)
    }
  }
  return { tables, problems: [...problems] }
}

function noTable(place: string, wanted: readonly WantedTable[]): string {
  const uses = wanted.filter((want) => tableText(want.place) === place).flatMap((want) => want.uses)
  const kept = uses.length === 0 ? 'which the store was given' : `where ${uses.join(' and ')} would be kept`
  return `The database has no table '${place}', ${kept}.`
}

function twoTables(name: string, one: string, other: string): string {
  return `Two tables have the name '${name}', '${one}' and '${other}': name them with their schemas, as in table('${other}').`
}

function sqlTable(
  engine: EngineName,
  want: WantedTable,
  live: LiveTable,
): { readonly table: SqlTable; readonly problems: readonly string[] } {
  const keptAs = new Map<string, KeptAs>()
  for (const member of want.members) {
    if (member.keptAs !== null && !keptAs.has(member.property)) keptAs.set(member.property, member.keptAs)
  }
  const memberOf = namedColumns(live.columns, {
    naming: want.naming,
    given: new Map([...want.columns].flatMap(([member, { name }]) => (name === null ? [] : [[member, name]]))),
    wanted: [
      ...(want.key === null ? [] : [want.key]),
      ...want.members.map(({ property }) => property),
      ...want.columns.keys(),
    ],
  })
  const problems: string[] = []
  const stored = live.columns.flatMap((column): readonly SqlColumn[] => {
    const property = memberOf.get(column.name)
    if (property === undefined) return []
    const given = want.columns.get(property) ?? null
    if (isComputed(want, property)) {
      problems.push(heldAndComputed(want, property, column))
      return []
    }
    return [sqlColumn(engine, column, { property, given, keptAs: keptAs.get(property) ?? null })]
  })
  const computed = computedColumns(engine, want, stored)
  const columns = [...stored, ...computed.columns]
  const columnOf = new Map(columns.map((column) => [column.property, column]))
  const { schema } = want.place
  const table = Object.freeze<SqlTable>({
    model: `${want.name} ${digest([schema, columns, computed.texts, live])}`,
    schema,
    name: live.name,
    key: want.key !== null && columnOf.has(want.key) ? want.key : null,
    columns: Object.freeze(columns),
    stored: Object.freeze(stored),
    computed: computed.columns,
    columnOf,
    columnNamed: new Map(stored.map((column) => [column.name, column])),
    live,
  })
  return { table, problems: [...problems, ...computed.problems] }
}

function isComputed({ columns }: WantedTable, member: string): boolean {
  return columns.get(member)?.computed !== undefined
}

function heldAndComputed({ place }: WantedTable, member: string, { name }: LiveColumn): string {
  return `The table '${tableText(place)}' has a column '${name}', and its model computes '${member}': leave computed out, or call the member otherwise.`
}

/** Of all that texts of statements depend on, and short: every statement notes it. */
function digest(parts: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 16)
}

interface KnownOfColumn {
  readonly property: string
  /** What the model says of it. */
  readonly given: TableColumn | null
  readonly keptAs: KeptAs | null
}

/** Statements compare a column of PostgreSQL by what it is, whatever the model makes of its values. */
function sqlColumn(engine: EngineName, live: LiveColumn, { property, given, keptAs }: KnownOfColumn): SqlColumn {
  const declared = given?.type ?? null
  // No database takes a text for a truth.
  const isSpelled = live.type === 'text' && (declared ?? keptAs) === 'boolean'
  const found = engine === 'sqlite' ? sqliteColumnType(live.type, keptAs) : isSpelled ? 'boolean' : live.type
  const type = declared ?? found
  const mapping = given?.mapping ?? null
  return Object.freeze({
    property,
    name: live.name,
    expression: null,
    type: (engine === 'sqlite' && !isSpelled) || epochs.has(type) ? type : live.type,
    nullable: live.nullable,
    isUniform: engine === 'postgres' || isUniform(type, live.type, declared !== null),
    codec: mappedCodec(codecOf(engine, { type, held: live.type, declared: declared !== null }), mapping),
    mapping,
  })
}

/** What is no text, SQLite compares as it is held; of texts it takes the model's word. */
function isUniform(type: ColumnType, held: ColumnType, declared: boolean): boolean {
  if (type === 'decimal') return held !== 'text' && held !== 'other'
  return declared || type !== 'instant'
}

/** SQLite holds anything in any column, and has no type for most: attributes tell more than the declared type does. */
function sqliteColumnType(live: ColumnType, keptAs: KeptAs | null): ColumnType {
  switch (keptAs) {
    case null:
      return live
    case 'number':
      // Text keeps the digits of exact numbers.
      return numbers.has(live) || live === 'text' ? live : 'number'
    case 'text':
      return moments.has(live) ? 'text' : live
    default:
      return keptAs
  }
}

/** Instants that no database knows to be such. */
const epochs: ReadonlySet<ColumnType> = new Set(['epochSeconds', 'epochMilliseconds'])

const numbers: ReadonlySet<ColumnType> = new Set(['integer', 'bigint', 'number', 'real', 'decimal'])
const moments: ReadonlySet<ColumnType> = new Set(['instant', 'timestamp', 'date', 'time'])

/** What is computed is in no table; what stands against that is told with it. */
function missingColumns(want: WantedTable, table: SqlTable): readonly string[] {
  const place = tableText(want.place)
  const problems = new Map<string, string>()
  for (const [member, { name }] of want.columns) {
    const wanted = name ?? columnName(want, member)
    if (!table.columnOf.has(member) && !isComputed(want, member)) {
      problems.set(member, `The table '${place}' has no column '${wanted}', which its model names for '${member}'.`)
    }
  }
  for (const { property, neededBy } of want.members) {
    if (neededBy === null || table.columnOf.has(property) || problems.has(property) || isComputed(want, property))
      continue
    const like = onlyLike(property, table.live.columns)
    const hint = like === undefined ? '' : ` There is '${like}': name it in table(), or say naming: 'snake_case'.`
    problems.set(property, `The table '${place}' has no column '${columnName(want, property)}' for ${neededBy}.${hint}`)
  }
  return [...problems.values()]
}

function columnName({ naming, columns }: WantedTable, member: string): string {
  return columns.get(member)?.name ?? (naming === 'snake_case' ? snakeCase(member) : member)
}
