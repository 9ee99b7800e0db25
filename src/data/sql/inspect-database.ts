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
import { readTables } from './schema/resolve-tables.js'
import type { TableWorld } from './schema/wanted-tables.js'
import { servedTypes } from './schema/wanted-tables.js'

interface Databases {
  readonly driver: SqlDriver
  readonly replica: SqlDriver | null
}

/** Holds the declarations of a store against its databases. Rejects with a sentence where one cannot be asked. */
export async function inspectDatabase(
  { driver, replica }: Databases,
  world: TableWorld,
  occasion: InspectionOccasion,
): Promise<Inspection> {
  const { tables, problems } = await asked(driver, () => readTables(driver, world))
  // What it has is copied from the other, so that what is missing there is missing here.
  if (replica !== null) await asked(replica, () => readTables(replica, world))
  const served = servedTypes(world)
  if (served.some(isWritten)) await asked(driver, () => expectWritable(driver))
  const { unsound, advice } = indexProblems({ types: world.types, served, tables, engine: driver.engine }, occasion)
  const keys = await asked(driver, () => keyProblems(driver, served, tables))
  const computed = await asked(driver, () => computedProblems(driver, tables))
  return { missing: [...problems, ...computed, ...keys], unsound, advice }
}

function isWritten({ operations }: CompiledType): boolean {
  return operations.has('Create') || operations.has('Update') || operations.has('Delete')
}

async function asked<Answer>(driver: SqlDriver, ask: () => Promise<Answer>): Promise<Answer> {
  try {
    return await ask()
  } catch (thrown) {
    const told = driver.engine === 'postgres' ? describeConnectFailure(thrown) : describeOpenFailure(thrown)
    throw new Error(told ?? `The database cannot be asked for its tables: ${thrownMessage(thrown)}`, { cause: thrown })
  }
}
