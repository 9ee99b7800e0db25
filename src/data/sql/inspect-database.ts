import { thrownMessage } from '../../errors/describe-thrown.js'
import type { Inspection, InspectionOccasion } from '../data-source.js'
import { describeConnectFailure } from './driver/postgres/connect-failure.js'
import type { SqlDriver } from './driver/sql-driver.js'
import { describeOpenFailure } from './driver/sqlite/sqlite-faults.js'
import { indexProblems } from './inspect-indexes.js'
import type { ResolvedTables } from './schema/resolve-tables.js'
import { readTables } from './schema/resolve-tables.js'
import { isTableModel } from './schema/table-model.js'
import type { TableWorld } from './schema/wanted-tables.js'

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
  const { tables, problems } = await resolved(driver, world)
  // What it has is copied from the other, so that what is missing there is missing here.
  if (replica !== null) await resolved(replica, world)
  const given = new Set(world.models.map(({ name }) => name))
  const served = world.types.filter(({ model }) => model !== null && (isTableModel(model) || given.has(model.name)))
  const { unsound, advice } = indexProblems({ types: world.types, served, tables }, occasion)
  return { missing: problems, unsound, advice }
}

async function resolved(driver: SqlDriver, world: TableWorld): Promise<ResolvedTables> {
  try {
    return await readTables(driver, world)
  } catch (thrown) {
    const told = driver.engine === 'postgres' ? describeConnectFailure(thrown) : describeOpenFailure(thrown)
    throw new Error(told ?? `The database cannot be asked for its tables: ${thrownMessage(thrown)}`, { cause: thrown })
  }
}
