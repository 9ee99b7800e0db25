import type { ColumnType } from '../../../stores/sql/schema/column-type.js'
import type { SchemaColumn } from '../../../stores/sql/schema/database-schema.js'
import { referenceWords, typeColumnOf } from './named-references.js'
import type { PullNote } from './plan.js'
import type { ServedTable } from './served-tables.js'
import { tableWords } from './table-name.js'
import { singularWords, wordsOf } from './words.js'

/** Two columns that refer to rows of several tables: `noteable_id`, and `noteable_type` with the names of types. */
export interface PolymorphicKey {
  readonly from: ServedTable
  readonly targets: readonly ServedTable[]
  readonly id: SchemaColumn
  readonly type: SchemaColumn
  /** The words of the name of the relation. */
  readonly words: readonly string[]
}

export interface PolymorphicKeys {
  readonly keys: readonly PolymorphicKey[]
  /** The names of tables in the columns with types. */
  readonly storedTypes: ReadonlyMap<ServedTable, string>
  readonly notes: readonly PullNote[]
}

interface PolymorphicTables {
  /** The tables that become types. */
  readonly tables: readonly ServedTable[]
  readonly secrets: ReadonlySet<SchemaColumn>
  readonly typeValues: ReadonlyMap<string, readonly string[]>
}

/** A pair of columns, with the tables that the stored names may mean. */
interface Pair extends Omit<PolymorphicKey, 'targets'> {
  readonly named: readonly { readonly value: string; readonly table: ServedTable | null }[]
}

/** Finds pairs of columns that refer to rows of several tables, by their names and by the stored names of types. */
export function polymorphicKeys({ tables, secrets, typeValues }: PolymorphicTables): PolymorphicKeys {
  const pairs = tables.flatMap((from) => pairsOf(from, { tables, secrets, typeValues }))
  const storedTypes = mostCommonNames(pairs)
  const keys: PolymorphicKey[] = []
  const notes: PullNote[] = []
  for (const { from, id, type, words, named } of pairs) {
    const isMeant = ({ value, table }: Pair['named'][number]): boolean =>
      table !== null && storedTypes.get(table) === value
    const targets = named.flatMap((each) => (each.table !== null && isMeant(each) ? [each.table] : []))
    const others = named.filter((each) => !isMeant(each)).map(({ value }) => `'${value}'`)
    const subject = `${from.table.name}.${id.name}, ${type.name}`
    if (targets.length > 0) keys.push({ from, targets, id, type, words })
    const sentence = targets.length === 0 ? unnamed(others) : missing(others)
    if (sentence !== null) notes.push({ kind: 'note', subject, sentence })
  }
  return { keys, storedTypes, notes }
}

function unnamed(others: readonly string[]): string {
  const reason = others.length === 0 ? 'no row names a type' : `no served table is named like ${listed(others)}`
  return `They may refer to rows of several tables, but ${reason}: they are attributes. Pull again when there are such rows.`
}

function missing(others: readonly string[]): string | null {
  if (others.length === 0) return null
  return `In rows with ${listed(others)}, the relation is empty: no served table has that name and a key that fits.`
}

function listed(texts: readonly string[]): string {
  const rest = texts.length - 10
  return rest > 0 ? `${texts.slice(0, 10).join(', ')} and ${rest} more` : texts.join(', ')
}

function pairsOf(from: ServedTable, { tables, secrets, typeValues }: PolymorphicTables): readonly Pair[] {
  const related = new Set(from.table.foreignKeys.flatMap(({ columns }) => columns))
  return from.table.columns.flatMap((id): readonly Pair[] => {
    const [words, type] = [referenceWords(id), typeColumnOf(from.table, id)]
    if (words === null || type === null) return []
    const isTaken = [id, type].some((column) => secrets.has(column) || related.has(column.name))
    const values = typeValues.get(`${from.table.name}.${type.name}`)
    if (isTaken || values === undefined) return []
    const named = values.map((value) => ({ value, table: tableOf(value, id, { from, tables }) }))
    return [{ from, id, type, words, named }]
  })
}

/** Finds the table of a name in a row: `MergeRequest`, `Ci::Build`, `App\Models\Post` or `posts`. */
function tableOf(
  value: string,
  id: SchemaColumn,
  { from, tables }: { readonly from: ServedTable; readonly tables: readonly ServedTable[] },
): ServedTable | null {
  const segments = value.split(/::|[\\./]/)
  const spellings = segments.map((_, index) => singularWords(segments.slice(index).flatMap(wordsOf)).join(' '))
  for (const spelling of spellings) {
    const found = tables.filter((served) => singularWords(tableWords(served.table)).join(' ') === spelling)
    const near = found.filter(({ table }) => table.schema === from.table.schema)
    const [only, ...others] = near.length > 0 ? near : found
    if (only !== undefined && others.length === 0 && fits(id, only)) return only
  }
  return null
}

const wholeNumbers: ReadonlySet<ColumnType> = new Set<ColumnType>(['integer', 'bigint'])

/** Returns whether a column can hold the ids of a table. Text can hold all. */
function fits({ type }: SchemaColumn, { table, key }: ServedTable): boolean {
  const [column, ...others] = key
  if (column === undefined || others.length > 0 || table.kind !== 'table') return false
  return type === 'text' || type === column.type || (wholeNumbers.has(type) && wholeNumbers.has(column.type))
}

/** Returns the name by which most pairs mean a table: it can have only one. */
function mostCommonNames(pairs: readonly Pair[]): ReadonlyMap<ServedTable, string> {
  const counts = new Map<ServedTable, Map<string, number>>()
  for (const { named } of pairs) {
    for (const { value, table } of named) {
      if (table === null) continue
      const ofTable = counts.get(table) ?? new Map<string, number>()
      counts.set(table, ofTable.set(value, (ofTable.get(value) ?? 0) + 1))
    }
  }
  return new Map(
    [...counts].map(([table, ofTable]) => {
      const ordered = [...ofTable].toSorted(([one, a], [other, b]) => b - a || (one < other ? -1 : 1))
      return [table, ordered[0]?.[0] ?? '']
    }),
  )
}
