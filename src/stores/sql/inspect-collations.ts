import { keyColumns } from '../../declare/resource/parts/key-columns.js'
import { referenceColumn } from '../../declare/resource/compiled/relation-link.js'
import { uniqueSets } from '../../declare/resource/compiled/unique-sets.js'
import type { SqlFinding } from './finding.js'
import { finding } from './finding.js'
import type { InspectedStore, ServedTable } from './inspected-store.js'
import { quotedNames, servedTables } from './inspected-store.js'
import { heldKeys } from './schema/held-keys.js'
import type { SqlColumn, SqlTable } from './schema/sql-table.js'
import { tableText } from './schema/table-model.js'

/** Whether a collation prevents the store from being ready, mixes up values that should differ, or only makes statements slow. */
type Level = 'missing' | 'unsound' | 'advice'

const effects: Readonly<Record<Level, string>> = {
  missing: 'which mixes up ids and the keys of relations',
  unsound: 'so the database refuses values that only it takes for equal',
  advice: 'so filters and sorts of these texts use no index',
}

/**
 * Reports columns of texts that the database compares by a collation which takes different texts for the same. Filters and sorts are
 * compared by code points in each statement, which uses no index.
 */
export function collationProblems(store: InspectedStore): Readonly<Record<Level, readonly SqlFinding[]>> {
  const { exactCollation } = store.dialect.schema
  const found: Readonly<Record<Level, SqlFinding[]>> = { missing: [], unsound: [], advice: [] }
  if (exactCollation === null) return found
  for (const served of servedTables(store)) {
    const { type, table } = served
    const keys = keysOf(served, store)
    const unique = uniqueSets(type).flatMap(({ columns }) =>
      columns.flatMap((member) => table.columnOf.get(member) ?? []),
    )
    const report = (level: Level, { table: of, columns }: SomeColumns): void => {
      const names = inexactNames(columns)
      if (names.length === 0) return
      const named = `The collation of ${names.length === 1 ? 'the column' : 'the columns'} ${quotedNames(names)} of the table '${tableText(of)}'`
      const sentence = `${named} takes different texts for the same, ${effects[level]}. Change it in a new migration: ${exactCollation(of.live)}`
      found[level].push(finding('collation', type.type, sentence))
    }
    for (const [of, columns] of keys) report('missing', { table: of, columns })
    const own = keys.get(table) ?? []
    report('unsound', { table, columns: unique.filter((column) => !own.includes(column)) })
    report('advice', { table, columns: table.stored.filter((each) => !own.includes(each) && !unique.includes(each)) })
  }
  return found
}

interface SomeColumns {
  readonly table: SqlTable
  readonly columns: readonly SqlColumn[]
}

function inexactNames(columns: readonly SqlColumn[]): readonly string[] {
  const inexact = columns.filter(({ storedType, isUniform }) => storedType === 'text' && !isUniform)
  return [...new Set(inexact.map(({ name }) => name))]
}

/** Returns the columns of keys by table: those of the type, and those that its relations compare. */
function keysOf(
  { type, table }: ServedTable,
  { types, tables }: InspectedStore,
): ReadonlyMap<SqlTable, readonly SqlColumn[]> {
  const found = new Map<SqlTable, SqlColumn[]>()
  const add = (of: SqlTable | undefined, members: readonly string[]): void => {
    if (of === undefined) return
    const known = found.get(of) ?? []
    for (const column of members.flatMap((member) => of.columnOf.get(member) ?? [])) {
      if (!known.includes(column)) known.push(column)
    }
    found.set(of, known)
  }
  add(table, [type.id.column, referenceColumn(type)].flatMap(keyColumns))
  for (const relation of type.relations) {
    for (const { model, key } of heldKeys(relation, type, types).keys) {
      add(model === null ? undefined : tables.get(model), [
        ...keyColumns(key.id),
        ...(key.type === null ? [] : [key.type]),
      ])
    }
  }
  return found
}
