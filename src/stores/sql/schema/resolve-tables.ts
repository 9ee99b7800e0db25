import { createHash } from 'node:crypto'
import { isExpression, sql } from 'kysely'
import { thrownMessage } from '../../../core/errors/describe-thrown.js'
import { ignoreRejection } from '../../../core/errors/ignore-rejection.js'
import type { StorageType } from '../../../declare/resource/fields/value-kind.js'
import type { Model } from '../../../declare/resource/parts/model.js'
import type { SqlDialect } from '../dialect/dialect.js'
import type { SqlDriver } from '../driver/sql-driver.js'
import type { SqlFinding } from '../finding.js'
import { sqlBuilder } from '../statement/sql-builder.js'
import { codecOf, computedCodec, mappedCodec, textCodec } from './column-codec.js'
import { columnName, namedColumns, similarColumn } from './column-naming.js'
import type { ColumnType } from './column-type.js'
import { epochTypes, numericTypes } from './column-type.js'
import type { InstantNotation } from './instant-notation.js'
import { defaultNotation } from './instant-notation.js'
import type { LiveColumn, LiveTable } from './live-schema.js'
import { readLiveSchema } from './read-live-schema.js'
import type { SqlColumn, SqlTable, SqlTables, TextReading } from './sql-table.js'
import { columnReference, compositeColumns } from './sql-table.js'
import type { Compute, TableColumn } from './table-model.js'
import { tableText } from './table-model.js'
import type { StoreDeclarations, WantedMember, WantedTable } from './wanted-tables.js'
import { wantedTables } from './wanted-tables.js'
import { columnFindings } from './column-findings.js'

/** The tables that exist, with a message for each table or column that is missing. */
export interface ResolvedTables {
  readonly tables: SqlTables
  readonly problems: readonly string[]
  /** The columns that exist, but do not fit the declarations. */
  readonly findings: readonly SqlFinding[]
}

/** Reads the tables of a store from the database, and compares them with the declarations. */
export async function readTables(driver: SqlDriver, declarations: StoreDeclarations): Promise<ResolvedTables> {
  const { dialect } = driver
  const wanted = wantedTables(declarations)
  const names = [...wanted.values()].map(({ tableName: table }) => table)
  const live = await readLiveSchema(driver, names)
  const tables = new Map<Model<unknown> | string, SqlTable>()
  const problems = new Set<string>()
  const findings = new Map<string, SqlFinding>()
  for (const [model, want] of wanted) {
    const tableName = tableText(want.tableName)
    const found = live.get(tableName)
    if (want.conflictingName !== null) {
      const other = tableText(want.conflictingName)
      problems.add(
        `Two tables have the name '${want.name}', '${tableName}' and '${other}': name them with their schemas, as in table('${other}').`,
      )
    } else if (found === undefined) problems.add(noTable(tableName, [...wanted.values()]))
    else {
      const complete = withSystemColumns(dialect, want, found)
      const { table, problems: tableProblems, findings: tableFindings } = sqlTable(dialect, want, complete)
      tables.set(model, table)
      for (const each of tableFindings) findings.set(each.sentence, each)
      for (const problem of [...tableProblems, ...missingColumns(want, table)]) problems.add(problem)
    }
  }
  return { tables, problems: [...problems], findings: [...findings.values()] }
}

/** Adds the columns that the catalogue does not list, if a version uses them: `xmin`, which every table of PostgreSQL has. */
function withSystemColumns({ schema }: SqlDialect, { members }: WantedTable, live: LiveTable): LiveTable {
  if (live.isView) return live
  const versions = members.filter(({ subject }) => subject.endsWith('.version')).map(({ property }) => property)
  const added = [...new Set(versions)].flatMap((name) => schema.systemColumn(name) ?? [])
  return added.length === 0 ? live : { ...live, columns: [...live.columns, ...added] }
}

function noTable(tableName: string, wanted: readonly WantedTable[]): string {
  const uses = wanted.filter((want) => tableText(want.tableName) === tableName).flatMap((want) => want.uses)
  const purpose = uses.length === 0 ? "which the option 'tables' names" : `which would store ${uses.join(' and ')}`
  return `The database has no table '${tableName}', ${purpose}. Create it in a new migration, or correct the name.`
}

function sqlTable(
  dialect: SqlDialect,
  want: WantedTable,
  live: LiveTable,
): Omit<ResolvedTables, 'tables'> & { readonly table: SqlTable } {
  const usesOf = columnUses(want)
  const memberOf = namedColumns(live.columns, {
    naming: want.naming,
    declared: new Map([...want.columns].flatMap(([member, { name }]) => (name === null ? [] : [[member, name]]))),
    wanted: [
      ...(want.key === null ? [] : [want.key]),
      ...want.members.map(({ property }) => property),
      ...want.columns.keys(),
    ],
  })
  const named = live.columns.flatMap((column) => {
    const property = memberOf.get(column.name)
    if (property === undefined) return []
    return [{ property, live: column, declaration: want.columns.get(property) ?? null }]
  })
  const used = named.filter(({ property }) => !isComputed(want, property))
  const problems = named
    .filter(({ property }) => isComputed(want, property))
    .map(
      ({ property, live: { name } }) =>
        `The table '${tableText(want.tableName)}' has a column '${name}', and its model computes '${property}': remove 'computed', or rename the member.`,
    )
  const stored = used.map(({ property, live: column, declaration }) =>
    sqlColumn(dialect, column, { property, declaration, notation: want.instants, ...(usesOf.get(property) ?? unused) }),
  )
  const found = new Map(used.map((column) => [column.property, column]))
  const findings = columnFindings(dialect, want, found)
  const computed = computedColumns(dialect, want, stored)
  const columns = [...stored, ...computed.columns]
  const columnOf = new Map(columns.map((column) => [column.property, column]))
  for (const composite of compositeColumns(want.compositeKeys, columnOf)) columnOf.set(composite.property, composite)
  const { schema } = want.tableName
  const table = Object.freeze<SqlTable>({
    cacheKey: `${want.name} ${digest([schema, columns, computed.texts, live])}`,
    schema,
    name: live.name,
    key: want.key !== null && columnOf.has(want.key) ? want.key : null,
    columns: Object.freeze(columns),
    stored: Object.freeze(stored),
    computed: computed.columns,
    columnOf,
    columnNamed: new Map(stored.map((column) => [column.name, column])),
    needsSecondRead: computed.columns.length > 0 || live.changesAfterReturning,
    live,
  })
  return { table, problems: [...problems, ...computed.problems], findings }
}

function isComputed({ columns }: WantedTable, member: string): boolean {
  return columns.get(member)?.computed !== undefined
}

/**
 * Returns a short hash of everything that statement texts depend on. It is part of the cache key of every statement.
 */
function digest(parts: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 16)
}

/** How declarations use a column. */
interface DeclaredUse {
  /** The values of its first attribute; null if no attribute uses it. */
  readonly storageType: StorageType | null
  /** Whether only attributes that show it as text use it. */
  readonly isOnlyText: boolean
}

const unused: DeclaredUse = { storageType: null, isOnlyText: false }

/** Returns how the members of a table are used. */
function columnUses({ members }: WantedTable): ReadonlyMap<string, DeclaredUse> {
  const uses = new Map<string, DeclaredUse>()
  for (const { property, storageType, spec } of members) {
    const { storageType: first, isOnlyText } = uses.get(property) ?? { storageType: null, isOnlyText: true }
    // A function that reads the row expects the value of the column, and not its text.
    const isReadByFunction = spec !== null && (spec.extract !== null || spec.serialize !== null)
    const showsText = storageType === 'text' && !isReadByFunction
    uses.set(property, { storageType: first ?? storageType, isOnlyText: isOnlyText && showsText })
  }
  return uses
}

interface ColumnUse extends DeclaredUse {
  readonly property: string
  /** The declaration of the column in the model. */
  readonly declaration: TableColumn | null
  readonly notation: InstantNotation
}

/** Returns a column. Statements compare a column with a type by its type in the database, even if the model declares another. */
function sqlColumn(dialect: SqlDialect, live: LiveColumn, use: ColumnUse): SqlColumn {
  const { can, schema, values } = dialect
  const { property, declaration, storageType, notation } = use
  const declared = declaration?.type ?? null
  // A text column may store booleans as text, which no database accepts as a boolean.
  const isBooleanText = live.type === 'text' && (declared ?? storageType) === 'boolean'
  const type = declared ?? schema.typeOf(live.type, storageType)
  const mapping = declaration?.mapping ?? null
  const readAsText = textReading(dialect, live.type, use)
  const isBigint = storageType === 'bigint'
  const isComparedExactly = live.type !== 'text' || schema.comparesExactly('text', live.databaseType)
  const coded = { type, storedType: live.type, declared: declared !== null, isBigint, notation }
  return Object.freeze({
    property,
    name: live.name,
    expression: null,
    type: (!can.typeColumns && !isBooleanText) || epochTypes.has(type) ? type : live.type,
    storedType: live.type,
    declaredType: declared,
    nullable: live.nullable,
    isUniform: isComparedExactly && (can.typeColumns || isUniform(type, live.type, declared !== null)),
    readAsText,
    items: live.items ?? null,
    isFiner: schema.mayBeFiner(live.type, live.databaseType),
    notation,
    codec: mappedCodec(readAsText === null ? codecOf(values.codec, coded) : textCodec(values.codec), mapping),
    mapping,
  })
}

/** Returns how a column is read as text; null if its values are read without a conversion. */
function textReading(
  { schema, spell: { displayed, isoText } }: SqlDialect,
  live: ColumnType,
  { declaration, isOnlyText }: ColumnUse,
): TextReading | null {
  if (declaration === null) return isOnlyText && !schema.isText(live) ? { form: 'displayed', read: displayed } : null
  const isInstant = live === 'instant' || live === 'timestamp'
  if (isoText === null || declaration.type !== 'text' || !isInstant) return null
  return { form: 'iso', read: (reference) => isoText(reference, live) }
}

/**
 * Returns whether the stored values of a column without a fixed type can be compared directly. Instants are texts that may
 * have several forms, unless the model declares the type. Decimals compare directly only if they are not stored as text. A
 * column without a type may hold numbers as text.
 */
function isUniform(type: ColumnType, stored: ColumnType, declared: boolean): boolean {
  if (type === 'decimal') return stored !== 'text' && stored !== 'other'
  if (stored === 'other' && numericTypes.has(type)) return false
  return declared || type !== 'instant'
}

/** Reports the columns that the table lacks. Computed columns need none; their problems are reported elsewhere. */
function missingColumns(want: WantedTable, table: SqlTable): readonly string[] {
  const tableName = tableText(want.tableName)
  const problems = new Map<string, string>()
  for (const [member, { name }] of want.columns) {
    const wanted = name ?? columnName(want, member)
    if (!table.columnOf.has(member) && !isComputed(want, member)) {
      problems.set(
        member,
        `The table '${tableName}' has no column '${wanted}', which its model names for '${member}'. Add it in a new migration, or correct the name.`,
      )
    }
  }
  for (const member of want.members) {
    const { property, neededBy } = member
    if (neededBy === null || table.columnOf.has(property) || problems.has(property) || isComputed(want, property))
      continue
    problems.set(
      property,
      `The table '${tableName}' has no column '${columnName(want, property)}' for ${neededBy}.${hint(member, want, table)}`,
    )
  }
  return [...problems.values()]
}

/** Returns the remedy for a missing column. */
function hint(member: WantedMember, { key }: WantedTable, { live, columns }: SqlTable): string {
  const { property, spec, storedFor } = member
  if (property === 'xmin') return ' Only tables of PostgreSQL have it: name a column of integers.'
  const like = similarColumn(property, live.columns)
  if (like !== undefined) return ` There is '${like}': name it in table(), or set naming: 'snake_case'.`
  const [only, ...others] = live.primaryKey
  if (property === key && only !== undefined && others.length === 0) {
    return ` The primary key is '${only}': name it by the option 'key' of table().`
  }
  // Otherwise the column is needed by a filter or a sort only.
  if (spec === null && storedFor === null && columns.length > 0) {
    return ` Name one of ${columns.map((column) => `'${column.property}'`).join(', ')}.`
  }
  return ` Add it in a new migration, or name another column${modifierOf(member)}.`
}

/** Returns the modifier that names the column of a field; nothing for ids and for columns of the service itself. */
function modifierOf({ spec, storedFor, subject }: WantedMember): string {
  if (spec !== null) return ' with storedAs()'
  return storedFor === 'finding rows' && !subject.endsWith('.id') ? ' with via() or through()' : ''
}

/**
 * Compiles the computed columns of a table. Each may use the stored columns and the computed columns declared before
 * it. Returns their compiled expressions too, as part of the cache key of the table, and a message for each that cannot be compiled.
 */
function computedColumns(dialect: SqlDialect, want: WantedTable, stored: readonly SqlColumn[]) {
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
