import type { LiveTable } from '../../data/sql/schema/live-schema.js'
import type { SchemaTable } from '../../data/sql/schema/database-schema.js'
import { plainName } from './plain-name.js'
import type { PulledDatabase } from './pulled-database.js'
import { tokensOf } from './sql-tokens.js'
import { readViewDefinition, type ViewDefinition } from './view-definition.js'
import type { SourceColumn } from './view-joins.js'
import { isNotNull, isSameColumn, isUnique } from './view-rows.js'
import { type SourceTable, sourceOfTable } from './view-sources.js'

/**
 * Returns the columns that identify the rows of a view, by its definition: with any rows of its tables, they are unique and not null. Null if the
 * definition does not show that of any columns.
 */
export async function viewKeyOf(
  database: PulledDatabase,
  table: SchemaTable,
  tables: readonly LiveTable[],
): Promise<readonly string[] | null> {
  if (table.kind !== 'view' && table.kind !== 'materializedView') return null
  const definition = await readDefinition(database, { ...table, name: plainName(table) }, { tables, outer: [] })
  const indexed = table.indexes.flatMap(({ unique, partial, columns }) => {
    const names = columns.flatMap((name) => name ?? [])
    return unique && !partial && names.length === columns.length ? [names] : []
  })
  const fitting = (columns: readonly string[]): boolean => columns.every((name) => canBeKey(table, name))
  return [...indexed, ...(definition === null ? [] : keysOf(table, definition, tables))].find(fitting) ?? null
}

/** Types whose values cannot be ids. */
const unfit: ReadonlySet<string> = new Set([
  'decimal',
  'number',
  'real',
  'json',
  'list',
  'bytes',
  'instant',
  'timestamp',
])

function canBeKey({ columns }: SchemaTable, name: string): boolean {
  return columns.some((column) => column.name === name && !unfit.has(column.type))
}

/** A view, as the database has it. */
type View = Pick<LiveTable, 'name' | 'schema' | 'columns'>

interface ReadOptions {
  readonly tables: readonly LiveTable[]
  /** The views that read this one, so that a circle ends. */
  readonly outer: readonly View[]
}

async function readDefinition(
  database: PulledDatabase,
  view: View,
  { tables, outer }: ReadOptions,
): Promise<ViewDefinition | null> {
  const text = await definitionText(database, view)
  if (text === null) return null
  const { hasArrays } = database.engine.views
  const names = new Set(tokensOf(text, { hasArrays }).map(({ value }) => value.toLowerCase()))
  const sources = new Map<LiveTable, SourceTable>()
  for (const table of tables) {
    if (!names.has(table.name.toLowerCase()) || isSame(table, view) || outer.some((each) => isSame(each, table)))
      continue
    const source = table.isView
      ? await sourceOfView(database, table, { tables, outer: [...outer, view] })
      : sourceOfTable(table)
    if (source !== null) sources.set(table, source)
  }
  const definition = readViewDefinition(text, {
    hasArrays,
    tableNamed: (schema, name) => {
      const table = tableNamed([...sources.keys()], schema ?? view.schema, name)
      return table === undefined ? null : (sources.get(table) ?? null)
    },
  })
  return definition?.outputs.length === view.columns.length ? definition : null
}

function isSame(one: View, other: View): boolean {
  return one.schema === other.schema && one.name === other.name
}

function tableNamed(tables: readonly LiveTable[], schema: string | null, name: string): LiveTable | undefined {
  const sameName = tables.filter((table) => table.name.toLowerCase() === name.toLowerCase())
  return sameName.find((table) => table.schema === null || schema === null || table.schema === schema)
}

/** Returns what is known of a view that another one reads. */
async function sourceOfView(database: PulledDatabase, view: View, options: ReadOptions): Promise<SourceTable | null> {
  const definition = await readDefinition(database, view, options)
  if (definition === null) return null
  const columns = view.columns.map(({ name }) => name.toLowerCase())
  return {
    columns,
    keys: keysOf(view, definition, options.tables).map((names) => names.map((name) => name.toLowerCase())),
    notNull: new Set(columns.filter((_, index) => isNotNull(definition.outputs[index] ?? null, definition))),
  }
}

/**
 * Returns sets of columns of which each identifies the rows: first the columns with the name of a key, then those that are the key of a table, then
 * others.
 */
function keysOf(
  { columns }: View,
  definition: ViewDefinition,
  tables: readonly LiveTable[],
): readonly (readonly string[])[] {
  const { outputs, groups } = definition
  const shown = columns.flatMap(({ name }, index) => {
    const source = outputs[index] ?? null
    return source !== null && isNotNull(source, definition) ? [{ name, source }] : []
  })
  const keyNames = new Set(['id', ...tables.flatMap(({ primaryKey }) => primaryKey.map((name) => name.toLowerCase()))])
  const isNamed = (name: string): boolean => keyNames.has(name.toLowerCase())
  const ofTables = [...definition.tables].flatMap(([alias, { table }]) =>
    table.keys.map((key) => sourcesOf(alias, key)),
  )
  const sets = [...ofTables, ...(groups === null ? [] : [groups])].flatMap((set) => {
    const found = set.map((source) => shown.find((each) => isSameColumn(each.source, source)))
    return found.includes(undefined) ? [] : [found.flatMap((each) => each ?? [])]
  })
  const single = shown.map((each) => [each])
  const parts = [...ofTables, ...(groups ?? []).map((each) => [each])].flat()
  const candidates = [
    ...single.filter(([each]) => isNamed(each?.name ?? '')),
    ...sets.toSorted((a, b) => a.length - b.length),
    ...single,
    // The keys of several tables together, as in a view of pairs.
    smallest(
      shown.filter(({ source }) => parts.some((each) => isSameColumn(each, source))),
      definition,
    ),
  ]
  return candidates
    .filter((set) =>
      isUnique(
        set.map(({ source }) => source),
        definition,
      ),
    )
    .map((set) => set.map(({ name }) => name))
}

interface ShownColumn {
  readonly name: string
  readonly source: SourceColumn
}

/** Leaves out the columns without which the others identify the rows, too. */
function smallest(columns: readonly ShownColumn[], definition: ViewDefinition): readonly ShownColumn[] {
  return columns.reduceRight((left, column) => {
    const others = left.filter((each) => each !== column)
    return others.length > 0 &&
      isUnique(
        others.map(({ source }) => source),
        definition,
      )
      ? others
      : left
  }, columns)
}

function sourcesOf(alias: string, columns: readonly string[]): readonly SourceColumn[] {
  return columns.map((column) => ({ alias, column }))
}

async function definitionText({ engine, driver }: PulledDatabase, view: View): Promise<string | null> {
  try {
    const { rows } = await driver.read({ ...engine.views.definition(view), name: null }, { context: null })
    const text = rows[0]?.[0]
    return typeof text === 'string' ? text : null
  } catch (thrown) {
    if (driver.faultOf(thrown) === null) throw thrown
    return null
  }
}
