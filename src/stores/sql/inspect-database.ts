import { sql } from 'kysely'
import { thrownMessage } from '../../core/errors/describe-thrown.js'
import type { Inspection, InspectionOptions } from '../common/data-source.js'
import type { Waivers } from './apply-waivers.js'
import { applyWaivers } from './apply-waivers.js'
import type { SqlDriver } from './driver/sql-driver.js'
import { readRows } from './driver/sql-statement.js'
import { collationProblems } from './inspect-collations.js'
import { indexProblems, isWritten, uniqueKeyProblems } from './inspect-indexes.js'
import { searchAdvice, searchProblems } from './inspect-search.js'
import type { InspectedStore, ServedTable } from './inspected-store.js'
import { servedTables } from './inspected-store.js'
import { keyDigitProblems, keyProblems, keyTypeProblems, ruleProblems, versionProblems } from './inspect-keys.js'
import type { ReadReplicas } from './replicas/read-replicas.js'
import { replicaProblems } from './replicas/read-replicas.js'
import type { ResolvedTables } from './schema/resolve-tables.js'
import { readTables } from './schema/resolve-tables.js'
import type { SqlColumn, SqlTable, SqlTables } from './schema/sql-table.js'
import { columnReference } from './schema/sql-table.js'
import { tableText } from './schema/table-model.js'
import type { StoreDeclarations } from './schema/wanted-tables.js'
import { servedTypes } from './schema/wanted-tables.js'
import { sqlBuilder } from './statement/sql-builder.js'
import { tableReference } from './statement/table-reference.js'

interface Inspected {
  readonly driver: SqlDriver
  /** The read replicas; null if there are none. */
  readonly replicas: Pick<ReadReplicas, 'poll'> | null
  readonly waivers: {
    readonly reasons: Waivers
    /** Returns whether the inspection includes a type. True for a type that the store does not know, since its name is wrong. */
    readonly isInspected: (type: string) => boolean
  }
  /** Called with the tables of the primary database. */
  readonly onTables: (found: ResolvedTables) => void
}

/**
 * Compares the declarations of a store with its databases. Rejects with an error that describes the cause if a database
 * cannot be reached.
 */
export async function inspectDatabase(
  { driver, replicas, waivers, onTables }: Inspected,
  declarations: StoreDeclarations,
  options: InspectionOptions,
): Promise<Inspection> {
  const resolved = await describingFailure(driver, () => readTables(driver, declarations))
  const { tables, problems, findings } = resolved
  onTables(resolved)
  const served = servedTypes(declarations)
  if (served.some(isWritten)) await describingFailure(driver, () => driver.dialect.schema.expectWritable(driver))
  const store = { types: declarations.types, served, tables, dialect: driver.dialect }
  const indexes = indexProblems(store, options)
  const collations = collationProblems(store)
  const advice = [...indexes.advice, ...collations.advice, ...searchAdvice(store)]
  const unsound = [...indexes.unsound, ...collations.unsound]
  const unsearchable = await describingFailure(driver, () => searchProblems(driver, store))
  const keys = await describingFailure(driver, () => keyProblems(driver, store))
  const computed = await describingFailure(driver, () => computedProblems(driver, tables))
  const found = <Found>(rule: (table: ServedTable, inspected: InspectedStore) => readonly Found[]): readonly Found[] =>
    servedTables(store).flatMap((table) => rule(table, store))
  const missing = [
    ...findings,
    ...found(keyTypeProblems),
    ...collations.missing,
    ...keys,
    ...found(uniqueKeyProblems),
    ...found(keyDigitProblems),
  ]
  const waived = applyWaivers({ missing, unsound, advice }, waivers.reasons, waivers.isInspected)
  return {
    ...waived,
    // These cannot be waived: the statements of requests would fail, or nobody would have an ability.
    missing: [
      ...problems,
      ...computed,
      ...unsearchable,
      ...found(versionProblems),
      ...found(ruleProblems),
      ...waived.missing,
    ],
    unsound: [...waived.unsound, ...replicaProblems((await replicas?.poll()) ?? [], driver.dialect)],
  }
}

/** Runs work on a database. An error of the connection is replaced by one that describes its cause. */
async function describingFailure<Result>(driver: SqlDriver, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (thrown) {
    const description = driver.dialect.schema.describeFailure(thrown)
    throw new Error(description ?? `The tables of the database cannot be read: ${thrownMessage(thrown)}`, {
      cause: thrown,
    })
  }
}

/**
 * Reports computed columns whose expression the database rejects. Each expression is tried in a query with `limit 0`.
 */
async function computedProblems(driver: SqlDriver, tables: SqlTables): Promise<readonly string[]> {
  const problems: string[] = []
  for (const table of tables.values()) {
    for (const column of table.computed) {
      const refusal = await refusalOf(driver, table, column)
      if (refusal === null) continue
      problems.push(`The database cannot compute '${column.property}' of the table '${tableText(table)}': ${refusal}`)
    }
  }
  return [...new Set(problems)]
}

async function refusalOf(driver: SqlDriver, table: SqlTable, column: SqlColumn): Promise<string | null> {
  const query = sql`select ${columnReference(column, 't0')} from ${tableReference(table)} as ${sql.id('t0')} limit 0`
  const { sql: text, parameters } = query.compile(sqlBuilder(driver.dialect))
  try {
    await readRows(driver, text, parameters)
    return null
  } catch (thrown) {
    const kind = driver.faultOf(thrown)?.kind
    if (kind !== 'other' && kind !== 'value') throw thrown
    return thrownMessage(thrown)
  }
}
