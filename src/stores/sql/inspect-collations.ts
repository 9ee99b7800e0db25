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

interface CollationFindings {
  readonly unsound: readonly SqlFinding[]
  readonly advice: readonly SqlFinding[]
}

/**
 * Reports columns of texts that the database compares by a collation which takes different texts for the same. Keys and unique values
 * are then mixed up. Other columns are compared by code points in each statement, which uses no index.
 */
export function collationProblems(store: InspectedStore): CollationFindings {
  const { exactCollation } = store.dialect.schema
  if (exactCollation === null) return { unsound: [], advice: [] }
  const found = servedTables(store).flatMap((served) => {
    const keys = keysOf(served, store)
    const others = new Map([[served.table, served.table.stored]])
    return [
      ...[...keys].flatMap(([table, columns]) => inexact('unsound', served, { table, columns })),
      ...[...others].flatMap(([table, columns]) => {
        const reported = keys.get(table) ?? []
        return inexact('advice', served, { table, columns: columns.filter((column) => !reported.includes(column)) })
      }),
    ]
  })
  const sentences = found.map(({ level, subject, table, names }) => {
    const named = `The collation of ${names.length === 1 ? 'the column' : 'the columns'} ${quotedNames(names)} of the table '${tableText(table)}' takes different texts for the same`
    const effect =
      level === 'unsound' ? 'which mixes up keys and unique values' : 'so filters and sorts of these texts use no index'
    return {
      level,
      finding: finding(
        'collation',
        subject,
        `${named}, ${effect}. Change it in a new migration: ${exactCollation(table.live)}`,
      ),
    }
  })
  const of = (level: Level): readonly SqlFinding[] =>
    sentences.flatMap((each) => (each.level === level ? [each.finding] : []))
  return { unsound: of('unsound'), advice: of('advice') }
}

type Level = 'unsound' | 'advice'

interface SomeColumns {
  readonly table: SqlTable
  readonly columns: readonly SqlColumn[]
}

function inexact(level: Level, { type }: ServedTable, { table, columns }: SomeColumns) {
  const names = columns.filter((column) => column.storedType === 'text' && !column.isUniform).map(({ name }) => name)
  return names.length === 0 ? [] : [{ level, subject: type.type, table, names }]
}

/** Returns the columns of keys and of unique values, by table: those of the type, and those that its relations compare. */
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
  for (const { columns } of uniqueSets(type)) add(table, columns)
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
