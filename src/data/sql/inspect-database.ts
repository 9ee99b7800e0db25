import { thrownMessage } from '../../errors/describe-thrown.js'
import type { CompiledType } from '../../resource/compiled-type.js'
import type { Inspection, InspectionOccasion } from '../data-source.js'
import { describeConnectFailure } from './driver/postgres/connect-failure.js'
import type { SqlDriver } from './driver/sql-driver.js'
import { describeOpenFailure } from './driver/sqlite/sqlite-faults.js'
import { expectWritable } from './expect-writable.js'
import { computedProblems } from './inspect-computed.js'
import { indexProblems } from './inspect-indexes.js'
import { keyProblems } from './inspect-keys.js'
import { uniqueKeyProblems } from './inspect-unique-keys.js'
import type { ResolvedTables } from './schema/resolve-tables.js'
import { readTables } from './schema/resolve-tables.js'
import type { StoreDeclarations } from './schema/wanted-tables.js'
import { servedTypes } from './schema/wanted-tables.js'

interface Inspected {
  readonly driver: SqlDriver
  readonly replica: SqlDriver | null
  /** Called with the tables of the primary database. */
  readonly onTables: (found: ResolvedTables) => void
}

/**
 * Compares the declarations of a store with its databases. Rejects with an error that describes the cause if a database
 * cannot be reached.
 */
export async function inspectDatabase(
  { driver, replica, onTables }: Inspected,
  declarations: StoreDeclarations,
  options: InspectionOccasion,
): Promise<Inspection> {
  const found = await describingFailure(driver, () => readTables(driver, declarations))
  const { tables, problems } = found
  onTables(found)
  // Only checks that the replica can be reached: its tables are copies of those of the primary database.
  if (replica !== null) await describingFailure(replica, () => readTables(replica, declarations))
  const served = servedTypes(declarations)
  if (served.some(isWritten)) await describingFailure(driver, () => expectWritable(driver))
  const { unsound, advice } = indexProblems(
    { types: declarations.types, served, tables, engine: driver.engine },
    options,
  )
  const keys = await describingFailure(driver, () => keyProblems(driver, served, tables))
  const computed = await describingFailure(driver, () => computedProblems(driver, tables))
  const ambiguous = uniqueKeyProblems(served, tables)
  return { missing: [...problems, ...computed, ...keys, ...ambiguous], unsound, advice }
}

function isWritten({ operations }: CompiledType): boolean {
  return operations.has('Create') || operations.has('Update') || operations.has('Delete')
}

/** Runs work on a database. An error of the connection is replaced by one that describes its cause. */
async function describingFailure<Result>(driver: SqlDriver, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (thrown) {
    const description = driver.engine === 'postgres' ? describeConnectFailure(thrown) : describeOpenFailure(thrown)
    throw new Error(description ?? `The tables of the database cannot be read: ${thrownMessage(thrown)}`, {
      cause: thrown,
    })
  }
}
