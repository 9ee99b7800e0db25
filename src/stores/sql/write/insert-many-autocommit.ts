import { sql } from 'kysely'
import type { AutocommitWrite, ColumnValues } from '../../../declare/resource/capabilities/persister.js'
import type { CompiledType } from '../../../declare/resource/compiled/compiled-type.js'
import { keyText } from '../../row-query/key-text.js'
import type { Row, RowSet } from '../../../core/rows/row-set.js'
import { rowSet } from '../../../core/rows/row-set.js'
import { invariant } from '../../../core/util/invariant.js'
import type { SqlDialect } from '../dialect/dialect.js'
import type { Operand } from '../dialect/operand.js'
import type { CheckedInsertSpelling } from '../dialect/spelling.js'
import { rethrowFault } from '../driver/rethrow-fault.js'
import type { SqlResult, SqlStatement } from '../driver/sql-statement.js'
import type { StatementBuild } from '../query/statement-build.js'
import { statementBuild } from '../query/statement-build.js'
import type { SqlColumn, SqlTable } from '../schema/sql-table.js'
import { namesOf, returnedRow } from '../schema/sql-table.js'
import type { SqlStore } from '../sql-store.js'
import { isRefused } from './autocommit.js'
import { columnsOfAll, rowGroups } from './create-many.js'
import type { ReferencedKeys, ReferringRows } from './referenced-rows.js'
import { allReferencesExist, referencedByRows } from './referenced-rows.js'
import type { RowBatch } from './row-source.js'
import { boundValue } from './row-source.js'
import { hasExactlyOneOf, keyOperands, rowConditions, startStatement } from './sql-writing.js'
import type { StatementTarget } from './statement-target.js'
import { isKeyComparable, statementTarget } from './statement-target.js'

/**
 * Inserts rows by one statement without a transaction, and returns the stored rows in the same order. Only for engines that
 * spell checked inserts. A batch of 100 rows takes one statement instead of seven.
 *
 * The statement inserts nothing if a row that one of them refers to is missing. It fails, and is thereby rolled back, if it did not store
 * all rows, or if the stored rows could not be matched with the given ones. Returns `null` if the rows were not inserted, or cannot be
 * inserted by one statement. `createMany()` is the plain form, in a transaction.
 */
export async function insertManyAutocommit(
  store: SqlStore,
  type: CompiledType,
  values: readonly ColumnValues[],
  { context, transaction, references, conditions }: AutocommitWrite,
): Promise<RowSet | null> {
  const { dialect } = store
  const checked = dialect.spell.boundRows?.checkedInsert ?? null
  const tables = store.knownTables() ?? (await store.tables())
  const target = statementTarget(type, { tables, dialect })
  const { table, canInsert } = target
  if (checked === null || !canInsert || unsuitableTables.has(table)) return null
  const build = statementBuild(store, tables, context)
  const rows = rowsToInsert(target, referencedByRows(references, values, build))
  if (rows === null) return null
  let result: SqlResult | null
  try {
    const statement = insertStatement(store, rows, { build, checked, type, conditions })
    result = await store.writeStatement(statement, { transaction, context })
  } catch (thrown) {
    if (thrown instanceof Error && thrown.message.includes(checked.failure)) unsuitableTables.add(table)
    return isRefused(thrown, store, transaction) ? null : rethrowFault(thrown, store.driver)
  }
  if (result === null || result.rows.length === 0) return null
  const { properties, decode } = returnedRow(table, [])
  return rowSet(properties, inGivenOrder(result.rows, rows).map(decode))
}

/**
 * Caches the tables for which the check in the statement has failed: a trigger skips rows, or the database does not take the keys from a
 * sequence. It would fail again for every batch.
 */
const unsuitableTables = new WeakSet<SqlTable>()

interface RowsToInsert {
  readonly table: SqlTable
  readonly columns: readonly SqlColumn[]
  /** The parameter with the rows. */
  readonly given: string
  readonly count: number
  readonly key: SqlColumn
  /** The keys of the rows, in their order; `null` if the database generates them. */
  readonly keys: readonly Operand[] | null
  readonly referenced: readonly ReferencedKeys[]
}

/**
 * Returns `null` if the rows do not set the same columns, have keys that cannot be compared, or a value that one parameter
 * cannot hold.
 */
function rowsToInsert(target: StatementTarget, referring: ReferringRows | null): RowsToInsert | null {
  const { table, dialect } = target
  const { boundRows } = dialect.spell
  if (referring === null || boundRows === null) return null
  const { rows, referenced } = referring
  const common = { table, count: rows.length, referenced, keys: null }
  const alike = columnsOfAll(target, rows)
  if (alike !== null) {
    const given = boundRows.valueOf(alike.columns, rows, (row, { property }) => row[property])
    return given === null ? null : { ...common, ...alike, given }
  }
  const newRows = rows.map((each) => target.newRow(each))
  // The insert in a transaction reports a conflict.
  if (newRows.some(({ conflict }) => conflict !== null)) return null
  const grouped = rowGroups(target, newRows)
  const [group, ...others] = grouped?.groups ?? []
  if (grouped === null || group === undefined || others.length > 0) return null
  const { key } = grouped
  const given = boundValue(group, dialect)
  if (given === null) return null
  const inserted = { ...common, key, columns: group.columns, given }
  if (group.sets[0]?.has(key) !== true) return inserted
  const keys = isKeyComparable(table, key, dialect) ? givenKeys(group, key, dialect) : null
  return keys === null ? null : { ...inserted, keys }
}

/** Returns `null` if a key occurs twice. */
function givenKeys({ sets }: RowBatch, key: SqlColumn, dialect: SqlDialect): readonly Operand[] | null {
  const operandOf = keyOperands(key, dialect)
  const keys = sets.flatMap((set) => operandOf(set.get(key)) ?? [])
  const isDistinct = new Set(keys.map(({ value }) => value)).size === sets.length
  return isDistinct && keys.every(({ type }) => type === keys[0]?.type) ? keys : null
}

interface CheckedBuild {
  readonly build: StatementBuild
  readonly checked: CheckedInsertSpelling
  readonly type: CompiledType
  readonly conditions: AutocommitWrite['conditions']
}

function insertStatement(
  store: SqlStore,
  rows: RowsToInsert,
  { build, checked, type, conditions }: CheckedBuild,
): SqlStatement {
  const { table, columns, given, keys, key, referenced } = rows
  const { shape } = build
  const keyPart = keys === null ? 'insert many autocommit' : 'insert many autocommit, with keys'
  const into = startStatement(shape, table, 'insert many', keyPart)
  shape.addKeyPart(namesOf(columns))
  const slot = shape.bind(given)
  const references = referenced.length === 0 ? (): typeof nothing => nothing : allReferencesExist(referenced, build)
  const meets = rowConditions(conditions, { type, table }, build)
  const count = shape.bind(rows.count)
  if (keys === null) shape.addKeyPart(`counted by ${key.name}`)
  const part = checked.write(
    {
      into,
      rows: slot,
      count,
      columns: columns.map(({ name }) => name),
      returned: table.stored.map(({ name }) => name),
      references,
      meets,
      keys:
        keys === null
          ? { kind: 'generated', key: { table, column: key.name } }
          : {
              kind: 'given',
              column: key.name,
              isGiven: hasExactlyOneOf(key, keys, build),
              count: shape.bind(keys.length),
            },
    },
    shape,
  )
  return store.statements.statement(shape, part)
}

const nothing = sql`true`

/** Sorts the stored rows by their keys. The statement has checked that they are those of the given rows. */
function inGivenOrder(stored: readonly Row[], { table, key, keys }: RowsToInsert): readonly Row[] {
  const position = table.stored.indexOf(key)
  if (keys === null)
    return stored.toSorted((one, other) => ((one[position] as number) < (other[position] as number) ? -1 : 1))
  const byKey = new Map(stored.map((row) => [keyText(row[position]), row]))
  return keys.map(({ value }) => {
    const row = byKey.get(keyText(value))
    invariant(row !== undefined, 'an insert of several rows has returned other keys than it has checked')
    return row
  })
}
